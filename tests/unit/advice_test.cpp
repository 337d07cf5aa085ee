// Lines of a remittance advice: what the records and rows behind a payable say about it.
#include "core/domain/payouts/advice.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

Money cents(std::int64_t value) {
  return Money::cents(value);
}

/// 1000.00 billed, 210.00 not allowed, 790.00 paid, on one line.
RemittanceClaim decided_claim() {
  RemittanceClaim claim;
  claim.claim_identifier = "CLM-1";
  claim.status = "1";
  claim.charge_amount = cents(100'000);
  claim.paid_amount = cents(79'000);
  claim.patient_responsibility = cents(1'000);
  RemittanceLine line;
  line.cpt = "99213";
  line.charge_amount = cents(100'000);
  line.paid_amount = cents(79'000);
  line.adjustments = {{"CO", "45", cents(20'000)}, {"PR", "3", cents(1'000)}};
  claim.lines = {line};
  return claim;
}

ReconciliationRecord record_of(const char* id, std::int64_t paid, std::int64_t recovered, std::int64_t fee) {
  ReconciliationRecord record;
  record.id = ReconciliationId::trusted(id);
  record.payer_payment = cents(paid);
  record.split.recovered = cents(recovered);
  record.split.fee = cents(fee);
  record.split.residual = cents(paid - recovered - fee);
  return record;
}

std::string ids_of(const std::vector<ReconciliationRecord>& records) {
  std::string ids;
  for (const auto& record : records) ids += record.id.text() + ' ';
  return ids;
}

AllocationRow payable_row(std::int64_t amount, int index, std::optional<int> undoes = std::nullopt) {
  AllocationRow row;
  row.index = index;
  row.amount = cents(amount);
  row.payer_id = "PAYER";
  row.payee_npi = "1234567893";
  row.undoes = undoes;
  return row;
}

Payable payable_of(std::int64_t amount) {
  Payable payable;
  payable.payer_id = "PAYER";
  payable.payee_npi = "1234567893";
  payable.amount = cents(amount);
  return payable;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(advice)

BOOST_AUTO_TEST_CASE(a_claim_is_reported_as_decided_if_its_amounts_agree) {
  const auto claim = reported_claim(decided_claim(), cents(79'000), false);
  BOOST_TEST(claim.charge_amount == cents(100'000));
  BOOST_TEST(claim.lines.size() == 1u);
  const auto back = reported_claim(decided_claim(), cents(-79'000), true);
  BOOST_TEST(back.status == "22");
  BOOST_TEST(back.charge_amount == cents(-100'000));
  BOOST_TEST(back.lines.front().adjustments.front().amount == cents(-20'000));
  BOOST_TEST(is_consistent(back));
}

BOOST_AUTO_TEST_CASE(a_claim_whose_amounts_disagree_is_reported_as_its_payment_alone) {
  auto unexplained = decided_claim(), nameless = decided_claim(), uneven = decided_claim();
  unexplained.charge_amount += cents(1);
  nameless.lines.front().adjustments.front().code = "";
  uneven.lines.front().paid_amount += cents(1);
  for (const auto& claim : {unexplained, nameless, uneven}) {
    BOOST_TEST(!is_consistent(claim));
    const auto reported = reported_claim(claim, cents(79'000), false);
    BOOST_TEST(reported.charge_amount == cents(79'000));
    BOOST_TEST(reported.lines.empty());
    BOOST_TEST(reported.status == "1");
    BOOST_TEST(!reported.patient_responsibility.has_value());
  }
  // A part of the payment, and a takeback of which no answer is known.
  BOOST_TEST(reported_claim(decided_claim(), cents(5'000), false).charge_amount == cents(5'000));
  BOOST_TEST(reported_claim({}, cents(-5'000), false).status == "22");
  BOOST_TEST(reported_claim({}, cents(5'000), false).status == "1");
}

BOOST_AUTO_TEST_CASE(a_record_brings_the_payments_before_it_that_left_nothing) {
  const std::vector<ReconciliationRecord> records{record_of("rec_1", 40'000, 40'000, 0), record_of("rec_2", 0, 0, 0),
                                                  record_of("rec_3", 39'000, 24'000, 1'280),
                                                  record_of("rec_4", 0, 0, 0), record_of("rec_5", 1'000, 0, 0)};
  BOOST_TEST(ids_of(records_paid_with(records, "rec_3")) == "rec_1 rec_3 ");
  BOOST_TEST(ids_of(records_paid_with(records, "rec_5")) == "rec_5 ");
  BOOST_TEST(records_paid_with(records, "rec_9").empty());
}

BOOST_AUTO_TEST_CASE(the_advance_and_the_fee_are_deducted_from_the_payers_payment) {
  const auto decided = decided_claim();
  const auto line = advice_of(record_of("rec_1", 79'000, 64'000, 1'280), "CLM-1", &decided);
  BOOST_TEST(line.payer_payment == cents(79'000));
  BOOST_TEST(line.advance_recovered == cents(64'000));
  BOOST_TEST(line.fee == cents(1'280));
  BOOST_TEST(line.adjustment == Money{});
  BOOST_TEST(line.amount() == cents(13'720));
  BOOST_TEST(line.claim->charge_amount == cents(100'000));
  // The advance was returned by the bank: it is not deducted, and no payer paid.
  const auto returned = advice_of(record_of("rec_2", 0, -64'000, -1'280), "CLM-1", nullptr);
  BOOST_TEST(returned.amount() == cents(65'280));
  BOOST_TEST(!returned.claim.has_value());
}

BOOST_AUTO_TEST_CASE(a_payable_has_the_rows_of_its_transaction) {
  std::vector<AllocationRow> rows{payable_row(500, 0), payable_row(-500, 0, 1), payable_row(300, 1),
                                  payable_row(400, 2), payable_row(700, 3)};
  for (const auto at : {2u, 3u}) rows[at].transaction = LedgerTransactionId::trusted("ltx_1");
  rows[4].transaction = LedgerTransactionId::trusted("ltx_2");
  auto payable = payable_of(700);
  BOOST_TEST(!rows_paid_with(rows, payable).has_value());
  payable.transaction = "ltx_1";
  BOOST_REQUIRE(rows_paid_with(rows, payable).has_value());
  BOOST_TEST(rows_paid_with(rows, payable)->size() == 2u);
  auto unequal = payable;
  unequal.amount = cents(699);
  BOOST_TEST(!rows_paid_with(rows, unequal).has_value());
  auto other = payable;
  other.payee_npi = "1234567802";
  BOOST_TEST(!rows_paid_with(rows, other).has_value());
}

BOOST_AUTO_TEST_CASE(a_row_is_a_claim_or_a_provider_adjustment) {
  Remittance remittance;
  remittance.draft.trace_number = "T1";
  remittance.draft.provider_adjustments = {{"L6", "INT", cents(-150)}, {"", "", cents(-5)}};
  remittance.claims.emplace_back().claim = decided_claim();
  const auto claim = advice_of(payable_row(79'000, 0), remittance);
  BOOST_TEST((claim.kind == AdviceKind::claim));
  BOOST_TEST(claim.payer_payment == cents(79'000));
  BOOST_TEST(claim.trace_number == "T1");
  BOOST_TEST(advice_of(payable_row(-79'000, 0, 1), remittance).claim->status == "22");
  auto owed = payable_row(-4'000, 0);
  owed.reason = AllocationReason::takeback_beyond_payments;
  BOOST_TEST(advice_of(owed, remittance).code == "WO");
  BOOST_TEST(advice_of(owed, remittance).amount() == cents(-4'000));
  auto interest = payable_row(150, 0), nameless = payable_row(5, 1);
  interest.line = nameless.line = AllocationLine::provider_adjustment;
  BOOST_TEST(advice_of(interest, remittance).code == "L6");
  BOOST_TEST(advice_of(interest, remittance).reference == "INT");
  BOOST_TEST(advice_of(interest, remittance).amount() == cents(150));
  BOOST_TEST(advice_of(nameless, remittance).code == "CS");
}

BOOST_AUTO_TEST_SUITE_END()
