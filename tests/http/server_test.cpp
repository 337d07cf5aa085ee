// The connection front behind real sockets on loopback.
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "core/http/server/server.hpp"
#include "tests/http/framing_corpus.hpp"
#include "tests/support/raw_http.hpp"

using std::chrono::milliseconds;
using tideover::http::Exchange;
using tideover::http::Refusal;
using tideover::http::Request;
using tideover::http::Response;
using tideover::http::Server;
using tideover::http::ServerLimits;
using tideover::http::ServerOptions;
using tideover::test::RawClient;
using tideover::test::RawResponse;
using Clock = std::chrono::steady_clock;

namespace {

const std::map<Refusal, int> kStatus = {{Refusal::bad_request, 400},       {Refusal::request_timeout, 408},
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

std::string get(const std::string& path, const std::string& fields = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
}

std::string post(const std::string& path, const std::string& body, const std::string& fields = "") {
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
RawResponse drip(RawClient& client, std::string_view bytes) {
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

}  // namespace

BOOST_AUTO_TEST_SUITE(http_server)

BOOST_AUTO_TEST_CASE(a_request_is_answered_whole_with_length_and_date_and_no_server_name) {
  Served served;
  RawClient client = served.connect();
  client.send(post("/a", "hello"));
  const RawResponse response = client.read_response();
  BOOST_TEST(response.status == 200);
  BOOST_TEST(response.body == "POST /a hello");
  BOOST_TEST(response.head.starts_with("HTTP/1.1 200 OK\r\n"));
  BOOST_TEST(response.header("content-length") == std::to_string(response.body.size()));
  BOOST_TEST(response.header("Date").ends_with(" GMT"));
  BOOST_TEST(response.header("Date").size() == std::string("Sun, 06 Nov 1994 08:49:37 GMT").size());
  BOOST_TEST(response.header("X-Client") == "127.0.0.1");
  BOOST_TEST(response.header("Server") == "");
  BOOST_TEST(response.header("Transfer-Encoding") == "");
}

BOOST_AUTO_TEST_CASE(every_bad_request_is_refused_in_json_and_the_connection_ends) {
  Served served;
  for (const auto& bad : tideover::test::bad_requests()) {
    RawClient client = served.connect();
    // What follows would be answered too if the refused request had left the connection in use.
    client.send(bad.bytes + get("/smuggled"));
    const RawResponse response = client.read_response();
    BOOST_TEST(response.status == kStatus.at(bad.refusal), bad.name);
    BOOST_TEST(response.header("Connection") == "close", bad.name);
    BOOST_TEST(response.header("Content-Type") == "application/json", bad.name);
    client.end_sending();
    BOOST_TEST(client.ends_silently(), bad.name << " got a second answer");
  }
  BOOST_TEST(served.calls == 0);
}

BOOST_AUTO_TEST_CASE(a_request_inside_a_body_is_not_answered) {
  Served served;
  RawClient client = served.connect();
  client.send(post("/ignores-its-body", get("/smuggled")) + get("/next"));
  BOOST_TEST(client.read_response().body.starts_with("POST /ignores-its-body "));
  BOOST_TEST(client.read_response().body == "GET /next ");
  BOOST_TEST(client.stays_quiet(milliseconds(100)));
  BOOST_TEST(served.calls == 2);
}

BOOST_AUTO_TEST_CASE(a_post_without_length_is_answered_at_once) {
  Served served;
  RawClient client = served.connect();
  const auto start = Clock::now();
  client.send("POST /v1/settlements/stl_1/confirm HTTP/1.1\r\nHost: h\r\n\r\n");
  BOOST_TEST(client.read_response().body == "POST /v1/settlements/stl_1/confirm ");
  BOOST_TEST((Clock::now() - start < milliseconds(1'000)));
}

BOOST_AUTO_TEST_CASE(pipelined_requests_are_answered_in_order) {
  Served served;
  RawClient client = served.connect();
  std::string all;
  for (int i = 0; i < 200; ++i) all += i % 2 == 0 ? get("/" + std::to_string(i)) : post("/" + std::to_string(i), "b");
  client.send(all);
  for (int i = 0; i < 200; ++i) {
    BOOST_TEST(client.read_response().body ==
               (i % 2 == 0 ? "GET /" + std::to_string(i) + " " : "POST /" + std::to_string(i) + " b"));
  }
  BOOST_TEST(client.stays_quiet(milliseconds(50)));
}

BOOST_AUTO_TEST_CASE(a_chunked_body_is_read_whole_and_once) {
  Served served;
  RawClient client = served.connect();
  client.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  BOOST_TEST(client.stays_quiet(milliseconds(50)));
  client.send("6\r\n world\r\n0\r\n\r\n" + get("/next"));
  BOOST_TEST(client.read_response().body == "POST /a hello world");
  BOOST_TEST(client.read_response().body == "GET /next ");
}

BOOST_AUTO_TEST_CASE(the_body_limit_depends_on_the_request) {
  Served served;
  RawClient large = served.connect();
  large.send(post("/large", std::string(4 * 1024 * 1024, 'x')));
  BOOST_TEST(large.read_response().body == "POST /large 4194304");
  RawClient small = served.connect();
  small.send("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 4194304\r\n\r\n");
  BOOST_TEST(small.read_response().status == 413);
}

BOOST_AUTO_TEST_CASE(a_client_that_sends_on_after_a_refusal_still_sees_it) {
  Served served;
  for (int i = 0; i < 20; ++i) {
    RawClient client = served.connect();
    client.send("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n" + std::string(50'000, 'x'));
    const RawResponse response = client.read_response();
    BOOST_TEST(response.status == 413);
    BOOST_TEST(response.header("X-Path") == "/small");
    BOOST_TEST(client.ends_silently());
    // A socket closed at once would answer the first of these with RST, on which the others fail.
    for (int block = 0; block < 5; ++block) BOOST_TEST(client.send("more of the body"));
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_never_stops_sending_is_cut_off) {
  ServerLimits limits;
  limits.linger_timeout_ms = 60'000;
  Served served(limits);
  RawClient client = served.connect();
  client.send("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999\r\n\r\n");
  BOOST_TEST(client.read_response().status == 413);
  const std::string block(16 * 1024, 'x');
  BOOST_TEST(await([&] { return !client.send(block); }));
}

BOOST_AUTO_TEST_CASE(a_client_that_sends_its_refused_body_to_the_end_still_reads_the_refusal) {
  Served served;
  RawClient client = served.connect();
  BOOST_TEST(client.send(post("/a", std::string(32 * 1024 * 1024, 'x'))));
  BOOST_TEST(client.read_response().status == 413);
}

BOOST_AUTO_TEST_CASE(expect_100_continue_is_honoured_before_the_body_only) {
  Served served;
  RawClient client = served.connect();
  client.send("POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n");
  BOOST_TEST(client.read_response().status == 100);
  client.send("hello");
  BOOST_TEST(client.read_response().body == "POST /a hello");
  // The body is there already, or has begun, or is none, or is too large: no interim answer.
  client.send("POST /begun HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhe");
  BOOST_TEST(client.stays_quiet(milliseconds(50)));
  client.send("llo");
  BOOST_TEST(client.read_response().body == "POST /begun hello");
  client.send(post("/b", "hello", "Expect: 100-continue\r\n"));
  BOOST_TEST(client.read_response().body == "POST /b hello");
  client.send(get("/c", "Expect: 100-continue\r\n"));
  BOOST_TEST(client.read_response().body == "GET /c ");
  client.send("POST /d HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n");
  BOOST_TEST(client.read_response().status == 413);
}

BOOST_AUTO_TEST_CASE(head_is_answered_without_body) {
  Served served;
  RawClient client = served.connect();
  client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n" + get("/b"));
  const RawResponse response = client.read_response(true);
  BOOST_TEST(response.header("Content-Length") == std::to_string(std::string("HEAD /a ").size()));
  const RawResponse next = client.read_response();
  BOOST_TEST(next.status == 200);
  BOOST_TEST(next.body == "GET /b ");
}

BOOST_AUTO_TEST_CASE(no_content_has_no_length) {
  Served served;
  RawClient client = served.connect();
  client.send(get("/empty") + get("/b"));
  const RawResponse response = client.read_response();
  BOOST_TEST(response.status == 204);
  BOOST_TEST(response.header("Content-Length") == "");
  BOOST_TEST(client.read_response().body == "GET /b ");
}

BOOST_AUTO_TEST_CASE(an_unknown_method_reaches_the_handler) {
  Served served;
  RawClient client = served.connect();
  client.send("BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n");
  BOOST_TEST(client.read_response().body == "BREW /pot ");
}

BOOST_AUTO_TEST_CASE(the_connection_ends_when_either_side_says_so) {
  Served served;
  const std::string http_1_0 = "GET /a HTTP/1.0\r\n";
  for (const std::string& request : {get("/a", "Connection: close\r\n"), get("/close"), http_1_0 + "\r\n"}) {
    RawClient client = served.connect();
    client.send(request);
    const RawResponse response = client.read_response();
    BOOST_TEST(response.status == 200);
    BOOST_TEST(response.header("Connection") == "close");
    BOOST_TEST(client.ends_silently());
  }
  RawClient client = served.connect();
  client.send(http_1_0 + "Connection: keep-alive\r\n\r\n");
  BOOST_TEST(client.read_response().header("Connection") == "keep-alive");
  client.send(get("/b"));
  BOOST_TEST(client.read_response().body == "GET /b ");
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_gives_the_fallback_answer) {
  Served served;
  for (const char* path : {"/throw", "/throw-int", "/split"}) {
    RawClient client = served.connect();
    client.send(get(path));
    const RawResponse response = client.read_response();
    BOOST_TEST(response.status == 500, path);
    BOOST_TEST(response.header("X-Path") == path);
    BOOST_TEST(response.header("Set-Cookie") == "");
    BOOST_TEST(response.body.find("secret") == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_request_may_be_answered_later_from_another_thread) {
  ServerLimits limits;
  limits.worker_threads = 1;
  Kept kept(limits);
  RawClient first = kept.connect(), second = kept.connect();
  first.send(get("/first"));
  const auto exchange = kept.next();
  second.send(get("/second"));  // the one worker is free for it
  const auto other = kept.next();
  BOOST_TEST(kept.server->in_flight() == 2u);
  std::jthread([&] { other->answer({200, {}, "late " + other->request().path}); }).join();
  BOOST_TEST(second.read_response().body == "late /second");
  exchange->answer({200, {}, "later " + exchange->request().path});
  exchange->answer({500, {}, "only the first counts"});
  BOOST_TEST(first.read_response().body == "later /first");
  BOOST_TEST(kept.server->in_flight() == 0u);
}

BOOST_AUTO_TEST_CASE(a_resumed_exchange_runs_on_a_worker) {
  Kept kept;
  RawClient client = kept.connect();
  client.send(get("/"));
  const auto exchange = kept.next();
  std::promise<std::thread::id> ran;
  exchange->resume([&] { ran.set_value(std::this_thread::get_id()); });
  BOOST_TEST((ran.get_future().get() != std::this_thread::get_id()));
  exchange->resume([exchange] { exchange->answer({200, {}, "resumed"}); });
  BOOST_TEST(client.read_response().body == "resumed");
}

BOOST_AUTO_TEST_CASE(an_unanswered_exchange_gives_the_fallback_answer) {
  Kept kept;
  RawClient client = kept.connect();
  client.send(get("/forgotten"));
  kept.next().reset();
  BOOST_TEST(client.read_response().status == 500);
  BOOST_TEST(client.ends_silently());
}

BOOST_AUTO_TEST_CASE(a_server_ends_only_when_no_exchange_is_left) {
  Kept kept;
  RawClient client = kept.connect();
  client.send(get("/"));
  auto exchange = kept.next();
  auto ended = std::async(std::launch::async, [&] { kept.server.reset(); });
  BOOST_TEST(client.ends_silently());  // the drain has come by
  exchange->answer({200, {}, "too late"});
  exchange.reset();
  ended.get();
}

BOOST_AUTO_TEST_CASE(a_handler_cannot_break_the_framing) {
  Served served;
  RawClient client = served.connect();
  client.send(get("/framing"));
  const RawResponse response = client.read_response();
  BOOST_TEST(response.body == "GET /framing ");
  BOOST_TEST(response.header("Transfer-Encoding") == "");
}

BOOST_AUTO_TEST_CASE(a_slow_head_ends_at_an_absolute_deadline) {
  ServerLimits limits;
  limits.head_timeout_ms = 300;
  Served served(limits);
  RawClient client = served.connect();
  const auto start = Clock::now();
  const RawResponse response = drip(client, get("/" + std::string(500, 'a')));
  BOOST_TEST(response.status == 408);
  BOOST_TEST(response.header("Connection") == "close");
  BOOST_TEST((Clock::now() - start >= milliseconds(300)));
  BOOST_TEST((Clock::now() - start < milliseconds(3'000)));
}

BOOST_AUTO_TEST_CASE(a_slow_body_ends_at_an_absolute_deadline) {
  ServerLimits limits;
  limits.body_timeout_ms = 300;
  Served served(limits);
  RawClient client = served.connect();
  client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
  BOOST_TEST(drip(client, std::string(900, 'x')).status == 408);
  BOOST_TEST(served.calls == 0);
}

BOOST_AUTO_TEST_CASE(an_idle_connection_ends_silently) {
  ServerLimits limits;
  limits.idle_timeout_ms = 200;
  Served served(limits);
  RawClient never_spoke = served.connect();
  RawClient spoke_once = served.connect();
  spoke_once.send(get("/a"));
  BOOST_TEST(spoke_once.read_response().status == 200);
  BOOST_TEST(never_spoke.ends_silently());
  BOOST_TEST(spoke_once.ends_silently());
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_is_cut_off) {
  ServerLimits limits;
  limits.write_timeout_ms = 300;
  Served served(limits);
  RawClient client = served.connect();
  client.send(get("/big"));
  BOOST_TEST(await([&] { return served.calls == 1 && served.server->in_flight() == 0; }));
  BOOST_TEST(await([&] { return !client.send("x"); }));
}

BOOST_AUTO_TEST_CASE(a_large_answer_arrives_whole) {
  Served served;
  RawClient client = served.connect();
  client.send(get("/big") + get("/next"));
  BOOST_TEST((client.read_response().body == std::string(20 * 1024 * 1024, 'B')));
  BOOST_TEST(client.read_response().body == "GET /next ");
}

BOOST_AUTO_TEST_CASE(slow_and_idle_clients_do_not_hold_up_others) {
  Served served;
  std::vector<RawClient> slow;
  for (int i = 0; i < 200; ++i) {
    slow.push_back(served.connect());
    slow.back().send(i % 2 == 0 ? "" : "GET /slow HTTP/1.1\r\nHo");
  }
  const auto start = Clock::now();
  RawClient client = served.connect();
  client.send(get("/a"));
  BOOST_TEST(client.read_response().status == 200);
  BOOST_TEST((Clock::now() - start < milliseconds(1'000)));
}

BOOST_AUTO_TEST_CASE(a_full_queue_answers_503_with_retry_after) {
  ServerLimits limits;
  limits.worker_threads = 1;
  limits.queued_requests = 1;
  Served served(limits);
  RawClient running = served.connect();
  running.send(get("/gate"));
  BOOST_TEST_REQUIRE(served.gate.await_waiting(1));
  RawClient queued = served.connect();
  queued.send(get("/queued"));
  BOOST_TEST_REQUIRE(await([&] { return served.server->in_flight() == 2; }));

  RawClient refused = served.connect();
  refused.send(get("/refused"));
  const RawResponse response = refused.read_response();
  BOOST_TEST(response.status == 503);
  BOOST_TEST(response.header("Retry-After") == "1");
  BOOST_TEST(response.header("X-Path") == "/refused");
  BOOST_TEST(refused.ends_silently());

  served.gate.open();
  BOOST_TEST(running.read_response().body == "GET /gate ");
  BOOST_TEST(queued.read_response().body == "GET /queued ");
  BOOST_TEST(await([&] { return served.server->in_flight() == 0; }));
}

BOOST_AUTO_TEST_CASE(one_connection_too_many_answers_503) {
  ServerLimits limits;
  limits.connections = 2;
  Served served(limits);
  std::array<RawClient, 2> first = {served.connect(), served.connect()};
  for (RawClient& client : first) {
    client.send(get("/a"));
    BOOST_TEST(client.read_response().status == 200);
  }
  RawClient third = served.connect();
  third.send(get("/b"));
  BOOST_TEST(third.read_response().status == 503);
  BOOST_TEST(third.ends_silently());
  first[0].disconnect();
  BOOST_TEST(await([&] {
    RawClient next = served.connect();
    next.send(get("/c"));
    return next.read_response().status == 200;
  }));
}

BOOST_AUTO_TEST_CASE(all_bodies_together_are_bounded_and_their_memory_is_released) {
  ServerLimits limits;
  limits.buffered_bytes = 2 * 1024 * 1024;
  Served served(limits);
  const auto large = [&](std::size_t bytes) {
    RawClient client = served.connect();
    client.send(post("/large", std::string(bytes, 'x')));
    return client.read_response().status;
  };
  for (int round = 0; round < 5; ++round) {
    BOOST_TEST(large(3 * 1024 * 1024) == 503);
    BOOST_TEST(large(900 * 1024) == 200);
  }
}

BOOST_AUTO_TEST_CASE(all_unread_answers_together_are_bounded_and_their_memory_is_released) {
  ServerLimits limits;
  limits.unsent_bytes = 30 * 1024 * 1024;
  Served served(limits);
  for (std::uint64_t round = 0; round < 3; ++round) {
    RawClient first = served.connect();
    first.send(get("/big"));
    BOOST_TEST(await([&] { return served.server->unsent().bytes > 0; }));
    BOOST_TEST(served.server->unsent().dropped == round);

    RawClient second = served.connect();
    second.send(get("/big"));
    BOOST_TEST(await([&] { return served.server->unsent().dropped == round + 1; }));
    BOOST_TEST(served.server->unsent().bytes < limits.unsent_bytes);
    RawClient small = served.connect();
    small.send(get("/small"));
    BOOST_TEST(small.read_response().status == 200);

    BOOST_TEST(first.read_response().body.size() == 20u * 1024 * 1024);
    BOOST_TEST(await([&] { return served.server->unsent().bytes == 0; }));
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_leaves_amid_its_answer_releases_its_memory) {
  Served served;
  {
    RawClient leaver = served.connect();
    leaver.send(get("/big"));
    BOOST_TEST(await([&] { return served.server->unsent().bytes > 0; }));
  }
  BOOST_TEST(await([&] { return served.server->unsent().bytes == 0; }));
}

BOOST_AUTO_TEST_CASE(a_client_that_leaves_amid_its_body_releases_its_memory) {
  ServerLimits limits;
  limits.buffered_bytes = 2 * 1024 * 1024;
  Served served(limits);
  const std::string request = post("/large", std::string(900 * 1024, 'x'));
  for (int i = 0; i < 5; ++i) {
    RawClient leaver = served.connect();
    leaver.send(request.substr(0, request.size() - 1));
    leaver.end_sending();
    BOOST_TEST(leaver.ends_silently());
  }
  RawClient client = served.connect();
  client.send(request);
  BOOST_TEST(client.read_response().status == 200);
}

BOOST_AUTO_TEST_CASE(requests_run_at_the_same_time) {
  Served served;
  std::vector<RawClient> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(served.connect());
    clients.back().send(get("/gate"));
  }
  BOOST_TEST(served.gate.await_waiting(4));
  served.gate.open();
  for (RawClient& client : clients) BOOST_TEST(client.read_response().status == 200);
}

BOOST_AUTO_TEST_CASE(many_clients_each_get_their_own_answers) {
  Served served;
  constexpr int kClients = 32;
  constexpr int kRequests = 50;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int c = 0; c < kClients; ++c) {
    threads.emplace_back([&, c] {
      RawClient client = served.connect();
      for (int r = 0; r < kRequests; ++r) {
        const std::string mine = std::to_string(c) + "-" + std::to_string(r);
        client.send(post("/" + mine, mine));
        if (client.read_response().body == "POST /" + mine + " " + mine) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(right == kClients * kRequests);
  BOOST_TEST(await([&] { return served.server->in_flight() == 0; }));
}

BOOST_AUTO_TEST_CASE(clients_that_vanish_at_any_byte_disturb_no_other) {
  Served served;
  const std::string request = post("/a", "hello");
  for (std::size_t cut = 0; cut <= request.size(); ++cut) served.connect().send(request.substr(0, cut));
  RawClient client = served.connect();
  client.send(get("/b"));
  BOOST_TEST(client.read_response().body == "GET /b ");
}

BOOST_AUTO_TEST_CASE(drain_finishes_requests_under_way_and_closes_the_rest) {
  Served served;
  RawClient running = served.connect();
  running.send(get("/gate"));
  BOOST_TEST_REQUIRE(served.gate.await_waiting(1));
  RawClient half_sent = served.connect();
  half_sent.send("POST /half HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  BOOST_TEST(half_sent.read_response().status == 100);
  RawClient idle = served.connect();
  idle.send(get("/idle"));
  BOOST_TEST(idle.read_response().status == 200);

  std::atomic<bool> drained{false};
  std::thread draining([&] { drained = served.server->drain(RawClient::kPatience); });
  BOOST_TEST(idle.ends_silently());
  BOOST_CHECK_THROW(served.connect(), std::system_error);
  BOOST_TEST(!drained);

  half_sent.send("hello");
  const RawResponse half = half_sent.read_response();
  BOOST_TEST(half.body == "POST /half hello");
  BOOST_TEST(half.header("Connection") == "close");
  half_sent.disconnect();
  served.gate.open();
  const RawResponse last = running.read_response();
  BOOST_TEST(last.body == "GET /gate ");
  BOOST_TEST(last.header("Connection") == "close");
  BOOST_TEST(running.ends_silently());
  running.disconnect();
  draining.join();
  BOOST_TEST(drained);
  BOOST_TEST(served.server->in_flight() == 0u);
  BOOST_TEST(served.server->drain(milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(drain_answers_a_request_that_has_arrived_unseen) {
  Served served;
  RawClient client = served.connect();
  client.send(get("/first"));
  BOOST_TEST(client.read_response().status == 200);
  RawClient holder = served.connect();
  holder.send(get("/hold-reactor"));
  BOOST_TEST_REQUIRE(served.reactor_gate.await_waiting(1));

  client.send(get("/unseen"));
  std::atomic<bool> drained{false};
  std::thread draining([&] { drained = served.server->drain(RawClient::kPatience); });
  BOOST_TEST(client.stays_quiet(milliseconds(100)));  // long enough for the drain to be asked for
  served.reactor_gate.open();
  const RawResponse response = client.read_response();
  BOOST_TEST(response.body == "GET /unseen ");
  BOOST_TEST(response.header("Connection") == "close");
  client.disconnect();
  BOOST_TEST(holder.read_response().status == 200);
  holder.disconnect();
  draining.join();
  BOOST_TEST(drained);
}

BOOST_AUTO_TEST_CASE(drain_finishes_a_response_that_is_on_its_way) {
  Served served;
  RawClient client = served.connect();
  client.send(get("/big"));
  BOOST_TEST_REQUIRE(await([&] { return served.calls == 1 && served.server->in_flight() == 0; }));

  std::atomic<bool> drained{false};
  std::thread draining([&] { drained = served.server->drain(RawClient::kPatience); });
  BOOST_TEST(await([&] {
    try {
      served.connect();
      return false;
    } catch (const std::system_error&) {
      return true;
    }
  }));
  BOOST_TEST(client.read_response().body.size() == 20u * 1024 * 1024);
  BOOST_TEST(client.ends_silently());
  client.disconnect();
  draining.join();
  BOOST_TEST(drained);
}

BOOST_AUTO_TEST_CASE(drain_cuts_off_requests_that_do_not_finish_in_time) {
  Served served;
  RawClient running = served.connect();
  running.send(get("/gate"));
  BOOST_TEST_REQUIRE(served.gate.await_waiting(1));
  BOOST_TEST(!served.server->drain(milliseconds(100)));
  BOOST_TEST(running.ends_silently());
}

BOOST_AUTO_TEST_CASE(a_second_server_cannot_take_the_same_port) {
  Served served;
  ServerOptions options;
  options.port = served.server->port();
  Server second(std::move(options));
  BOOST_CHECK_THROW(second.start(), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
