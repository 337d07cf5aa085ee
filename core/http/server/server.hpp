// The HTTP server: one reactor thread reads complete requests within limits, worker threads run the handler. Invariant:
// a handler gets only complete, well-framed requests; any other input gets one refusal and `Connection: close`. Thread
// contract: start() once; port(), in_flight(), unsent() and drain() from any thread; the callbacks run on many threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/http/server/exchange.hpp"
#include "core/http/server/limits.hpp"
#include "core/http/server/refusal.hpp"
#include "core/http/server/request.hpp"

namespace tideover::http {

struct ServerOptions {
  std::string address = "127.0.0.1";  // numeric; IPv6 without brackets
  std::uint16_t port = 0;             // 0: the system chooses
  ServerLimits limits;

  Handler handler;
  /// The largest body, in bytes, of a request of which only the head is known.
  std::function<std::size_t(const Request& head)> body_limit;
  /// The answer to a request that its head alone decides, or nothing. Called on a worker for a client that waits for
  /// 100 Continue, so that it sends no body for a refusal; without an answer the whole request follows. May be empty.
  std::function<std::optional<Response>(const Request& head)> judge_head;
  /// Renders a refusal. `head` has the part of the request that was parsed. Must be fast: it may run on the reactor
  /// thread.
  std::function<Response(const Request& head, Refusal, std::string_view reason)> refuse;
};

class Server {
 public:
  explicit Server(ServerOptions options);
  /// Closes open connections and waits until every exchange is gone, so components that answer later must still run.
  /// Call drain() first for a graceful shutdown.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Binds, listens and serves. Throws std::runtime_error with the address on failure.
  void start();
  /// The bound port; 0 before start().
  std::uint16_t port() const;

  /// Stops accepting, closes idle connections, completes requests whose first byte has arrived, then closes. Returns
  /// false when the deadline passed first; the remaining connections were then cut. No handler starts afterwards.
  bool drain(std::chrono::milliseconds deadline);

  /// Complete requests that wait for a worker or for their response.
  std::size_t in_flight() const;

  /// Bytes of answers that wait for clients, and the number of answers dropped because of the limit.
  struct Unsent {
    std::size_t bytes = 0;
    std::uint64_t dropped = 0;
  };
  Unsent unsent() const;

 private:
  class Front;
  std::unique_ptr<Front> front_;
};

}  // namespace tideover::http
