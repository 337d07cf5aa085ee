// The HTTP server: one reactor thread reads requests whole and within limits, worker threads run the handler.
// Invariant: a handler gets only complete, well-framed requests; any other input gets one refusal and `Connection:
// close`. Thread contract: call start() once; port(), in_flight(), unsent() and drain() from any thread; the
// callbacks run on many threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/http/server/exchange.hpp"
#include "core/http/server/limits.hpp"
#include "core/http/server/refusal.hpp"
#include "core/http/server/request.hpp"

namespace tideover::http {

struct ServerOptions {
  std::string address = "127.0.0.1";  // numeric; IPv6 without brackets
  std::uint16_t port = 0;             // 0 lets the system choose
  ServerLimits limits;

  Handler handler;
  /// The maximum body, in bytes, of a request whose head is known.
  std::function<std::size_t(const Request& head)> body_limit;
  /// Renders a refusal. `head` has the part of the request that was parsed. Must be fast: it may run on the reactor
  /// thread.
  std::function<Response(const Request& head, Refusal, std::string_view reason)> refuse;
};

class Server {
 public:
  explicit Server(ServerOptions options);
  /// Drops open connections and waits until every exchange is destroyed, so the threads that answer later must still
  /// run. Call drain() before for a graceful end.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Binds, listens and serves. Throws std::runtime_error with the address if it cannot.
  void start();
  /// The bound port; 0 before start().
  std::uint16_t port() const;

  /// Stops accepting, closes idle connections, finishes requests whose first byte has arrived, then closes. Returns
  /// false if the deadline passed: the rest was cut off. No handler starts afterwards.
  bool drain(std::chrono::milliseconds deadline);

  /// Complete requests that wait for a worker or for their response.
  std::size_t in_flight() const;

  /// Unsent bytes of responses, and the number of responses dropped because of that bound.
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
