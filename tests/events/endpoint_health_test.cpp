// When failures disable an endpoint, and what reports it.
#include <boost/test/unit_test.hpp>

#include "tests/events/delivery_bench.hpp"

using namespace tideover;
using test::DeliveryBench;
using test::eventually;
using test::WebhookReceiver;
using Answer = WebhookReceiver::Answer;
using State = ports::Delivery::State;

namespace {

constexpr std::int64_t kFiveDaysS = 432'000;

struct HealthBench : DeliveryBench {
  domain::WebhookEndpoint endpoint() const { return store.state().endpoints.at(0).endpoint; }
  /// Waits until the failure of this attempt is stored with its pause, and lets the pause pass.
  void fail_and_pass(int attempt, std::int64_t pause_s) {
    BOOST_REQUIRE(eventually([&] {
      return !deliveries().empty() && only_delivery().attempts == attempt && !only_delivery().in_progress &&
             ms_until_next_try() == pause_s * 1000;
    }));
    clock.advance_s(pause_s);
  }
  /// Waits until the attempt is stored as failed.
  bool failed_at(int attempt) const {
    return eventually([&] { return only_delivery().attempts == attempt && !only_delivery().in_progress; });
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(endpoint_health)

BOOST_FIXTURE_TEST_CASE(one_answer_of_410_is_a_failure_like_any_other, HealthBench) {
  receiver.script({Answer::with(410)});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  fail_and_pass(1, 5);
  BOOST_TEST(endpoint().health.gone_answers == 1);
  BOOST_REQUIRE(reaches(State::delivered));
  BOOST_TEST(endpoint().enabled);
  BOOST_TEST((endpoint().health == domain::EndpointHealth{}));
}

BOOST_FIXTURE_TEST_CASE(three_answers_of_410_over_a_pause_disable_the_endpoint_and_the_others_receive_it, HealthBench) {
  store.runs_each_unit_twice = true;
  receiver.always(Answer::with(410));
  WebhookReceiver other;
  const auto gone = subscribe(receiver.url());
  subscribe(other.url(), {"webhook.endpoint_disabled"});
  append();
  const auto dispatcher = start();
  fail_and_pass(1, 5);
  fail_and_pass(2, 300);
  BOOST_REQUIRE(eventually([&] { return !endpoint().enabled; }));
  BOOST_TEST((endpoint().disabled_reason == domain::DisabledReason::gone));
  BOOST_TEST((endpoint().disabled_at == clock.now()));
  BOOST_REQUIRE(eventually([&] {
    const std::lock_guard lock(reports_mutex);
    return std::any_of(reports.begin(), reports.end(), [](const auto& report) { return report.endpoint_disabled; });
  }));

  BOOST_REQUIRE(other.wait_for_requests(1));
  const std::string body = other.requests().front().body;
  BOOST_TEST(body.find(R"("event":"webhook.endpoint_disabled")") != std::string::npos, body);
  BOOST_TEST(body.find(gone.text()) != std::string::npos, body);
  BOOST_TEST(body.find(R"("reason":"gone")") != std::string::npos, body);
  BOOST_TEST(endpoint().revision == 1);
  BOOST_TEST(body.find(R"("resource_version":1})") != std::string::npos, body);
  BOOST_REQUIRE(eventually([&] { return deliveries().size() == 2 && deliveries()[1].state == State::delivered; }));
  BOOST_TEST(store.state().log.size() == 2u);  // the event of the test, and one report

  clock.advance_s(1800);
  BOOST_REQUIRE(reaches(State::dead));
  BOOST_TEST(only_delivery().last_error == "the endpoint is disabled");
  BOOST_TEST(receiver.request_count() == 3u);
}

BOOST_FIXTURE_TEST_CASE(answers_of_410_at_one_moment_are_one_fault, HealthBench) {
  receiver.always(Answer::with(410));
  subscribe(receiver.url());
  for (int i = 0; i < 4; ++i) append();
  const auto dispatcher = start();
  BOOST_REQUIRE(eventually([&] { return endpoint().health.gone_answers == 4; }));
  BOOST_TEST(endpoint().enabled);
}

BOOST_FIXTURE_TEST_CASE(another_failure_between_starts_the_count_of_410_again, HealthBench) {
  receiver.script({Answer::with(410), Answer::with(410), Answer::with(500), Answer::with(410)});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  fail_and_pass(1, 5);
  fail_and_pass(2, 300);
  fail_and_pass(3, 1800);
  fail_and_pass(4, 7200);
  BOOST_REQUIRE(reaches(State::delivered));
  BOOST_TEST(endpoint().enabled);
}

BOOST_FIXTURE_TEST_CASE(five_days_of_failures_disable_the_endpoint, HealthBench) {
  delivery_options.retries.delays_s = {0, kFiveDaysS - 1, kFiveDaysS};
  receiver.always(Answer::with(500));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  fail_and_pass(1, kFiveDaysS - 1);
  fail_and_pass(2, kFiveDaysS);
  BOOST_REQUIRE(eventually([&] { return !endpoint().enabled; }));
  BOOST_TEST((endpoint().disabled_reason == domain::DisabledReason::failing));
  BOOST_TEST(receiver.request_count() == 3u);  // a second less than five days was not enough
}

BOOST_FIXTURE_TEST_CASE(a_success_starts_the_five_days_again, HealthBench) {
  delivery_options.retries.delays_s = {0, kFiveDaysS};
  receiver.script({Answer::with(500), Answer::with(200), Answer::with(500)});
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  fail_and_pass(1, kFiveDaysS);
  BOOST_REQUIRE(reaches(State::delivered));
  BOOST_TEST((endpoint().health == domain::EndpointHealth{}));
  append();
  dispatcher->poke();
  BOOST_REQUIRE(eventually([&] { return endpoint().health.failing_since == clock.now(); }));
  BOOST_TEST(endpoint().enabled);
}

BOOST_FIXTURE_TEST_CASE(a_clock_that_may_have_jumped_disables_nothing_by_age, HealthBench) {
  delivery_options.retries.delays_s = {0, kFiveDaysS};
  delivery_options.clock_is_trusted = [] { return false; };
  receiver.always(Answer::with(500));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  fail_and_pass(1, kFiveDaysS);
  BOOST_REQUIRE(reaches(State::dead));
  BOOST_TEST(failed_at(2));
  BOOST_TEST(endpoint().enabled);
}

BOOST_FIXTURE_TEST_CASE(the_age_of_a_tenant_whose_clock_was_moved_counts_without_trust, HealthBench) {
  delivery_options.retries.delays_s = {0, kFiveDaysS};
  delivery_options.clock_is_trusted = [] { return false; };
  clock.shift_to_ms(1);
  receiver.always(Answer::with(500));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(eventually([&] { return !deliveries().empty(); }));
  clock.advance_ms(1);  // this store knows no shift
  BOOST_REQUIRE(failed(1));
  clock.advance_ms(std::int64_t{kFiveDaysS} * 1000 + 1);
  BOOST_REQUIRE(eventually([&] { return !endpoint().enabled; }));
  BOOST_TEST((endpoint().disabled_reason == domain::DisabledReason::failing));
}

BOOST_FIXTURE_TEST_CASE(failures_within_the_least_gap_are_of_one_outage, HealthBench) {
  delivery_options.retries.delays_s = {0};
  delivery_options.least_gap_ms = std::int64_t{86'400'000};
  receiver.always(Answer::with(500));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  BOOST_REQUIRE(reaches(State::dead));
  const auto first_failure = clock.now();
  for (int days = 1; days <= 5; ++days) {
    clock.advance_s(86'400);
    append();
    dispatcher->poke();
    BOOST_REQUIRE(eventually([&] { return endpoint().health.last_failure_at == clock.now(); }));
    BOOST_TEST((endpoint().health.failing_since == first_failure));
  }
  BOOST_REQUIRE(eventually([&] { return !endpoint().enabled; }));
}

BOOST_FIXTURE_TEST_CASE(a_failure_after_a_quiet_period_is_the_first_one_again, HealthBench) {
  delivery_options.retries.delays_s = {0, 60};
  receiver.always(Answer::with(500));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  fail_and_pass(1, 60);
  BOOST_REQUIRE(reaches(State::dead));
  clock.advance_s(2 * kFiveDaysS);
  append();
  dispatcher->poke();
  BOOST_REQUIRE(eventually([&] { return endpoint().health.last_failure_at == clock.now(); }));
  BOOST_TEST((endpoint().health.failing_since == clock.now()));
  BOOST_TEST(endpoint().enabled);
}

BOOST_FIXTURE_TEST_CASE(a_health_that_another_node_changed_is_not_judged, HealthBench) {
  delivery_options.retries.delays_s = {0, kFiveDaysS};
  receiver.always(Answer::with(500));
  subscribe(receiver.url());
  append();
  const auto dispatcher = start();
  fail_and_pass(1, kFiveDaysS);
  BOOST_REQUIRE(reaches(State::dead));
  BOOST_REQUIRE(eventually([&] { return !endpoint().enabled; }));

  // The same again, but a success that another node has recorded meanwhile stands.
  store.change([](test::EventState& state) {
    state.deliveries.clear();
    state.outbox.clear();  // the report about the endpoint goes to it no more
    state.endpoints[0].endpoint.enabled = true;
    state.after_health_read = [](domain::WebhookEndpoint& endpoint) { endpoint.health = {}; };
  });
  append();
  dispatcher->poke();
  BOOST_REQUIRE(eventually([&] { return deliveries().size() >= 1 && only_delivery().last_status == 500; }));
  BOOST_TEST((endpoint().health == domain::EndpointHealth{}));
  BOOST_TEST(endpoint().enabled);
  BOOST_TEST(troubles == 0);
}

BOOST_AUTO_TEST_SUITE_END()
