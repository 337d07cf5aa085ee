// One request at a handler, and its answer: at once, or later from another thread, so that no thread is blocked while a
// request waits for the disk. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/http/server/request.hpp"

namespace tideover::http {

class Exchange {
 public:
  /// An exchange that is destroyed without an answer is refused as handler_failed.
  virtual ~Exchange() = default;

  /// Valid during the lifetime of the exchange.
  virtual const Request& request() const = 0;
  /// Moves the body out of request(). Call it once. For large bodies, so that they are released early.
  virtual std::string take_body() = 0;
  /// Sends the answer on the calling thread. Only the first answer counts.
  virtual void answer(const Response& response) = 0;
  /// Runs `rest` on a worker thread: for code that waited elsewhere and continues the request. Dropped when the server
  /// stops first.
  virtual void resume(std::function<void()> rest) = 0;
};

/// Called from many threads at once. Keeps the exchange as long as needed.
using Handler = std::function<void(std::shared_ptr<Exchange>)>;

/// A synchronous handler: it returns its answer.
inline Handler at_once(std::function<Response(const Request&)> answer) {
  return [answer = std::move(answer)](const std::shared_ptr<Exchange>& exchange) {
    exchange->answer(answer(exchange->request()));
  };
}

}  // namespace tideover::http
