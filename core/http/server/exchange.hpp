// One request with a handler, and the means to answer it at once or later from another thread, so that no thread is
// blocked while a request waits for the disk. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/http/server/request.hpp"

namespace tideover::http {

class Exchange {
 public:
  /// An exchange that is destroyed without a response is refused as handler_failed.
  virtual ~Exchange() = default;

  /// Valid as long as the exchange.
  virtual const Request& request() const = 0;
  /// Moves the body out; call it once. For large bodies, so that they are held only as long as needed.
  virtual std::string take_body() = 0;
  /// Sends the response on the calling thread. Only the first call counts.
  virtual void answer(const Response& response) = 0;
  /// Queues `rest` for a worker, for a handler that waited elsewhere. Dropped if the server ends first.
  virtual void resume(std::function<void()> rest) = 0;
};

/// Called from many threads at once. Keeps the exchange as long as needed.
using Handler = std::function<void(std::shared_ptr<Exchange>)>;

/// A handler that returns its response at once.
inline Handler at_once(std::function<Response(const Request&)> answer) {
  return [answer = std::move(answer)](const std::shared_ptr<Exchange>& exchange) {
    exchange->answer(answer(exchange->request()));
  };
}

}  // namespace tideover::http
