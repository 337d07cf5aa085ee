// Which codes a status update may have.
#include <boost/test/unit_test.hpp>

#include "core/domain/claims/reason_code.hpp"

using namespace tideover::domain;

BOOST_AUTO_TEST_SUITE(reason_codes)

BOOST_AUTO_TEST_CASE(codes_of_payers_have_up_to_two_letters_and_one_to_three_digits) {
  for (const char* code : {"4", "29", "252", "A1", "B16", "P22", "M15", "MA130", "N130", "N4", "F2"})
    BOOST_TEST(has_payer_code_form(code), code);
  for (const char* code :
       {"", "99999", "1234", "ABC1", "A", "MA", "a1", "1A", "CO-45", "29 ", " 29", "A1B", "4.0", "-4",
        "\xc3\x84"
        "1"})
    BOOST_TEST(!has_payer_code_form(code), code);
}

BOOST_AUTO_TEST_CASE(the_catalogue_adds_its_own_codes) {
  ReasonCode own;
  own.code = "NPI_CHECK_DIGIT";
  BOOST_TEST(is_reason_code("NPI_CHECK_DIGIT", {own}));
  BOOST_TEST(is_reason_code("29", {}));
  BOOST_TEST(!is_reason_code("NPI_CHECK_DIGIT", {}));
  BOOST_TEST(!is_reason_code("NPI_CHECK", {own}));
  BOOST_TEST(!is_reason_code("npi_check_digit", {own}));
}

BOOST_AUTO_TEST_SUITE_END()
