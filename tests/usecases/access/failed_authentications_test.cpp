// How long wrong secrets wait, and that nothing else does.
#include <boost/test/unit_test.hpp>

#include <string>

#include "core/usecases/access/failed_authentications.hpp"

using namespace tideover;
using usecases::FailedAuthentications;

namespace {

struct Bench {
  const std::string client = "cli_01M7WNTFJ00000000000000001", other = "cli_01M7WNTFJ00000000000000002";
  FailedAuthentications failures{{3, 8}};

  int fails(const std::string& id, std::int64_t at_ms) {
    return failures.failed(id, domain::Timestamp::from_ms(1'000'000 + at_ms));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(failed_authentications, Bench)

BOOST_AUTO_TEST_CASE(the_first_failures_do_not_wait_and_later_waits_double_up_to_the_longest) {
  for (int i = 0; i < 3; ++i) BOOST_TEST(fails(client, 0) == 0);
  BOOST_TEST(fails(client, 0) == 1);
  BOOST_TEST(fails(client, 1000) == 2);
  BOOST_TEST(fails(client, 3000) == 4);
  BOOST_TEST(fails(client, 7000) == 8);
  BOOST_TEST(fails(client, 15'000) == 8);
  BOOST_TEST(fails(client, 23'000) == 8);
}

BOOST_AUTO_TEST_CASE(a_failure_during_a_wait_gets_the_rest_of_it_and_does_not_prolong_it) {
  for (int i = 0; i < 5; ++i) fails(client, 0);
  BOOST_TEST(fails(client, 900) == 1);
  BOOST_TEST(fails(client, 1000) == 2);
  for (int i = 0; i < 100; ++i) BOOST_TEST(fails(client, 1001) == 2);
  BOOST_TEST(fails(client, 2500) == 1);
  BOOST_TEST(fails(client, 3000) == 4);
}

BOOST_AUTO_TEST_CASE(failures_are_forgotten_after_a_quiet_time) {
  for (int i = 0; i < 4; ++i) fails(client, 0);
  BOOST_TEST(fails(client, 1000 + 8001) == 0);
}

BOOST_AUTO_TEST_CASE(ids_do_not_affect_each_other) {
  for (int i = 0; i < 10; ++i) fails(client, 0);
  BOOST_TEST(fails(other, 0) == 0);
  for (int i = 0; i < 3; ++i) BOOST_TEST(fails("x", 0) == 0);
  BOOST_TEST(fails("x", 0) == 1);
  BOOST_TEST(fails(other, 0) == 0);
}

BOOST_AUTO_TEST_CASE(zero_allowed_failures_turn_the_waits_off) {
  FailedAuthentications off{{0, 8}};
  for (int i = 0; i < 100; ++i) BOOST_TEST(off.failed(client, domain::Timestamp::from_ms(1)) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
