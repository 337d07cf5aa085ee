// The thread of the background jobs.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <stdexcept>
#include <string>

#include "core/jobs/periodic.hpp"

using tideover::jobs::Periodic;
using namespace std::chrono_literals;

namespace {

constexpr auto kDeadline = 20s;

void no_trouble(std::string_view problem) {
  BOOST_ERROR("trouble: " << problem);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(periodic)

BOOST_AUTO_TEST_CASE(it_works_on_while_there_is_more_to_do) {
  int rounds = 0;
  std::promise<void> done;
  Periodic job(
      1h,
      [&](const Periodic&) {
        if (++rounds == 3) done.set_value();
        return rounds < 3;
      },
      no_trouble);
  job.start();
  BOOST_TEST((done.get_future().wait_for(kDeadline) == std::future_status::ready));
  job.stop();
  BOOST_TEST(rounds == 3);
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_work_is_reported_and_the_next_round_runs) {
  int rounds = 0;
  std::string reported;
  std::promise<void> done;
  Periodic job(
      1ms,
      [&](const Periodic&) -> bool {
        switch (++rounds) {
          case 1:
            throw std::runtime_error("no space");
          case 2:
            throw 1;
          case 3:
            done.set_value();
        }
        return false;
      },
      [&](std::string_view problem) { reported += std::string(problem) + ";"; });
  job.start();
  BOOST_TEST((done.get_future().wait_for(kDeadline) == std::future_status::ready));
  job.stop();
  BOOST_TEST(reported == "no space;unknown exception;");
}

BOOST_AUTO_TEST_CASE(asked_to_stop_it_does_so_after_the_round_under_way) {
  std::promise<void> begun;
  std::promise<void> may_end;
  int rounds = 0;
  Periodic job(
      1h,
      [&](const Periodic&) {
        begun.set_value();
        may_end.get_future().wait();
        ++rounds;
        return true;
      },
      no_trouble);
  job.start();
  BOOST_REQUIRE((begun.get_future().wait_for(kDeadline) == std::future_status::ready));
  job.ask_to_stop();
  BOOST_TEST(job.stopping());
  may_end.set_value();
  job.stop();
  BOOST_TEST(rounds == 1);
}

BOOST_AUTO_TEST_SUITE_END()
