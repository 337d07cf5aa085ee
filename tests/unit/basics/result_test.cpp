// Errors as values: every code has one name.
#include "core/domain/basics/result.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

BOOST_AUTO_TEST_SUITE(result)

BOOST_AUTO_TEST_CASE(every_error_code_has_a_name_of_its_own) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(ErrorCode::shutting_down); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    BOOST_TEST(names.insert(name_of(code)).second, name_of(code));
    BOOST_TEST(*error_code_named(name_of(code)) == code);
  }
  BOOST_TEST(!error_code_named("teapot"));
}

BOOST_AUTO_TEST_CASE(an_error_carries_what_it_was_given) {
  const Error error = Error::of(ErrorCode::rate_limited, "Too many.")
                          .with("reason", "rate")
                          .with_list("allowed", {"a", "b"})
                          .retry_after(3);
  BOOST_TEST(error.code == ErrorCode::rate_limited);
  BOOST_TEST(error.details.front().second == "rate");
  BOOST_TEST(error.lists.front().second.size() == 2u);
  BOOST_TEST(*error.retry_after_s == 3);
}

BOOST_AUTO_TEST_CASE(a_result_is_a_value_or_an_error) {
  const Result<int> good = 5;
  const Result<int> bad = Error::of(ErrorCode::not_found, "No.");
  BOOST_TEST(bool(good));
  BOOST_TEST(*good == 5);
  BOOST_TEST(!bad);
  BOOST_TEST(bad.error().code == ErrorCode::not_found);
  BOOST_TEST(bool(Status{}));
}

BOOST_AUTO_TEST_SUITE_END()
