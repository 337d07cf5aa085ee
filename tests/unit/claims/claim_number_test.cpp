// The forms in which numbers come back from payers and banks.
#include "core/domain/claims/claim_number.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

BOOST_AUTO_TEST_SUITE(claim_number)

BOOST_AUTO_TEST_CASE(a_normal_form_drops_parts_that_are_lost_in_transmission) {
  for (const char* given : {"CLM-A1-X", "clm-a1-x", "CLMA1X", " CLM A1 X ", "CLM?A1-X", "CLM-A1-X\x01", "0CLM-A1-X",
                            "CLM-AI-X", "CLM/A1.X"})
    BOOST_TEST(normal_number(given) == "C1MA1X", given);
  BOOST_TEST(normal_number("00012005744") == normal_number("12005744"));
  BOOST_TEST(normal_number("1O-O5") == normal_number("10-05"));
  for (const char* given : {"", "0", "000", "--", "?", "O"}) BOOST_TEST(normal_number(given).empty(), given);
  BOOST_TEST(normal_number("CLM-A1") != normal_number("CLM-A2"));
}

BOOST_AUTO_TEST_CASE(a_trace_number_loses_case_blanks_and_leading_zeros_only) {
  for (const char* given : {"eft-7A", "EFT-7A", "00EFT-7A", " 0 eft -7a "}) BOOST_TEST(normal_trace(given) == "EFT-7A");
  for (const char* given : {"EFT7A", "EFT-7A0", "EFT-07A", "7A"}) BOOST_TEST(normal_trace(given) != "EFT-7A", given);
  BOOST_TEST(normal_trace("1O") != normal_trace("10"));
  BOOST_TEST(normal_trace("000") == "0");
  BOOST_TEST(normal_trace("0") == "0");
  BOOST_TEST(normal_trace("").empty());
}

BOOST_AUTO_TEST_CASE(a_payer_returns_a_claim_number_in_another_form_or_cut) {
  const std::string number = "CLINIC-7-VISIT-2026-000123";
  for (const auto& returned :
       {number, std::string("clinic7visit2026000123"), std::string("00CLINIC 7 VISIT 2026 000123"),
        number.substr(0, 17), number.substr(0, 20), number.substr(0, 25)})
    BOOST_TEST(may_return_as(number, returned), returned);
  for (const auto& returned : {number.substr(0, 16), number + "4", std::string("CL1NIC-7-VISIT-2026-000123"),
                               std::string(), std::string("0"), std::string("--")})
    BOOST_TEST(!may_return_as(number, returned), returned);
  BOOST_TEST(may_return_as("000712", "712"));
  BOOST_TEST(!may_return_as("000712", "7120"));
  BOOST_TEST(!may_return_as("10-05", "1O-05"));  // look-alikes are a question for a reviewer
}

BOOST_AUTO_TEST_CASE(a_long_number_has_a_form_for_each_place_where_payers_cut_it) {
  const std::string number = "CLINIC-7-VISIT-2026-000123";
  const auto forms = normal_forms(number);
  for (std::size_t length = kShortestCut; length <= number.size(); ++length) {
    BOOST_TEST(std::count(forms.begin(), forms.end(), normal_number(number.substr(0, length))) == 1, length);
    const auto bare = normal_number(number);
    if (length <= bare.size()) BOOST_TEST(std::count(forms.begin(), forms.end(), bare.substr(0, length)) == 1, length);
  }
  BOOST_TEST(std::count(forms.begin(), forms.end(), normal_number(number.substr(0, 12))) == 0);
  BOOST_TEST(normal_forms("CLM-1").size() == 1u);
  BOOST_TEST(normal_forms("0000").empty());
}

BOOST_AUTO_TEST_CASE(trace_numbers_are_alike_but_for_zeros_case_separators_and_a_prefix) {
  for (const auto& [a, b] : {std::pair("000777001", "777001"),
                             {"EFT-5", "5"},
                             {"EFT-5", "eft5"},
                             {"POLICY 0007", "7"},
                             {"ABC-1", "abc1"},
                             {"4501234567", "0123 4501234567"}})
    BOOST_TEST((are_traces_alike(a, b) && are_traces_alike(b, a)), a << ' ' << b);
  for (const auto& [a, b] :
       {std::pair("", ""), {"5", ""}, {"EFT-5", "6"}, {"EFT", "ACH"}, {"1001", "1002"}, {"5", "15"}})
    BOOST_TEST(!are_traces_alike(a, b), a << ' ' << b);
  BOOST_TEST(!are_numbers_alike("CLM-5", "INV-5"));
}

BOOST_AUTO_TEST_SUITE_END()
