// Reads the requests of one connection, one after the other: a head, then exactly its body. What is left of the input
// afterwards is the next request and nothing else. Knows no socket and no clock; a fuzzer can drive it. One thread at a
// time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/http/server/body_reader.hpp"
#include "core/http/server/head_parser.hpp"

namespace tideover::http {

class RequestReader {
 public:
  using BodyLimit = std::function<std::size_t(const Request& head)>;

  enum class Stage {
    idle,      // no byte of a request yet
    head,      // inside the head
    body,      // head read, body incomplete
    complete,  // take() it
    refused,   // for good: where the next request would start is unknown
  };

  RequestReader(const ServerLimits& limits, const BodyLimit& body_limit, std::string client_address);

  /// Reads on in `input`, whose front it cuts off as it goes.
  Stage advance(std::string& input);

  /// True once per request: the client waits for 100 Continue before it sends the body.
  bool take_continue_wish(const std::string& input);

  /// Once complete: the request; the reader then stands before the next one.
  Request take();
  /// The request as far as it is known.
  const Request& request() const { return parser_->head().request; }
  bool keep_alive() const { return parser_->head().keep_alive; }
  bool is_http_1_0() const { return parser_->head().is_http_1_0; }
  /// Once refused.
  const Refused& refused() const;

 private:
  void start();

  const ServerLimits& limits_;
  const BodyLimit& body_limit_;
  const std::string client_address_;
  std::optional<HeadParser> parser_;  // always there; a new one for each request
  std::optional<BodyReader> body_;
  Stage stage_ = Stage::idle;
};

}  // namespace tideover::http
