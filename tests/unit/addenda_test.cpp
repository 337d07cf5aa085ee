// The trace number in the addenda of a payment.
#include "core/domain/reconciliation/addenda.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

std::string read(std::string_view addenda) {
  const auto trace = trace_in(addenda);
  return trace ? trace->trace_number + " of " + trace->originator : "none";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(addenda)

BOOST_AUTO_TEST_CASE(the_trn_segment_names_the_trace_and_its_originator) {
  BOOST_TEST(read("TRN*1*T-1*1512345678~") == "T-1 of 1512345678");
  BOOST_TEST(read("RMR*IV*X~TRN*1*T-1*1512345678*999~REF*EV*Y~") == "T-1 of 1512345678");
  BOOST_TEST(read("705TRN*1*T-1*1512345678\\00010001") == "T-1 of 1512345678");
  BOOST_TEST(read("TRN*1*T-1*1512345678\nnext line") == "T-1 of 1512345678");
  BOOST_TEST(read("TRN*1* T 1 ") == "T 1 of ");
}

BOOST_AUTO_TEST_CASE(addenda_without_one_certain_trace_name_none) {
  for (const char* given : {"", "free text", "TRN*2*T-1*X~", "TRN*1**X~", "TRN*1*~", "RN*1*T-1~"})
    BOOST_TEST(read(given) == "none", given);
  BOOST_TEST(read("TRN*1*T-1*X~TRN*1*T-2*X~") == "none");
  BOOST_TEST(read("TRN*1*T-1*X~TRN*1*00t-1*Y~") == "T-1 of X");
  BOOST_TEST(read("TRN*1**X~TRN*1*T-2*Y~") == "T-2 of Y");
  BOOST_TEST(read("TRN*1*" + std::string(50, '7') + "~") == std::string(50, '7') + " of ");
  BOOST_TEST(read("TRN*1*" + std::string(51, '7') + "~") == "none");
}

BOOST_AUTO_TEST_SUITE_END()
