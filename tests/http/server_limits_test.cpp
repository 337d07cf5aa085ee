// The limits of the connection front: deadlines, queues, connections and memory under slow, idle and vanishing clients.
#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/http/served.hpp"

using namespace tideover::http_test;

BOOST_AUTO_TEST_SUITE(http_server_limits)

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

BOOST_AUTO_TEST_CASE(the_memory_of_an_answer_is_released_when_the_client_leaves) {
  Served served;
  {
    RawClient leaver = served.connect();
    leaver.send(get("/big"));
    BOOST_TEST(await([&] { return served.server->unsent().bytes > 0; }));
  }
  BOOST_TEST(await([&] { return served.server->unsent().bytes == 0; }));
}

BOOST_AUTO_TEST_CASE(the_memory_of_a_body_is_released_when_the_client_leaves) {
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

BOOST_AUTO_TEST_CASE(clients_that_vanish_at_any_byte_do_no_harm) {
  Served served;
  const std::string request = post("/a", "hello");
  for (std::size_t cut = 0; cut <= request.size(); ++cut) served.connect().send(request.substr(0, cut));
  RawClient client = served.connect();
  client.send(get("/b"));
  BOOST_TEST(client.read_response().body == "GET /b ");
}

BOOST_AUTO_TEST_SUITE_END()
