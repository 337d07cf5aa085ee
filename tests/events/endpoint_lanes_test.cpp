#include "core/events/endpoint_lanes.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/events/bench.hpp"

using namespace tideover;
using std::chrono::milliseconds;

BOOST_AUTO_TEST_SUITE(endpoint_lanes)

struct Lanes {
  events::EndpointLanes lanes{2};
  domain::WebhookEndpointId one = test::numbered<domain::WebhookEndpointId>(1);
  domain::WebhookEndpointId other = test::numbered<domain::WebhookEndpointId>(2);
  events::EndpointLanes::Instant now{};
};

BOOST_FIXTURE_TEST_CASE(a_full_lane_takes_nothing_more_until_one_ends, Lanes) {
  BOOST_TEST(lanes.begin(one, now));
  BOOST_TEST(lanes.begin(one, now));
  BOOST_TEST(!lanes.begin(one, now));
  BOOST_TEST(lanes.begin(other, now));
  lanes.end(one, 10);
  BOOST_TEST(lanes.begin(one, now));
  lanes.cancel(one);
  BOOST_TEST(lanes.begin(one, now));
}

BOOST_FIXTURE_TEST_CASE(deliveries_behind_a_full_lane_pause_in_their_order, Lanes) {
  lanes.begin(one, now);
  lanes.begin(one, now);
  BOOST_TEST(lanes.pause_ms(one, 0, now) == 20);
  BOOST_TEST(lanes.pause_ms(one, 1, now) == 20);
  BOOST_TEST(lanes.pause_ms(one, 2, now) == 40);
}

BOOST_FIXTURE_TEST_CASE(a_stalled_lane_lengthens_the_pause_up_to_a_minute, Lanes) {
  lanes.begin(one, now);
  lanes.begin(one, now);
  BOOST_TEST(lanes.pause_ms(one, 0, now + milliseconds(3000)) == 3000);
  BOOST_TEST(lanes.pause_ms(one, 200, now + milliseconds(3000)) == 60'000);
}

BOOST_FIXTURE_TEST_CASE(a_lane_learns_how_long_its_tries_take, Lanes) {
  lanes.begin(one, now);
  lanes.begin(one, now);
  lanes.end(one, 1000);
  lanes.begin(one, now);
  BOOST_TEST(lanes.pause_ms(one, 0, now) == 265);
}

BOOST_AUTO_TEST_SUITE_END()
