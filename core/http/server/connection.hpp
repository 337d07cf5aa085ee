// One client connection: input that was read, output to send, and the current deadline. It never blocks and does not
// schedule itself: each call returns a Step that tells the server what to wait for. Invariant: nothing is read while a
// handler has a request, so TCP slows down the client and memory stays bounded. Thread contract: the server locks
// `mutex` around every call; a handler runs without it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "core/http/server/file_descriptor.hpp"
#include "core/http/server/request_reader.hpp"
#include "core/http/server/response_text.hpp"

namespace tideover::http {

/// Shared by all connections of a server. Callbacks as in ServerOptions.
struct ConnectionRules {
  ServerLimits limits;
  RequestReader::BodyLimit body_limit;
  std::function<Response(const Request& head, Refusal, std::string_view reason)> refuse;
  std::atomic<std::size_t>& buffered_bytes;  // sum over all connections, as the next member
  std::atomic<std::size_t>& unsent_bytes;
  std::atomic<std::uint64_t>& dropped_answers;
};

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  enum class Step {
    await_input,   // call on_ready() when bytes can be read
    await_output,  // call on_ready() when bytes can be sent
    judge_head,    // decide about request_head(), then read_body() or respond_to_head()
    handle,        // take_request(), run the handler, then respond()
    close,         // finished
    none,          // nothing to wait for: a handler has the request, or the connection is closed
  };

  Connection(FileDescriptor socket, std::string client_address, const ConnectionRules& rules, Time now);
  ~Connection() {
    count_buffered(0);
    count_unsent(0);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  std::mutex mutex;

  int socket() const { return socket_.get(); }

  Step on_ready(Time now);
  /// Called periodically; acts when the deadline of the current phase has passed.
  Step on_tick(Time now);
  /// Ends the connection with its next response, or at once when no byte of a request has been read.
  Step on_drain(Time now);

  /// The request of Step::judge_head, without its body.
  const Request& request_head() const { return reader_.request(); }
  /// Sends 100 Continue and reads the body.
  Step read_body(Time now);
  /// Sends the answer to a request whose body is not read, and closes the connection: whether the client sends the body
  /// nevertheless is its choice, so the start of a next request would be unknown.
  Step respond_to_head(const Response& response, Time now);

  Request take_request() { return reader_.take(); }
  /// Sends the handler's answer. An answer that cannot be sent becomes a refusal.
  Step respond(const Request& request, const Response& response, Time now);
  /// Answers with a refusal and closes the connection.
  Step refuse(const Request& request, Refusal refusal, std::string_view reason, Time now);
  /// Refuses the request in progress.
  Step refuse(Refusal refusal, std::string_view reason, Time now) {
    return refuse(reader_.request(), refusal, reason, now);
  }

  void close();

 private:
  enum class Phase { reading, handling, sending, lingering, closed };

  Step receive(Time now);
  Step read_on(Time now);
  Step send_response(const Request& request, const Response& response, bool may_send_more, Time now);
  Step send_text(std::string text, bool last, Time now);
  Step flush(Time now);
  Step linger(Time now);
  Step discard();
  Step end();
  bool send_continue();
  void count_buffered(std::size_t bytes);
  void count_unsent(std::size_t bytes);
  bool may_wait_to_send();
  Response rendered(const Request& request, Refusal refusal, std::string_view reason) const;
  void set_deadline(Time now, int timeout_ms) { deadline_ = now + std::chrono::milliseconds(timeout_ms); }

  const ConnectionRules& rules_;
  FileDescriptor socket_;
  RequestReader reader_;
  Phase phase_ = Phase::reading;
  RequestReader::Stage stage_ = RequestReader::Stage::idle;
  Time deadline_;
  std::string input_;
  std::string output_;
  std::size_t sent_ = 0;
  std::size_t discarded_ = 0;
  std::size_t counted_ = 0;   // this connection's share of rules_.buffered_bytes
  std::size_t unsent_ = 0;    // this connection's share of rules_.unsent_bytes
  bool keep_alive_ = true;    // of the request being handled
  bool is_http_1_0_ = false;  // of the request being handled
  bool draining_ = false;
  bool last_response_ = false;
  bool may_send_more_ = false;  // at the end, the client may still be sending
};

}  // namespace tideover::http
