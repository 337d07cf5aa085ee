// Secrets of an endpoint during a rotation, and when its failures disable it.
#include "core/domain/operations/webhook_endpoint.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

constexpr Timestamp kNow = Timestamp::from_ms(1'800'000'000'000);

std::string secrets_of(const WebhookEndpoint& endpoint) {
  std::string text = endpoint.secret.reveal();
  for (const auto& previous : endpoint.previous_secrets)
    text += ' ' + previous.secret.reveal() + '@' + std::to_string(previous.until.ms() - kNow.ms());
  return text;
}

WebhookEndpoint with_secret(const char* secret) {
  WebhookEndpoint endpoint;
  endpoint.secret = Sensitive<std::string>(secret);
  return endpoint;
}

EndpointHealth after(std::initializer_list<std::pair<AttemptResult, std::int64_t>> attempts,
                     const DisablePolicy& policy = {}) {
  EndpointHealth health;
  for (const auto& [result, at_ms] : attempts) health = health_after(health, result, kNow.plus_ms(at_ms), policy);
  return health;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(webhook_endpoint)

BOOST_AUTO_TEST_CASE(a_rotated_secret_signs_until_its_overlap_ends) {
  auto endpoint = with_secret("a");
  rotate_secret(endpoint, "b", 60, kNow);
  BOOST_TEST(secrets_of(endpoint) == "b a@60000");
  rotate_secret(endpoint, "c", 3600, kNow.plus_ms(1));  // the answer with b was lost: a must still sign
  BOOST_TEST(secrets_of(endpoint) == "c b@3600001 a@60000");
  rotate_secret(endpoint, "d", 1, kNow.plus_ms(60'000));
  BOOST_TEST(secrets_of(endpoint) == "d c@61000 b@3600001");
}

BOOST_AUTO_TEST_CASE(a_rotation_without_overlap_ends_all_earlier_secrets) {
  auto endpoint = with_secret("a");
  rotate_secret(endpoint, "b", 60, kNow);
  rotate_secret(endpoint, "c", 0, kNow);
  BOOST_TEST(secrets_of(endpoint) == "c");
}

BOOST_AUTO_TEST_CASE(secrets_that_cannot_be_read_end_with_the_rotation) {
  auto endpoint = with_secret("");
  endpoint.secret_fault = DecryptionFault::damaged;
  rotate_secret(endpoint, "b", 60, kNow);
  BOOST_TEST(secrets_of(endpoint) == "b");
  BOOST_TEST(!endpoint.secret_fault);
}

BOOST_AUTO_TEST_CASE(expired_secrets_are_dropped) {
  auto endpoint = with_secret("a");
  rotate_secret(endpoint, "b", 60, kNow);
  rotate_secret(endpoint, "c", 30, kNow);
  drop_expired_secrets(endpoint, kNow.plus_ms(29'999));
  BOOST_TEST(secrets_of(endpoint) == "c b@30000 a@60000");
  drop_expired_secrets(endpoint, kNow.plus_ms(30'000));
  BOOST_TEST(secrets_of(endpoint) == "c a@60000");
}

BOOST_AUTO_TEST_CASE(the_number_of_signatures_is_bounded) {
  auto endpoint = with_secret("a");
  for (const char* next : {"b", "c", "d", "e"}) rotate_secret(endpoint, next, 60, kNow);
  BOOST_TEST(secrets_of(endpoint) == "e d@60000 c@60000 b@60000");
}

BOOST_AUTO_TEST_CASE(failures_without_a_success_disable_after_their_time) {
  using enum AttemptResult;
  const DisablePolicy policy{1000, 3, 100};
  const auto health = after({{failed, 0}, {failed, 500}});
  BOOST_TEST((health.failing_since == kNow));
  BOOST_TEST(!reason_to_disable(health, kNow.plus_ms(999), policy));
  BOOST_TEST((reason_to_disable(health, kNow.plus_ms(1000), policy) == DisabledReason::failing));
  BOOST_TEST((after({{failed, 0}, {gone, 1}, {delivered, 2}}) == EndpointHealth{}));
}

BOOST_AUTO_TEST_CASE(a_failure_after_a_longer_pause_than_that_of_a_retry_is_the_first_one_again) {
  using enum AttemptResult;
  DisablePolicy policy;
  policy.longest_gap_ms = 100;
  BOOST_TEST((after({{failed, 0}, {failed, 100}, {gone, 200}}, policy).failing_since == kNow));
  BOOST_TEST((after({{failed, 0}, {failed, 100}, {failed, 201}}, policy).failing_since == kNow.plus_ms(201)));
  // An earlier version stored no last failure.
  EndpointHealth stored;
  stored.failing_since = kNow;
  BOOST_TEST((health_after(stored, failed, kNow.plus_ms(100), policy).failing_since == kNow));
  BOOST_TEST((health_after(stored, failed, kNow.plus_ms(101), policy).failing_since == kNow.plus_ms(101)));
}

BOOST_AUTO_TEST_CASE(answers_of_410_disable_when_they_are_three_in_a_row_and_apart) {
  using enum AttemptResult;
  const DisablePolicy policy{1'000'000, 3, 100};
  const auto reason = [&](std::initializer_list<std::pair<AttemptResult, std::int64_t>> attempts) {
    return reason_to_disable(after(attempts), kNow.plus_ms(std::prev(attempts.end())->second), policy);
  };
  BOOST_TEST((reason({{gone, 0}, {gone, 50}, {gone, 100}}) == DisabledReason::gone));
  BOOST_TEST(!reason({{gone, 0}, {gone, 50}, {gone, 99}}));
  BOOST_TEST(!reason({{gone, 0}, {gone, 500}}));
  BOOST_TEST(!reason({{gone, 0}, {gone, 50}, {failed, 100}, {gone, 150}}));
}

BOOST_AUTO_TEST_CASE(reasons_have_names) {
  for (const auto reason : {DisabledReason::failing, DisabledReason::gone, DisabledReason::requested})
    BOOST_TEST((disabled_reason_named(name_of(reason)) == reason));
  BOOST_TEST(!disabled_reason_named("nonsense"));
}

BOOST_AUTO_TEST_SUITE_END()
