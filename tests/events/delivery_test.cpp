// The dispatcher against receivers on loopback. Schedules run on a clock that only the tests move.
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <boost/test/unit_test.hpp>

#include <set>

#include "tests/events/delivery_bench.hpp"

using namespace tideover;
using test::DeliveryBench;
using test::eventually;
using test::WebhookReceiver;
using Answer = WebhookReceiver::Answer;
using State = ports::Delivery::State;

namespace {

/// Straight from OpenSSL, so that a receiver's view does not lean on our own crypto.
std::string hmac(const std::string& key, const std::string& message) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(message.data()),
       message.size(), digest, &size);
  return std::string(reinterpret_cast<const char*>(digest), size);
}

std::string hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string base64(const std::string& bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::int64_t elapsed_ms(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since).count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(delivery)

BOOST_FIXTURE_TEST_CASE(a_delivery_carries_both_signatures_over_the_bytes_that_were_sent, DeliveryBench) {
  subscribe(receiver.url("/hook?tenant=1"));
  const auto id = append();
  const auto dispatcher = start();
  BOOST_REQUIRE(reaches(State::delivered));

  const auto requests = receiver.requests();
  BOOST_REQUIRE(requests.size() == 1u);
  auto headers = requests[0].headers;
  BOOST_TEST(requests[0].method == "POST");
  BOOST_TEST(requests[0].target == "/hook?tenant=1");
  BOOST_TEST(requests[0].body == store.state().log.at(0).body);
  BOOST_TEST(headers["content-type"] == "application/json");
  BOOST_TEST(headers["attempt-number"] == "1");
  BOOST_TEST(headers["attempt-type"] == "automatic");
  BOOST_TEST(headers["webhook-id"] == id.text());
  BOOST_TEST(headers.contains("expect") == false);

  const std::string seconds = std::to_string(clock.now().seconds());
  BOOST_TEST(headers["webhook-timestamp"] == seconds);
  BOOST_TEST(headers["service-signature"] ==
             "t=" + seconds + ",v1=" + hex(hmac(test::kSecret, seconds + "." + requests[0].body)));
  std::string key;
  for (char c = 0x61; key.size() < 32; ++c) key += c;
  BOOST_TEST(headers["webhook-signature"] ==
             "v1," + base64(hmac(key, id.text() + "." + seconds + "." + requests[0].body)));
}

BOOST_FIXTURE_TEST_CASE(until_its_overlap_ends_a_previous_secret_signs_too_behind_the_new_one, DeliveryBench) {
  const std::string old_key(32, 'o');
  const std::string old_secret = "whsec_" + base64(old_key);
  subscribe(receiver.url());
  store.change([&](test::EventState& state) {
    state.endpoints[0].endpoint.previous_secrets = {
        {domain::Sensitive<std::string>(old_secret), clock.now().plus_ms(10'000)}};
  });
  const auto id = append();
  const auto dispatcher = start();
  BOOST_REQUIRE(reaches(State::delivered));
  auto request = receiver.requests().at(0);
  const std::string seconds = std::to_string(clock.now().seconds());
  const auto tag = [&](const std::string& secret) { return ",v1=" + hex(hmac(secret, seconds + "." + request.body)); };
  BOOST_TEST(request.headers["service-signature"] == "t=" + seconds + tag(test::kSecret) + tag(old_secret));
  BOOST_TEST(request.headers["webhook-signature"].ends_with(
      " v1," + base64(hmac(old_key, id.text() + "." + seconds + "." + request.body))));

  clock.advance_s(10);
  append();
  dispatcher->poke();
  BOOST_REQUIRE(receiver.wait_for_requests(2));
  request = receiver.requests().at(1);
  const auto later = std::to_string(clock.now().seconds());
  BOOST_TEST(request.headers["service-signature"] ==
             "t=" + later + ",v1=" + hex(hmac(test::kSecret, later + "." + request.body)));
  BOOST_TEST(request.headers["webhook-signature"].find(' ') == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_delivery_shows_its_attempt_while_it_is_in_progress, DeliveryBench) {
  receiver.script({Answer::held()});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  BOOST_TEST(only_delivery().in_progress);
  BOOST_TEST((only_delivery().last_try_at == clock.now()));
  receiver.release();
  BOOST_REQUIRE(reaches(State::delivered));
  BOOST_TEST(!only_delivery().in_progress);
  BOOST_TEST((only_delivery().last_try_at == clock.now()));
}

BOOST_FIXTURE_TEST_CASE(a_try_that_failed_is_repeated_with_the_same_id_and_bytes_and_a_new_signature, DeliveryBench) {
  receiver.script(
      {Answer::closed(), Answer::with(500), Answer::with(302, {"Location: " + receiver.url("/elsewhere")})});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();

  const std::int64_t pauses_s[] = {5, 300, 1800};
  for (int attempt = 1; attempt <= 3; ++attempt) {
    BOOST_REQUIRE(eventually([&] {
      return deliveries().size() == 1 && only_delivery().attempts == attempt &&
             ms_until_next_try() == pauses_s[attempt - 1] * 1000;
    }));
    clock.advance_s(pauses_s[attempt - 1]);
    dispatcher->poke();
  }
  BOOST_REQUIRE(reaches(State::delivered));

  auto requests = receiver.requests();
  BOOST_REQUIRE(requests.size() == 4u);
  std::set<std::string> ids, bodies, signatures, attempts, targets;
  for (auto& request : requests) {
    ids.insert(request.headers["webhook-id"]);
    bodies.insert(request.body);
    signatures.insert(request.headers["service-signature"]);
    attempts.insert(request.headers["attempt-number"]);
    targets.insert(request.target);
  }
  BOOST_TEST(ids.size() == 1u);
  BOOST_TEST(bodies.size() == 1u);
  BOOST_TEST(signatures.size() == 4u);
  BOOST_TEST((attempts == std::set<std::string>{"1", "2", "3", "4"}));
  BOOST_TEST((targets == std::set<std::string>{"/hook"}));  // the redirect was not followed
  BOOST_TEST(only_delivery().last_status == 200);
  BOOST_TEST(only_delivery().last_error == "");
}

BOOST_FIXTURE_TEST_CASE(retry_after_is_honoured_on_429_and_503_and_on_nothing_else, DeliveryBench) {
  receiver.script({Answer::with(429, {"Retry-After: 120"}), Answer::with(503, {"Retry-After: 600"}),
                   Answer::with(500, {"Retry-After: 40000"})});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  const std::int64_t pauses_s[] = {120, 600, 1800};
  for (int attempt = 1; attempt <= 3; ++attempt) {
    BOOST_REQUIRE(eventually([&] {
      return deliveries().size() == 1 && only_delivery().attempts == attempt &&
             ms_until_next_try() == pauses_s[attempt - 1] * 1000;
    }));
    clock.advance_s(pauses_s[attempt - 1]);
  }
  BOOST_TEST(reaches(State::delivered));
}

BOOST_FIXTURE_TEST_CASE(deliveries_waiting_for_a_disabled_or_removed_endpoint_end_unsent, DeliveryBench) {
  const auto dispatcher = std::make_unique<events::Dispatcher>(store, clock, new_ids, delivery_options);
  events::Publisher publisher(store, clock, delivery_options);
  subscribe(receiver.url("/disabled"));
  subscribe(receiver.url("/removed"));
  append();
  BOOST_REQUIRE(bool(publisher.publish_batch()));
  store.change([](test::EventState& state) {
    state.endpoints[0].endpoint.enabled = false;
    state.endpoints.pop_back();
  });
  dispatcher->start();
  BOOST_REQUIRE(eventually([&] {
    const auto all = deliveries();
    return all[0].state == State::dead && all[1].state == State::dead;
  }));
  BOOST_TEST(deliveries()[0].last_error == "the endpoint is disabled");
  BOOST_TEST(deliveries()[1].last_error == "the endpoint was removed");
  BOOST_TEST(receiver.requests().empty());
}

BOOST_FIXTURE_TEST_CASE(after_its_last_try_a_delivery_is_dead, DeliveryBench) {
  delivery_options.retries.delays_s = {0, 60, 540};
  receiver.always(Answer::with(500));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(failed(1));
  clock.advance_s(60);
  BOOST_REQUIRE(eventually([&] { return only_delivery().attempts == 2 && ms_until_next_try() == 540'000; }));
  clock.advance_s(540);
  BOOST_REQUIRE(reaches(State::dead));
  BOOST_TEST(only_delivery().attempts == 3);
  BOOST_TEST(only_delivery().last_status == 500);
  BOOST_REQUIRE(eventually([&] {
    const std::lock_guard lock(reports_mutex);
    return reports.size() == 3;
  }));
  BOOST_TEST((last_report().outcome == events::DeliveryReport::Outcome::dead));
  BOOST_TEST(receiver.request_count() == 3u);
}

BOOST_FIXTURE_TEST_CASE(an_event_sent_by_a_node_that_died_before_marking_it_is_sent_again, DeliveryBench) {
  receiver.script({Answer::held()});
  subscribe(receiver.url());
  append();
  auto first_node = start();
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  store.unreachable = true;  // nothing that the first node learns reaches the store any more
  receiver.release();
  first_node.reset();
  store.unreachable = false;
  BOOST_TEST((only_delivery().state == State::waiting));
  BOOST_TEST(only_delivery().attempts == 1);

  const auto second_node = start();
  clock.advance_ms(ms_until_next_try() - 1);  // the lease still holds
  append("claim.status_changed");
  second_node->poke();
  BOOST_REQUIRE(receiver.wait_for_requests(2));
  BOOST_TEST(receiver.requests()[1].headers.at("webhook-id") != receiver.requests()[0].headers.at("webhook-id"));

  clock.advance_ms(1);
  second_node->poke();
  BOOST_REQUIRE(receiver.wait_for_requests(3));
  auto requests = receiver.requests();
  BOOST_TEST(requests[2].headers["webhook-id"] == requests[0].headers["webhook-id"]);
  BOOST_TEST(requests[2].body == requests[0].body);
  BOOST_TEST(requests[2].headers["attempt-number"] == "2");
  BOOST_TEST(eventually([&] { return all_delivered(); }));
}

BOOST_FIXTURE_TEST_CASE(a_last_try_that_was_interrupted_ends_dead_and_says_so, DeliveryBench) {
  delivery_options.retries.delays_s = {0};
  delivery_options.stop_grace_ms = 0;
  receiver.script({Answer::held()});
  subscribe(receiver.url());
  append();
  {
    const auto node = start();
    BOOST_REQUIRE(receiver.wait_for_requests(1));
  }
  clock.advance_s(3600);
  const auto dispatcher = start();
  BOOST_REQUIRE(reaches(State::dead));
  BOOST_TEST(only_delivery().last_error.find("interrupted") != std::string::npos);
  BOOST_TEST(receiver.request_count() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_delivery_with_more_attempts_than_its_schedule_ends_and_says_so, DeliveryBench) {
  events::Publisher publisher(store, clock, delivery_options);
  subscribe(receiver.url());
  append();
  BOOST_REQUIRE(bool(publisher.publish_batch()));
  store.change([](test::EventState& state) { state.deliveries[0].attempts = 4; });
  delivery_options.retries.delays_s = {0, 60, 540};
  const auto dispatcher = start();
  BOOST_REQUIRE(reaches(State::dead));
  BOOST_TEST(only_delivery().last_error == "the retry schedule has no further attempt");
  BOOST_TEST(receiver.requests().empty());
}

BOOST_FIXTURE_TEST_CASE(the_outcome_of_an_attempt_before_a_retry_is_not_that_of_the_attempt_after_it, DeliveryBench) {
  receiver.script({Answer::held()});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  // Its lease ended, a client started it again, and another node has claimed its first attempt.
  const auto lease_end = clock.now().plus_ms(3'600'000);
  store.change([&](test::EventState& state) {
    state.deliveries[0].manual = true;
    state.deliveries[0].next_try_at = lease_end;
    state.deliveries[0].revision += 2;
  });
  receiver.release();
  append("claim.status_changed");
  dispatcher->poke();
  BOOST_REQUIRE(eventually([&] { return deliveries().size() == 2 && deliveries()[1].state == State::delivered; }));
  dispatcher->stop();  // it has recorded all outcomes
  BOOST_TEST((only_delivery().state == State::waiting));
  BOOST_TEST(only_delivery().in_progress);
  BOOST_TEST((only_delivery().next_try_at == lease_end));
}

BOOST_FIXTURE_TEST_CASE(a_delivery_whose_event_is_no_longer_kept_ends_dead, DeliveryBench) {
  events::Publisher publisher(store, clock, delivery_options);
  subscribe(receiver.url());
  append();
  BOOST_REQUIRE(bool(publisher.publish_batch()));
  store.change([](test::EventState& state) { state.log.clear(); });
  const auto dispatcher = start();
  BOOST_REQUIRE(reaches(State::dead));
  BOOST_TEST(only_delivery().last_error == "the event has expired");
}

BOOST_FIXTURE_TEST_CASE(a_publisher_that_lost_a_race_to_another_node_retries_at_once, DeliveryBench) {
  delivery_options.poll_ms = 60'000;
  store.conflicts_to_come = 3;
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(eventually([&] { return store.state().log.size() == 1; }));
  BOOST_TEST(store.conflicts_to_come == 0);
  BOOST_TEST(troubles == 0);
  BOOST_TEST(reaches(State::delivered));  // the deliverer was notified, it does not wait for its poll
}

BOOST_FIXTURE_TEST_CASE(an_outcome_that_the_store_could_not_take_is_written_when_it_is_back, DeliveryBench) {
  receiver.script({Answer::held()});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  store.unreachable = true;
  receiver.release();
  BOOST_REQUIRE(eventually([&] { return troubles > 3; }));
  BOOST_TEST((only_delivery().state == State::waiting));
  store.unreachable = false;
  BOOST_REQUIRE(reaches(State::delivered));
  BOOST_TEST(receiver.request_count() == 1u);
}

BOOST_FIXTURE_TEST_CASE(two_nodes_send_each_event_once_and_number_them_without_gaps, DeliveryBench) {
  subscribe(receiver.url());
  for (int i = 0; i < 100; ++i) append();
  const auto one = start();
  const auto other = start();
  BOOST_REQUIRE(eventually([&] {
    clock.advance_ms(10);
    return deliveries().size() == 100 && all_delivered();
  }));
  std::set<std::string> ids;
  for (const auto& request : receiver.requests()) ids.insert(request.headers.at("webhook-id"));
  BOOST_TEST(ids.size() == 100u);
  BOOST_TEST(receiver.request_count() == 100u);
  std::set<std::int64_t> sequences;
  for (const auto& event : store.state().log) sequences.insert(event.sequence);
  BOOST_TEST(published == 100u);
  BOOST_TEST(sequences.size() == 100u);
  BOOST_TEST(*sequences.rbegin() == 100);
}

BOOST_FIXTURE_TEST_CASE(one_tarpit_among_a_hundred_endpoints_delays_no_other, DeliveryBench) {
  WebhookReceiver tarpit;
  tarpit.always(Answer::held());
  subscribe(tarpit.url());
  // The tarpit has far more waiting than one look at the queue sees, all of it older than that of other endpoints.
  for (int i = 0; i < 1000; ++i) append("claim.status_changed");
  const auto dispatcher = start();
  BOOST_REQUIRE(tarpit.wait_for_requests(5));
  BOOST_REQUIRE(eventually([&] { return store.state().outbox.empty(); }));

  for (int i = 0; i < 99; ++i) subscribe(receiver.url("/hook/" + std::to_string(i)), {"reconciliation.posted"});
  clock.advance_s(1);
  const auto began = std::chrono::steady_clock::now();
  append("reconciliation.posted");
  dispatcher->poke();
  BOOST_REQUIRE(receiver.wait_for_requests(99));
  BOOST_TEST(elapsed_ms(began) <
             5000);  // a third of one try's time-out, and the tarpit's 1001 tries would take 50 minutes
  BOOST_TEST(tarpit.request_count() == 5u);
  tarpit.release();
}

BOOST_FIXTURE_TEST_CASE(a_burst_for_one_endpoint_has_at_most_five_tries_under_way_and_all_arrives, DeliveryBench) {
  receiver.always(Answer::held());
  subscribe(receiver.url());
  for (int i = 0; i < 300; ++i) append();
  const auto dispatcher = start();
  BOOST_REQUIRE(receiver.wait_for_requests(5));
  BOOST_REQUIRE(eventually([&] { return deliveries().size() == 300; }));
  BOOST_TEST(receiver.request_count() == 5u);
  receiver.release();
  BOOST_REQUIRE(eventually([&] {
    clock.advance_ms(20);
    return all_delivered();
  }));
  BOOST_TEST(receiver.request_count() == 300u);
}

BOOST_FIXTURE_TEST_CASE(a_receiver_that_never_answers_fails_its_try_at_the_time_out, DeliveryBench) {
  delivery_options.timeout_ms = 200;
  receiver.always(Answer::held());
  subscribe(receiver.url());
  append();
  const auto began = std::chrono::steady_clock::now();
  const auto dispatcher = start();
  BOOST_REQUIRE(failed(1));
  BOOST_TEST(elapsed_ms(began) >= 190);
  BOOST_TEST(only_delivery().last_status == 0);
  BOOST_TEST(only_delivery().last_error.find("timed out") != std::string::npos, only_delivery().last_error);
  receiver.release();
}

BOOST_FIXTURE_TEST_CASE(of_an_answer_of_ten_megabytes_no_more_than_64_kib_is_read, DeliveryBench) {
  receiver.always(Answer::huge(10'000'000));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(reaches(State::delivered));  // the 200 in its head counts
  // What the kernel's socket buffers swallow is not read by us; the whole answer never gets through.
  BOOST_TEST(receiver.body_bytes_written() < 8'000'000u);
}

BOOST_FIXTURE_TEST_CASE(a_response_head_without_end_is_cut_off, DeliveryBench) {
  Answer endless = Answer::with(200);
  for (int i = 0; i < 2000; ++i)
    endless.headers.push_back("X-Filler-" + std::to_string(i) + ": " + std::string(60, 'f'));
  receiver.always(endless);
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(failed(1));
  BOOST_TEST(only_delivery().last_error == "the response head is longer than 64 KiB");
}

BOOST_FIXTURE_TEST_CASE(loopback_is_refused_unless_it_is_allowed, DeliveryBench) {
  delivery_options.egress.allow_loopback_http = false;
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(failed(1));
  BOOST_TEST(only_delivery().last_error.find("this machine") != std::string::npos, only_delivery().last_error);
  BOOST_TEST(receiver.requests().empty());
}

BOOST_FIXTURE_TEST_CASE(an_unreadable_secret_fails_the_try_and_sends_nothing_unsigned, DeliveryBench) {
  subscribe(receiver.url());
  store.change(
      [](test::EventState& state) { state.endpoints[0].endpoint.secret = domain::Sensitive<std::string>("whsec_?"); });
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(failed(1));
  BOOST_TEST(only_delivery().last_error.find("secret") != std::string::npos);
  BOOST_TEST(ms_until_next_try() == 5000);
  BOOST_TEST(receiver.requests().empty());
}

BOOST_FIXTURE_TEST_CASE(stopping_gives_tries_under_way_their_grace_and_no_more, DeliveryBench) {
  delivery_options.stop_grace_ms = 300;
  receiver.always(Answer::held());
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  const auto began = std::chrono::steady_clock::now();
  dispatcher->stop();
  BOOST_TEST(elapsed_ms(began) >= 250);
  BOOST_TEST(elapsed_ms(began) < 2000);
  BOOST_TEST((only_delivery().state == State::waiting));  // its lease brings it back
  receiver.release();
}

BOOST_FIXTURE_TEST_CASE(a_try_that_ends_within_the_grace_is_still_recorded, DeliveryBench) {
  delivery_options.stop_grace_ms = 10'000;
  receiver.always(Answer::held());
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(receiver.wait_for_requests(1));
  std::thread stopping([&] { dispatcher->stop(); });
  receiver.release();
  stopping.join();
  BOOST_TEST((only_delivery().state == State::delivered));
}

BOOST_FIXTURE_TEST_CASE(stopping_twice_or_before_the_start_is_harmless, DeliveryBench) {
  events::Dispatcher never_started(store, clock, new_ids, delivery_options);
  never_started.stop();
  const auto dispatcher = start();
  dispatcher->stop();
  dispatcher->stop();
  BOOST_TEST(receiver.requests().empty());
}

BOOST_AUTO_TEST_SUITE_END()
