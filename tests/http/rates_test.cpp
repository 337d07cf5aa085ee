// Token buckets and the limits of clients and tenants, with instants of the test instead of a clock.
#include <boost/test/unit_test.hpp>

#include <vector>

#include "core/http/rates/rate_limiter.hpp"

using namespace tideover::http;
using namespace tideover;
using std::chrono::milliseconds;

namespace {

TokenBucket::Time at(int ms) {
  return TokenBucket::Time(std::chrono::hours(1) + milliseconds(ms));
}

struct Take {
  int at_ms;
  bool allowed;
  int remaining;
  int wait_ms;
};

domain::Caller caller(const std::string& client, const std::string& tenant) {
  domain::Caller made;
  made.client = domain::ClientId::trusted(client);
  made.tenant = domain::TenantId::trusted(tenant);
  return made;
}

RateLimits writes(int per_second, int burst, int in_flight = 0) {
  RateLimits limits;
  limits.rates[static_cast<std::size_t>(RateClass::write)] = {per_second, burst};
  limits.in_flight = in_flight;
  return limits;
}

std::string reason_of(const domain::Error& error) {
  return error.details.empty() ? "" : error.details.front().second;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_rates)

BOOST_AUTO_TEST_CASE(a_bucket_empties_by_requests_and_fills_with_time) {
  const Rate rate{10, 3};
  const std::vector<Take> table{{0, true, 2, 0},    {0, true, 1, 0},    {0, true, 0, 0},      {0, false, 0, 100},
                                {60, false, 0, 40}, {100, true, 0, 0},  {100, false, 0, 100}, {250, true, 0, 0},
                                {300, true, 0, 0},  {1000, true, 2, 0}, {9000, true, 2, 0}};
  TokenBucket bucket;
  for (const Take& take : table) {
    BOOST_TEST_CONTEXT("at " << take.at_ms << " ms") {
      const auto taken = bucket.take(rate, at(take.at_ms));
      BOOST_TEST(taken.allowed == take.allowed);
      BOOST_TEST(taken.remaining == take.remaining);
      BOOST_TEST((taken.wait == milliseconds(take.wait_ms)));
    }
  }
}

BOOST_AUTO_TEST_CASE(without_a_burst_a_bucket_holds_the_tokens_of_one_second) {
  BOOST_TEST((Rate{50, 0}).capacity() == 50);
  BOOST_TEST((Rate{50, 10}).capacity() == 10);
  BOOST_TEST(!(Rate{0, 10}).limits());
}

BOOST_AUTO_TEST_CASE(a_token_that_is_given_back_can_be_taken_again) {
  const Rate rate{1, 1};
  TokenBucket bucket;
  BOOST_TEST(bucket.take(rate, at(0)).allowed);
  BOOST_TEST(!bucket.is_full(at(0)));
  bucket.give_back(rate);
  BOOST_TEST(bucket.is_full(at(0)));
  BOOST_TEST(bucket.take(rate, at(0)).allowed);
}

BOOST_AUTO_TEST_CASE(the_memory_of_keys_is_bounded) {
  KeyedBuckets buckets(Rate{1, 2});
  const std::size_t most = KeyedBuckets::kShards * KeyedBuckets::kMostPerShard;
  for (std::size_t i = 0; i < 2 * most; ++i) buckets.take(std::to_string(i), at(0));
  BOOST_TEST(buckets.size() <= most);
}

BOOST_AUTO_TEST_CASE(full_buckets_are_removed_before_others) {
  KeyedBuckets buckets(Rate{1, 2});
  const std::size_t most = KeyedBuckets::kShards * KeyedBuckets::kMostPerShard;
  for (std::size_t i = 0; i < most / 10 * 9; ++i) buckets.take("old " + std::to_string(i), at(0));
  for (int i = 0; i < 2; ++i) BOOST_TEST(buckets.take("empty", at(10'000)).allowed);
  for (std::size_t i = 0; i < most / 2; ++i) buckets.take("new " + std::to_string(i), at(10'000));
  BOOST_TEST(buckets.size() < most);
  BOOST_TEST(!buckets.take("empty", at(10'000)).allowed);
}

BOOST_AUTO_TEST_CASE(clients_and_classes_have_buckets_of_their_own) {
  RateLimiter limiter(writes(1, 1), {});
  RateReport report;
  BOOST_TEST(bool(limiter.take(RateClass::write, caller("a", "t"), at(0), report)));
  BOOST_TEST(!limiter.take(RateClass::write, caller("a", "t"), at(0), report));
  BOOST_TEST(bool(limiter.take(RateClass::write, caller("b", "t"), at(0), report)));
  BOOST_TEST(bool(limiter.take(RateClass::read, caller("a", "t"), at(0), report)));
  BOOST_TEST(bool(limiter.take(RateClass::write, caller("a", "t"), at(1000), report)));
}

BOOST_AUTO_TEST_CASE(the_report_has_policy_and_state_of_client_and_tenant) {
  RateLimiter limiter(writes(50, 100), writes(200, 0));
  RateReport report;
  BOOST_TEST(bool(limiter.take(RateClass::write, caller("a", "t"), at(0), report)));
  BOOST_TEST(report.policy == R"("write";q=50;w=1, "tenant-write";q=200;w=1)");
  BOOST_TEST(report.state == R"("write";r=99;t=1, "tenant-write";r=199;t=1)");
  RateReport other;
  BOOST_TEST(bool(limiter.take(RateClass::confirm, caller("a", "t"), at(0), other)));
  BOOST_TEST(other.policy == "");
  BOOST_TEST(other.state == "");
}

BOOST_AUTO_TEST_CASE(a_refusal_says_why_and_when_to_come_back) {
  RateLimiter limiter(writes(1, 2), {});
  RateReport report;
  for (int i = 0; i < 2; ++i) BOOST_TEST(bool(limiter.take(RateClass::write, caller("a", "t"), at(0), report)));
  report = {};
  const auto refused = limiter.take(RateClass::write, caller("a", "t"), at(0), report);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == domain::ErrorCode::rate_limited));
  BOOST_TEST(reason_of(refused.error()) == "rate");
  BOOST_TEST(refused.error().retry_after_s.value() == 1);
  BOOST_TEST(report.state == R"("write";r=0;t=2)");
}

BOOST_AUTO_TEST_CASE(a_request_beyond_the_limit_of_the_tenant_costs_its_client_no_token) {
  RateLimiter limiter(writes(1, 2), writes(1, 1));
  RateReport report;
  BOOST_TEST(bool(limiter.take(RateClass::write, caller("a", "t"), at(0), report)));
  for (int i = 0; i < 5; ++i) BOOST_TEST(!limiter.take(RateClass::write, caller("b", "t"), at(0), report));
  BOOST_TEST(bool(limiter.take(RateClass::write, caller("b", "other"), at(0), report)));
  BOOST_TEST(bool(limiter.take(RateClass::write, caller("b", "third"), at(0), report)));
  BOOST_TEST(!limiter.take(RateClass::write, caller("b", "fourth"), at(0), report));
}

BOOST_AUTO_TEST_CASE(requests_in_flight_are_bounded_until_they_end) {
  RateLimiter limiter(writes(0, 0, 1), writes(0, 0, 2));
  auto first = limiter.enter(caller("a", "t"));
  BOOST_TEST(bool(first));
  const auto second = limiter.enter(caller("a", "t"));
  BOOST_REQUIRE(!second);
  BOOST_TEST(reason_of(second.error()) == "concurrency");
  BOOST_TEST(second.error().retry_after_s.value() == 1);
  const auto other = limiter.enter(caller("b", "t"));
  BOOST_TEST(bool(other));
  BOOST_TEST(!limiter.enter(caller("c", "t")));
  *first = RateLimiter::Lease();
  const auto third = limiter.enter(caller("c", "t"));
  BOOST_TEST(bool(third));
}

BOOST_AUTO_TEST_CASE(token_requests_count_by_client) {
  RateLimits limits;
  limits.rates[static_cast<std::size_t>(RateClass::token)] = {1, 1};
  RateLimiter limiter(limits, {});
  RateReport report;
  const auto one = domain::ClientId::trusted("one"), two = domain::ClientId::trusted("two");
  BOOST_TEST(bool(limiter.take_token(one, at(0), report)));
  BOOST_TEST(!limiter.take_token(one, at(0), report));
  BOOST_TEST(bool(limiter.take_token(two, at(0), report)));
}

BOOST_AUTO_TEST_SUITE_END()
