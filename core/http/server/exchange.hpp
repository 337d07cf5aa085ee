// One request that is with a handler, and the way to answer it: at once, or later from another thread, so that nobody
// has to hold a thread while a request waits for the disk. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/http/server/request.hpp"

namespace tideover::http {

class Exchange {
 public:
  /// An exchange that goes without an answer is refused as handler_failed.
  virtual ~Exchange() = default;

  /// Lives as long as the exchange.
  virtual const Request& request() const = 0;
  /// Once: the body, which is no longer in request() then. For large ones, so that they are held only as long as
  /// needed.
  virtual std::string take_body() = 0;
  /// Sends the answer, on the calling thread. Only the first counts.
  virtual void answer(const Response& response) = 0;
  /// Has a worker run `rest`: the way back for whoever waited elsewhere. Dropped when the server ends first.
  virtual void resume(std::function<void()> rest) = 0;
};

/// Called from many threads at once. Keeps the exchange for as long as it needs to.
using Handler = std::function<void(std::shared_ptr<Exchange>)>;

/// A handler that has its answer before it returns.
inline Handler at_once(std::function<Response(const Request&)> answer) {
  return [answer = std::move(answer)](const std::shared_ptr<Exchange>& exchange) {
    exchange->answer(answer(exchange->request()));
  };
}

}  // namespace tideover::http
