// Reads the requests of one connection in sequence: a head, then exactly its body. The rest of the input is the next
// request. Independent of sockets and clocks, so that a fuzzer can drive it. Use from one thread at a time.
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
    body,      // head complete, body incomplete
    complete,  // call take()
    refused,   // final: the start of a next request is unknown
  };

  RequestReader(const ServerLimits& limits, const BodyLimit& body_limit, std::string client_address);

  /// Reads from `input` and removes what was read from its front.
  Stage advance(std::string& input);

  /// True once per request: the client waits for 100 Continue before it sends the body.
  bool take_continue_wish(const std::string& input);

  /// Once complete: returns the request; the reader then starts the next one.
  Request take();
  /// The request as far as it was parsed.
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
  std::optional<HeadParser> parser_;  // always set; a new one for each request
  std::optional<BodyReader> body_;
  Stage stage_ = Stage::idle;
};

}  // namespace tideover::http
