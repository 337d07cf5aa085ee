// Money: reading, writing, and the one rounding.
#include "core/domain/basics/money.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <utility>

#include "tests/fakes/printing.hpp"

using tideover::domain::format_money;
using tideover::domain::kLargestAmount;
using tideover::domain::kOneInBps;
using tideover::domain::Money;
using tideover::domain::parse_money;
using tideover::domain::portion;

BOOST_AUTO_TEST_SUITE(money)

BOOST_AUTO_TEST_CASE(a_decimal_is_read_to_the_cent) {
  const std::pair<const char*, std::int64_t> table[] = {
      {"0", 0},
      {"-0", 0},
      {"0.00", 0},
      {"0.000000", 0},
      {"0e9", 0},
      {"0E-9", 0},
      {"1", 100},
      {"1.5", 150},
      {"1.05", 105},
      {"12.50", 1250},
      {"12.5000", 1250},
      {"-12.50", -1250},
      {"0.01", 1},
      {"1e3", 100'000},
      {"1E3", 100'000},
      {"1e+3", 100'000},
      {"1e0", 100},
      {"1e-2", 1},
      {"125e-2", 125},
      {"1.25e1", 1250},
      {"0.0001e2", 1},
      {"100e-4", 1},
      {"1000000e-6", 100},
      {"99999999.99", 9'999'999'999},
      {"-99999999.99", -9'999'999'999},
      {"9999999999e-2", 9'999'999'999},
      {"0e999", 0},
  };
  for (const auto& [text, cents] : table) {
    const auto amount = parse_money(text);
    BOOST_REQUIRE_MESSAGE(amount, text << " was refused");
    BOOST_TEST(amount->cents() == cents, text);
  }
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_amount_to_the_cent_is_refused) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           "1 ",
                           "1,000",
                           "1.",
                           ".5",
                           ".",
                           "1.005",
                           "0.001",
                           "1e-3",
                           "12.5e-2",
                           "1e",
                           "1e+",
                           "1e1.0",
                           "e3",
                           "0x10",
                           "NaN",
                           "Infinity",
                           "1e1000",
                           "--1",
                           "1.0.0",
                           "100000000",
                           "100000000.00",
                           "99999999.995",
                           "1e8",
                           "1e999",
                           "-1e999",
                           "123456789012345678901234567890",
                           "9e18"})
    BOOST_TEST(!parse_money(text), "'" << text << "' was taken");
}

BOOST_AUTO_TEST_CASE(x12_may_leave_out_digits_on_one_side_of_the_point) {
  BOOST_TEST(parse_money(".5", true)->cents() == 50);
  BOOST_TEST(parse_money("5.", true)->cents() == 500);
  BOOST_TEST(parse_money("-.05", true)->cents() == -5);
  BOOST_TEST(!parse_money(".", true));
  BOOST_TEST(!parse_money("-.", true));
  BOOST_TEST(!parse_money("", true));
}

BOOST_AUTO_TEST_CASE(a_sum_that_does_not_fit_is_refused_and_never_another_number) {
  const auto most = Money::cents(std::numeric_limits<std::int64_t>::max()),
             least = Money::cents(std::numeric_limits<std::int64_t>::min());
  const auto cent = Money::cents(1);
  BOOST_TEST((most - cent + cent == most));
  BOOST_CHECK_THROW(most + cent, std::overflow_error);
  BOOST_CHECK_THROW(least - cent, std::overflow_error);
  BOOST_CHECK_THROW(-least, std::overflow_error);
  Money sum = most;
  BOOST_CHECK_THROW(sum += cent, std::overflow_error);
  BOOST_TEST((sum == most), "what failed has changed nothing");
  sum = least;
  BOOST_CHECK_THROW(sum -= cent, std::overflow_error);
  BOOST_CHECK_THROW(portion(most, 2 * kOneInBps), std::overflow_error);
  // The largest accepted amount, as often as a request has claims (10 000), for 90 000 requests.
  BOOST_TEST((Money::cents(kLargestAmount.cents() * 900'000'000) + kLargestAmount >
              most - Money::cents(230'000'000'000'000'000)));
}

BOOST_AUTO_TEST_CASE(an_amount_is_written_with_two_decimals) {
  const std::pair<std::int64_t, const char*> table[] = {
      {0, "0.00"},
      {5, "0.05"},
      {-5, "-0.05"},
      {100, "1.00"},
      {-100, "-1.00"},
      {123'456, "1234.56"},
      {std::numeric_limits<std::int64_t>::min(), "-92233720368547758.08"}};
  for (const auto& [cents, text] : table) BOOST_TEST(format_money(Money::cents(cents)) == text);
}

BOOST_AUTO_TEST_CASE(a_written_amount_reads_back_the_same) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> cents(-kLargestAmount.cents(), kLargestAmount.cents());
  for (int i = 0; i < 20'000; ++i) {
    const Money amount = Money::cents(cents(random));
    BOOST_REQUIRE_EQUAL(*parse_money(format_money(amount)), amount);
  }
}

BOOST_AUTO_TEST_CASE(a_half_cent_goes_to_the_even_cent) {
  BOOST_TEST(portion(Money::cents(1), 5000) == Money::cents(0));  // 0.5
  BOOST_TEST(portion(Money::cents(3), 5000) == Money::cents(2));  // 1.5
  BOOST_TEST(portion(Money::cents(5), 5000) == Money::cents(2));  // 2.5
  BOOST_TEST(portion(Money::cents(-1), 5000) == Money::cents(0));
  BOOST_TEST(portion(Money::cents(-3), 5000) == Money::cents(-2));
  BOOST_TEST(portion(Money::cents(-5), 5000) == Money::cents(-2));
  BOOST_TEST(portion(Money::cents(1), 5001) == Money::cents(1));
  BOOST_TEST(portion(Money::cents(1), 4999) == Money::cents(0));
  BOOST_TEST(portion(Money::cents(80'000), 8000) == Money::cents(64'000));
  BOOST_TEST(portion(Money::cents(64'000), 200) == Money::cents(1'280));
}

BOOST_AUTO_TEST_CASE(a_portion_agrees_with_long_division) {
  // The reference splits off whole ten-thousandths, so that no product leaves 64 bits.
  const auto reference = [](std::int64_t cents, std::int64_t bps) {
    const bool negative = cents < 0;
    const std::int64_t size = negative ? -cents : cents;
    const std::int64_t rest = size % kOneInBps * bps;
    std::int64_t whole = size / kOneInBps * bps + rest / kOneInBps;
    const std::int64_t left = rest % kOneInBps;
    if (left > kOneInBps / 2 || (left == kOneInBps / 2 && whole % 2 == 1)) ++whole;
    return negative ? -whole : whole;
  };
  std::mt19937_64 random(2);
  std::uniform_int_distribution<std::int64_t> any(-900'000'000'000'000, 900'000'000'000'000);
  std::uniform_int_distribution<std::int64_t> small(-50'000, 50'000);
  std::uniform_int_distribution<int> bps(0, kOneInBps);
  for (int i = 0; i < 200'000; ++i) {
    const std::int64_t cents = i % 2 ? any(random) : small(random);
    const int share = i % 3 ? bps(random) : bps(random) / 2500 * 2500;  // quarters meet the half cents
    BOOST_REQUIRE_EQUAL(portion(Money::cents(cents), share).cents(), reference(cents, share));
  }
}

BOOST_AUTO_TEST_CASE(a_portion_never_leaves_its_whole) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<std::int64_t> cents(0, kLargestAmount.cents());
  std::uniform_int_distribution<int> bps(0, kOneInBps);
  for (int i = 0; i < 20'000; ++i) {
    const Money whole = Money::cents(cents(random));
    const Money part = portion(whole, bps(random));
    BOOST_REQUIRE(part >= Money{});
    BOOST_REQUIRE(part <= whole);
  }
  BOOST_TEST(portion(kLargestAmount, kOneInBps) == kLargestAmount);
}

BOOST_AUTO_TEST_SUITE_END()
