// The connection front behind real sockets on loopback: a server with handlers that misbehave on request, and a server
// whose requests the test answers.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "core/http/server/server.hpp"
#include "tests/support/raw_http.hpp"

namespace tideover::http_test {

using http::Exchange;
using http::Refusal;
using http::Request;
using http::Response;
using http::Server;
using http::ServerLimits;
using http::ServerOptions;
using std::chrono::milliseconds;
using test::RawClient;
using test::RawResponse;
using Clock = std::chrono::steady_clock;

inline const std::map<Refusal, int> kStatus = {{Refusal::bad_request, 400},       {Refusal::request_timeout, 408},
                                               {Refusal::body_too_large, 413},    {Refusal::uri_too_long, 414},
                                               {Refusal::headers_too_large, 431}, {Refusal::handler_failed, 500},
                                               {Refusal::overloaded, 503}};

/// Handlers wait here until the test lets them go on.
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait_for(lock, RawClient::kPatience, [this] { return open_; });
  }
  bool await_waiting(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, RawClient::kPatience, [&] { return waiting_ >= count; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool open_ = false;
};

/// A server whose handler says what it got. /gate waits, /hold-reactor makes the server itself wait, /throw throws, the
/// others try what a bad handler might do.
struct Served {
  explicit Served(ServerLimits limits = {}) {
    ServerOptions options;
    options.limits = limits;
    options.limits.worker_threads = std::min<std::size_t>(limits.worker_threads, 4);
    options.handler = tideover::http::at_once([this](const Request& request) { return answer(request); });
    options.body_limit = [this](const Request& head) {
      if (head.path == "/hold-reactor") reactor_gate.pass();
      return head.path == "/large" ? std::size_t{8 * 1024 * 1024} : std::size_t{1'024};
    };
    options.judge_head = [](const Request& head) -> std::optional<Response> {
      if (head.path == "/judge-throws") throw std::runtime_error("secret");
      if (head.path != "/denied") return std::nullopt;
      return Response{401, {}, "denied " + head.method};
    };
    options.refuse = [](const Request& head, Refusal refusal, std::string_view reason) {
      Response response{kStatus.at(refusal), {}, "{\"message\":\"" + std::string(reason) + "\"}"};
      response.headers.add("Content-Type", "application/json");
      response.headers.add("X-Path", head.path);
      if (response.status == 503) response.headers.add("Retry-After", "1");
      return response;
    };
    server = std::make_unique<Server>(std::move(options));
    server->start();
  }
  ~Served() {
    gate.open();
    reactor_gate.open();
  }

  RawClient connect() const { return RawClient(server->port()); }

  Response answer(const Request& request) {
    ++calls;
    Response response;
    if (request.path == "/gate") gate.pass();
    if (request.path == "/throw") throw std::runtime_error("secret");
    if (request.path == "/throw-int") throw 1;
    if (request.path == "/split") response.headers.add("X-Evil", "a\r\nSet-Cookie: b");
    if (request.path == "/framing") {
      response.headers.add("content-length", "1");
      response.headers.add("Transfer-Encoding", "chunked");
    }
    if (request.path == "/close") response.headers.add("Connection", "close");
    if (request.path == "/empty") response.status = 204;
    if (request.path == "/big") {
      response.body.assign(20 * 1024 * 1024, 'B');
      return response;
    }
    response.headers.add("X-Client", request.client_address);
    response.body = request.method + " " + request.path + " " +
                    (request.body.size() > 2'000 ? std::to_string(request.body.size()) : request.body);
    return response;
  }

  std::atomic<int> calls{0};
  Gate gate;
  Gate reactor_gate;
  std::unique_ptr<Server> server;
};

inline std::string get(const std::string& path, const std::string& fields = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
}

inline std::string post(const std::string& path, const std::string& body, const std::string& fields = "") {
  return "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + fields +
         "\r\n" + body;
}

template <typename Condition>
bool await(Condition condition, milliseconds patience = RawClient::kPatience) {
  const auto deadline = Clock::now() + patience;
  while (!condition()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

/// A client that lets bytes trickle until the server has had enough; returns the server's answer.
inline RawResponse drip(RawClient& client, std::string_view bytes) {
  for (const char c : bytes) {
    client.send({&c, 1});
    const RawResponse response = client.read_response(false, milliseconds(40));
    if (response.status != 0) return response;
  }
  return {};
}

/// A server whose handler keeps every exchange for the test to answer.
struct Kept {
  explicit Kept(const ServerLimits& limits = {}) {
    ServerOptions options;
    options.limits = limits;
    options.handler = [this](std::shared_ptr<Exchange> exchange) {
      const std::lock_guard lock(mutex);
      exchanges.push_back(std::move(exchange));
      changed.notify_one();
    };
    options.body_limit = [](const Request&) { return std::size_t{0}; };
    options.refuse = [](const Request&, Refusal refusal, std::string_view) {
      return Response{kStatus.at(refusal), {}, {}};
    };
    server = std::make_unique<Server>(std::move(options));
    server->start();
  }
  ~Kept() { exchanges.clear(); }

  RawClient connect() const { return RawClient(server->port()); }
  /// Waits for the next request.
  std::shared_ptr<Exchange> next() {
    std::unique_lock lock(mutex);
    BOOST_REQUIRE(changed.wait_for(lock, std::chrono::seconds(15), [this] { return !exchanges.empty(); }));
    auto exchange = std::move(exchanges.front());
    exchanges.pop_front();
    return exchange;
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Exchange>> exchanges;
  std::unique_ptr<Server> server;
};

}  // namespace tideover::http_test
