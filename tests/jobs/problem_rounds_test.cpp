// Which problems of a job are logged.
#include "core/jobs/problem_rounds.hpp"

#include <boost/test/unit_test.hpp>

using tideover::jobs::ProblemRounds;

BOOST_AUTO_TEST_SUITE(problem_rounds)

BOOST_AUTO_TEST_CASE(each_of_two_repeated_problems_is_logged_once) {
  ProblemRounds problems;
  for (const bool logged : {true, false, false}) {
    problems.begin_round();
    BOOST_TEST(problems.is_new("rule.a", "no disk space") == logged);
    BOOST_TEST(problems.is_new("rule.b", "no live rules") == logged);
  }
}

BOOST_AUTO_TEST_CASE(another_problem_of_the_same_subject_is_logged) {
  ProblemRounds problems;
  problems.begin_round();
  BOOST_TEST(problems.is_new("rule.a", "no disk space"));
  problems.begin_round();
  BOOST_TEST(problems.is_new("rule.a", "no live rules"));
}

BOOST_AUTO_TEST_CASE(a_problem_that_returns_after_a_round_without_it_is_logged_again) {
  ProblemRounds problems;
  problems.begin_round();
  BOOST_TEST(problems.is_new("rule.a", "no disk space"));
  problems.begin_round();
  problems.begin_round();
  BOOST_TEST(problems.is_new("rule.a", "no disk space"));
}

BOOST_AUTO_TEST_SUITE_END()
