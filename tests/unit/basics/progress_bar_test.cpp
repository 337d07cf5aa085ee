// How far a command is with its file, and how long the rest takes.
#include "core/admin/progress_bar.hpp"

#include <boost/test/unit_test.hpp>

using tideover::admin::progress_line;

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(part_rate_and_time_left_are_shown) {
  BOOST_TEST(progress_line(50'000'000, 200'000'000, 20, "7 accepted") ==
             "\r[#######                       ]  25%  2.5 MB/s  1:00 left  7 accepted");
  BOOST_TEST(progress_line(200'000'000, 200'000'000, 80, "") ==
             "\r[##############################] 100%  2.5 MB/s  0:00 left  ");
}

BOOST_AUTO_TEST_CASE(no_time_is_estimated_before_the_start_and_an_excess_shows_as_done) {
  BOOST_TEST(progress_line(0, 1'000, 5, "") == "\r[                              ]   0%  0.0 MB/s  0:00 left  ");
  BOOST_TEST(progress_line(0, 0, 0, "") == "\r[##############################] 100%  0.0 MB/s  0:00 left  ");
  BOOST_TEST(progress_line(3'000'000, 1'000'000, 1, "").find("100%  3.0 MB/s  0:00 left") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
