// The connection front behind real sockets on loopback: requests, answers, drain.
#include <atomic>
#include <future>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "tests/http/framing_corpus.hpp"
#include "tests/http/served.hpp"

using namespace tideover::http_test;

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

BOOST_AUTO_TEST_CASE(a_client_that_waits_before_its_body_is_refused_by_its_head_alone) {
  const std::string waits = " HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
  Served served;
  RawClient client = served.connect();
  client.send("POST /denied" + waits);
  const RawResponse refused = client.read_response();
  BOOST_TEST(refused.status == 401);
  BOOST_TEST(refused.body == "denied POST");
  BOOST_TEST(refused.header("Connection") == "close");
  client.send(get("/after"));  // may be the body: it is no request
  BOOST_TEST(client.ends_silently());
  BOOST_TEST(served.calls == 0);

  RawClient throws = served.connect();
  throws.send("POST /judge-throws" + waits);
  BOOST_TEST(throws.read_response().status == 100);
  throws.send("hello" + post("/denied", "hello"));  // the second one does not wait: its handler answers
  BOOST_TEST(throws.read_response().body == "POST /judge-throws hello");
  BOOST_TEST(throws.read_response().body == "POST /denied hello");
}

BOOST_AUTO_TEST_CASE(a_head_is_judged_while_other_clients_are_served) {
  ServerOptions options;
  Gate gate;
  options.limits.worker_threads = 2;
  options.handler = tideover::http::at_once([](const Request& request) { return Response{200, {}, request.body}; });
  options.body_limit = [](const Request&) { return std::size_t{1'024}; };
  options.judge_head = [&](const Request&) -> std::optional<Response> {
    gate.pass();
    return std::nullopt;
  };
  options.refuse = [](const Request&, Refusal refusal, std::string_view) {
    return Response{kStatus.at(refusal), {}, {}};
  };
  Server server(std::move(options));
  server.start();
  RawClient waiting(server.port()), other(server.port());
  waiting.send("POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  BOOST_TEST_REQUIRE(gate.await_waiting(1));
  other.send(post("/b", "other"));
  BOOST_TEST(other.read_response().body == "other");
  gate.open();
  BOOST_TEST(waiting.read_response().status == 100);
  waiting.send("hello");
  BOOST_TEST(waiting.read_response().body == "hello");
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

BOOST_AUTO_TEST_CASE(drain_finishes_what_has_begun_and_closes_the_rest) {
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
