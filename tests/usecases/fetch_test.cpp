// ports::fetch: the value of a read, its error, or the error for a value that is missing.
#include <functional>
#include <optional>

#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::Error;
using domain::ErrorCode;
using ports::Records;

namespace {

/// Runs each read twice on the real store, then returns `answer`.
class RepeatingStore final : public ports::Store {
 public:
  RepeatingStore(ports::Store& real, domain::Status answer) : real_(real), answer_(std::move(answer)) {}
  domain::Status read(const std::function<void(const Records&)>& look) override {
    for (int i = 0; i < 2; ++i)
      if (auto done = real_.read(look); !done) return done;
    return answer_;
  }
  domain::Status commit(const Unit& unit, ports::Priority priority) override { return real_.commit(unit, priority); }

 private:
  ports::Store& real_;
  domain::Status answer_;
};

const Error kMissing = Error::of(ErrorCode::not_found, "Not found.");

}  // namespace

BOOST_FIXTURE_TEST_SUITE(fetch_suite, tests::World)

BOOST_AUTO_TEST_CASE(the_value_of_the_last_run_counts) {
  RepeatingStore repeating(*sql, {});
  int runs = 0;
  BOOST_TEST(*fetch(repeating, [&](const Records&) { return ++runs; }) == 2);
  BOOST_TEST(*fetch_one(repeating, [&](const Records&) { return ++runs; }) == 4);
}

BOOST_AUTO_TEST_CASE(the_error_of_the_read_comes_before_a_missing_value) {
  RepeatingStore failing(*sql, Error::of(ErrorCode::service_unavailable, "The database did not answer."));
  const auto nothing = [](const Records&) { return std::optional<int>(); };
  BOOST_TEST(tests::refusal_of(fetch(failing, nothing)) == ErrorCode::service_unavailable);
  BOOST_TEST(tests::refusal_of(fetch_one(failing, nothing)) == ErrorCode::service_unavailable);
  BOOST_TEST(tests::refusal_of(fetch(failing, kMissing, nothing)) == ErrorCode::service_unavailable);
}

BOOST_AUTO_TEST_CASE(an_empty_optional_is_a_value_unless_the_caller_names_an_error_for_it) {
  const auto nothing = [](const Records&) { return std::optional<int>(); };
  BOOST_TEST(!fetch(*sql, nothing)->has_value());
  BOOST_TEST(tests::refusal_of(fetch(*sql, kMissing, nothing)) == ErrorCode::not_found);
  BOOST_TEST(*fetch(*sql, kMissing, [](const Records&) { return std::optional<int>(7); }) == 7);
}

BOOST_AUTO_TEST_SUITE_END()
