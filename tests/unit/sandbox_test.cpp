// The sandbox's magic payers (core/docs/contract.md#sandbox).
#include "core/domain/funding/sandbox.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using tideover::domain::Decision;
using tideover::domain::sandbox_trigger;

BOOST_AUTO_TEST_SUITE(sandbox)

BOOST_AUTO_TEST_CASE(three_payers_force_a_decision) {
  BOOST_TEST(*sandbox_trigger("TEST-APPROVE")->decision == Decision::approved);
  BOOST_TEST(*sandbox_trigger("TEST-DECLINE")->decision == Decision::declined);
  BOOST_TEST(*sandbox_trigger("test-review")->decision == Decision::manual_review);
  BOOST_TEST(!sandbox_trigger("TEST-APPROVE")->deny_with);
  BOOST_TEST(!sandbox_trigger("TEST-APPROVE")->slow);
}

BOOST_AUTO_TEST_CASE(a_payer_names_the_code_to_deny_with) {
  BOOST_TEST(*sandbox_trigger("TEST-CARC-29")->deny_with == "29");
  BOOST_TEST(*sandbox_trigger("test-carc-b7")->deny_with == "B7");
  BOOST_TEST(!sandbox_trigger("TEST-CARC-29")->decision);
}

BOOST_AUTO_TEST_CASE(a_slow_payer_changes_one_thing) {
  BOOST_TEST(sandbox_trigger("TEST-SLOW")->slow);
  BOOST_TEST(!sandbox_trigger("TEST-SLOW")->decision);
}

BOOST_AUTO_TEST_CASE(other_payers_trigger_nothing) {
  for (const char* payer : {"", "60054", "TEST", "TEST-", "TEST-CARC", "TEST-CARC-", "TEST-CARC-<b>", "TEST-CARC-12345",
                            "XTEST-APPROVE", "TEST-APPROVED"})
    BOOST_TEST(!sandbox_trigger(payer), payer);
}

BOOST_AUTO_TEST_SUITE_END()
