// What a payer of the sandbox sends for a settlement (api/docs/sandbox.md).
#include "core/domain/operations/simulated_payment.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

Settlement settlement() {
  Settlement made;
  made.id = SettlementId::of({1, 2});
  made.claim_identifier = "CLM-1";
  made.payer_id = "PAYER";
  made.expected_reimbursement = Money::cents(80'000);
  made.billed.charge = Money::cents(100'000);
  return made;
}

const Date kToday = Date::from_days(20'000);

std::int64_t paid(PaymentOutcome outcome) {
  return simulated_payment(settlement(), outcome, kToday).remittance.claims.front().paid_amount.cents();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulated_payments)

BOOST_AUTO_TEST_CASE(each_outcome_pays_its_part_of_the_expected_amount) {
  BOOST_TEST(paid(PaymentOutcome::paid) == 80'000);
  BOOST_TEST(paid(PaymentOutcome::shortfall) == 48'000);
  BOOST_TEST(paid(PaymentOutcome::overpaid) == 96'000);
  BOOST_TEST(paid(PaymentOutcome::denied) == 0);
  BOOST_TEST(paid(PaymentOutcome::reversed) == -80'000);
  BOOST_TEST(paid(PaymentOutcome::taken_back) == -80'000);
}

BOOST_AUTO_TEST_CASE(every_remittance_balances_and_its_deposit_has_its_trace) {
  for (const auto outcome : {PaymentOutcome::paid, PaymentOutcome::shortfall, PaymentOutcome::overpaid,
                             PaymentOutcome::denied, PaymentOutcome::reversed, PaymentOutcome::taken_back}) {
    const auto made = simulated_payment(settlement(), outcome, kToday);
    const auto& claim = made.remittance.claims.front();
    Money adjusted;
    for (const auto& adjustment : claim.adjustments) adjusted += adjustment.amount;
    BOOST_TEST((claim.paid_amount + adjusted == claim.charge_amount));
    BOOST_TEST(balance_of(made.remittance).balanced());
    BOOST_TEST(made.remittance.trace_number == simulated_trace_prefix(outcome) + settlement().id.text());
    BOOST_TEST(made.remittance.trace_number.size() <= kMaxTraceNumberCharacters);
    BOOST_TEST(made.deposit.has_value() == (made.remittance.payment_amount > Money{}));
    if (made.deposit) BOOST_TEST(made.deposit->trace_number == made.remittance.trace_number);
  }
}

BOOST_AUTO_TEST_CASE(the_cents_of_a_charge_select_an_outcome) {
  BOOST_TEST((magic_outcome(Money::cents(100'001)) == PaymentOutcome::paid));
  BOOST_TEST((magic_outcome(Money::cents(100'002)) == PaymentOutcome::shortfall));
  BOOST_TEST((magic_outcome(Money::cents(100'003)) == PaymentOutcome::denied));
  BOOST_TEST((magic_outcome(Money::cents(100'004)) == PaymentOutcome::overpaid));
  BOOST_TEST((magic_outcome(Money::cents(100'005)) == PaymentOutcome::paid));
  BOOST_TEST(!magic_outcome(Money::cents(100'000)));
  BOOST_TEST(!magic_outcome(Money::cents(100'050)));
}

BOOST_AUTO_TEST_SUITE_END()
