// Procedure codes and modifiers: repair and syntax.
#include "core/domain/claims/procedure_code.hpp"

#include <boost/test/unit_test.hpp>
#include <utility>

using namespace tideover::domain;

BOOST_AUTO_TEST_SUITE(procedure_code)

BOOST_AUTO_TEST_CASE(blanks_hyphens_and_case_are_repaired) {
  BOOST_TEST(repair_procedure_code(" 99-213 ") == "99213");
  BOOST_TEST(repair_procedure_code("j1 885") == "J1885");
  BOOST_TEST(repair_procedure_code("0001u") == "0001U");
  BOOST_TEST(repair_procedure_code("99.213") == "99.213");
}

BOOST_AUTO_TEST_CASE(four_digits_and_a_digit_or_a_category_letter_are_cpt) {
  for (char last = '\x20'; last < '\x7f'; ++last) {
    const bool known =
        (last >= '0' && last <= '9') || last == 'A' || last == 'F' || last == 'M' || last == 'T' || last == 'U';
    BOOST_TEST(has_procedure_code_syntax(std::string("1234") + last) == known, last);
  }
}

BOOST_AUTO_TEST_CASE(a_letter_from_a_to_v_and_four_digits_are_hcpcs) {
  for (char first = 'A'; first <= 'Z'; ++first)
    BOOST_TEST(has_procedure_code_syntax(first + std::string("1234")) == (first <= 'V'), first);
}

BOOST_AUTO_TEST_CASE(anything_else_has_no_procedure_code_syntax) {
  for (const char* text : {"", "9921", "992130", "A123", "AB123", "A12B4", "99A13", "j1885", "99 13", "12.34"})
    BOOST_TEST(!has_procedure_code_syntax(text), text);
}

BOOST_AUTO_TEST_CASE(modifiers_take_one_normal_form) {
  const std::pair<const char*, const char*> table[] = {{"", ""},
                                                       {"25", "25"},
                                                       {"25,59", "25:59"},
                                                       {"25:59", "25:59"},
                                                       {"25 59", "25:59"},
                                                       {"gt", "GT"},
                                                       {" 25 , 59 ", "25:59"},
                                                       {"25,,59", "25:59"},
                                                       {"25,59,GT,XU", "25:59:GT:XU"},
                                                       {"  ", ""}};
  for (const auto& [text, normal] : table) {
    const auto modifiers = normalise_modifiers(text);
    BOOST_REQUIRE_MESSAGE(modifiers, "'" << text << "' was refused");
    BOOST_TEST(*modifiers == normal);
  }
}

BOOST_AUTO_TEST_CASE(malformed_modifiers_are_refused) {
  for (const char* text : {"2", "255", "25;59", "25-59", "2_", "25,59,GT,XU,76", "é", "25,5"})
    BOOST_TEST(!normalise_modifiers(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
