// National provider identifiers (core/docs/contract.md#formats).
#include "core/domain/claims/npi.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using tideover::domain::has_npi_format;
using tideover::domain::passes_npi_check;

namespace {

/// Luhn over 80840 + NPI, digit by digit from the right, as CMS writes it down.
bool luhn_with_prefix(const std::string& npi) {
  const std::string digits = "80840" + npi;
  int sum = 0;
  bool doubled = false;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, doubled = !doubled) {
    int value = *digit - '0';
    if (doubled) value = value * 2 / 10 + value * 2 % 10;
    sum += value;
  }
  return sum % 10 == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(npi)

BOOST_AUTO_TEST_CASE(the_contract_s_vectors_hold) {
  BOOST_TEST(passes_npi_check("1234567893"));
  BOOST_TEST(passes_npi_check("1999999984"));
  BOOST_TEST(passes_npi_check("1000000004"));
  BOOST_TEST(passes_npi_check("1000000012"));
  BOOST_TEST(!passes_npi_check("1234567890"));
}

BOOST_AUTO_TEST_CASE(the_first_digit_is_1_or_2) {
  for (char first = '0'; first <= '9'; ++first)
    for (char last = '0'; last <= '9'; ++last) {
      const std::string number = first + std::string("23456789") + last;
      BOOST_TEST(passes_npi_check(number) == ((first == '1' || first == '2') && luhn_with_prefix(number)), number);
    }
}

BOOST_AUTO_TEST_CASE(the_check_agrees_with_luhn_over_the_prefixed_number) {
  int good = 0;
  for (int n = 1'234'560'000; n < 1'234'570'000; ++n) {
    const std::string number = std::to_string(n);
    BOOST_REQUIRE_EQUAL(passes_npi_check(number), luhn_with_prefix(number));
    good += passes_npi_check(number);
  }
  BOOST_TEST(good == 1000);
}

BOOST_AUTO_TEST_CASE(only_ten_digits_have_the_format) {
  BOOST_TEST(has_npi_format("0000000000"));
  for (const char* text : {"", "123456789", "12345678901", "12345678 3", "123456789a", "+123456789", "1234567893 "}) {
    BOOST_TEST(!has_npi_format(text), text);
    BOOST_TEST(!passes_npi_check(text), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
