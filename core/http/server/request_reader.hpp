// Reads the requests of one connection in sequence: a head, then exactly its body. The rest of the input is the start
// of the next request. Uses no socket and no clock, so a fuzzer can drive it. One thread at a time.
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
    complete,  // call take()
    refused,   // final: the start of the next request is unknown
  };

  RequestReader(const ServerLimits& limits, const BodyLimit& body_limit, std::string client_address);

  /// Continues to parse `input` and removes what it has read from its front.
  Stage advance(std::string& input);

  /// True once per request: the client waits for 100 Continue, or for a refusal, before it sends the body.
  bool take_continue_wish(const std::string& input);

  /// Returns the complete request; the reader is then at the start of the next one.
  Request take();
  /// The part of the request that is known so far.
  const Request& request() const { return parser_->head().request; }
  bool keep_alive() const { return parser_->head().keep_alive; }
  bool is_http_1_0() const { return parser_->head().is_http_1_0; }
  /// Only after a refusal.
  const Refused& refused() const;

 private:
  void start();

  const ServerLimits& limits_;
  const BodyLimit& body_limit_;
  const std::string client_address_;
  std::optional<HeadParser> parser_;  // always has a value; a new parser for each request
  std::optional<BodyReader> body_;
  Stage stage_ = Stage::idle;
};

}  // namespace tideover::http
