// The waterfall: principal, fee, residual - and who bears what does not come.
#include "core/domain/reconciliation.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

// The contract's example: expected 800.00, advance 640.00, fee 12.80.
Waterfall paid(std::int64_t cents, bool denied = false) {
  return run_waterfall(Money::cents(cents), Money::cents(64'000), Money::cents(1'280), Money::cents(80'000), denied);
}

ReconciliationRecord record_of(std::int64_t cents, Timestamp at) {
  ReconciliationRecord record;
  record.payer_payment = Money::cents(cents);
  record.split = paid(cents);
  record.matched_by = "trace_number";
  record.posted_at = at;
  return record;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reconciliation)

BOOST_AUTO_TEST_CASE(a_payment_of_790_returns_640_earns_12_80_and_leaves_137_20) {
  const auto split = paid(79'000);
  BOOST_TEST(split.recovered == Money::cents(64'000));
  BOOST_TEST(split.fee == Money::cents(1'280));
  BOOST_TEST(split.residual == Money::cents(13'720));
  BOOST_TEST(split.absorbed == Money{});
  BOOST_TEST(split.status == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_payment_of_600_returns_600_and_the_funder_absorbs_52_80) {
  const auto split = paid(60'000);
  BOOST_TEST(split.recovered == Money::cents(60'000));
  BOOST_TEST(split.fee == Money{});
  BOOST_TEST(split.residual == Money{});
  BOOST_TEST(split.absorbed == Money::cents(5'280));
  BOOST_TEST(split.principal_loss == Money::cents(4'000));
  BOOST_TEST(split.status == FinalStatus::settled_short);
}

BOOST_AUTO_TEST_CASE(the_edges_between_short_settled_and_over) {
  BOOST_TEST(paid(65'279).status == FinalStatus::settled_short);
  BOOST_TEST(paid(65'279).fee == Money::cents(1'279));
  BOOST_TEST(paid(65'280).status == FinalStatus::settled);
  BOOST_TEST(paid(65'280).residual == Money{});
  BOOST_TEST(paid(80'000).status == FinalStatus::settled);
  BOOST_TEST(paid(80'001).status == FinalStatus::settled_over);
}

BOOST_AUTO_TEST_CASE(a_denial_is_said_by_the_payer_never_inferred_from_zero) {
  BOOST_TEST(paid(0, true).status == FinalStatus::denied);
  BOOST_TEST(paid(0, false).status == FinalStatus::settled_short);
  BOOST_TEST(paid(0, true).absorbed == Money::cents(65'280));
  BOOST_TEST(paid(100, true).status == FinalStatus::settled_short);
}

BOOST_AUTO_TEST_CASE(every_cent_of_a_payment_and_of_an_advance_is_accounted_for) {
  std::mt19937_64 random(8);
  const auto cents = [&](std::int64_t high) { return Money::cents(std::uniform_int_distribution<std::int64_t>(0, high)(random)); };
  for (int i = 0; i < 50'000; ++i) {
    const Money advance = cents(9'999'999), fee = cents(advance.cents() / 5), expected = cents(19'999'999), payment = cents(19'999'999);
    const auto split = run_waterfall(payment, advance, fee, expected, i % 7 == 0);
    BOOST_REQUIRE_EQUAL(split.recovered + split.fee + split.residual, payment);
    BOOST_REQUIRE_EQUAL(split.recovered + split.principal_loss, advance);
    BOOST_REQUIRE_EQUAL(split.absorbed, split.principal_loss + fee - split.fee);
    for (const Money part : {split.recovered, split.fee, split.residual, split.absorbed, split.principal_loss})
      BOOST_REQUIRE(part >= Money{});
    BOOST_REQUIRE(split.fee.is_zero() || split.recovered == advance);        // principal first
    BOOST_REQUIRE(split.residual.is_zero() || split.fee == fee);             // then the fee
  }
}

BOOST_AUTO_TEST_CASE(a_settlement_without_a_payment_is_pending) {
  const auto whole = summarise(SettlementId::of({1, 1}), Money::cents(80'000), Money::cents(1'280), Timestamp::from_ms(5), {});
  BOOST_TEST(whole.status == FinalStatus::pending);
  BOOST_TEST(whole.expected_payment == Money::cents(80'000));
  BOOST_TEST(whole.fee_estimated == Money::cents(1'280));
  BOOST_TEST(whole.variance == Money{});
  BOOST_TEST(whole.updated_at == Timestamp::from_ms(5));
}

BOOST_AUTO_TEST_CASE(a_paid_settlement_sums_up_its_records) {
  const auto whole = summarise(SettlementId::of({1, 1}), Money::cents(80'000), Money::cents(1'280), Timestamp::from_ms(5),
                               {record_of(79'000, Timestamp::from_ms(9))});
  BOOST_TEST(whole.status == FinalStatus::settled);
  BOOST_TEST(whole.payer_payment == Money::cents(79'000));
  BOOST_TEST(whole.advance_recovered == Money::cents(64'000));
  BOOST_TEST(whole.fee_collected == Money::cents(1'280));
  BOOST_TEST(whole.residual_released == Money::cents(13'720));
  BOOST_TEST(whole.variance == Money::cents(-1'000));
  BOOST_TEST(whole.matched_by == "trace_number");
  BOOST_TEST(whole.updated_at == Timestamp::from_ms(9));
  BOOST_TEST(whole.records.size() == 1u);
}

BOOST_AUTO_TEST_CASE(final_statuses_have_the_contract_s_names) {
  for (const char* name : {"pending", "partial", "settled", "settled_short", "settled_over", "denied", "reversed", "written_off"}) {
    BOOST_REQUIRE_MESSAGE(final_status_named(name), name);
    BOOST_TEST(name_of(*final_status_named(name)) == name);
  }
  BOOST_TEST(!final_status_named("open"));
}

BOOST_AUTO_TEST_CASE(a_remittance_balances_when_claims_less_adjustments_are_the_payment) {
  RemittanceDraft draft;
  draft.claims.resize(2);
  draft.claims[0].paid_amount = Money::cents(50'000);
  draft.claims[1].paid_amount = Money::cents(30'000);
  draft.provider_adjustments.push_back({"WO", "", Money::cents(5'000)});
  draft.payment_amount = Money::cents(75'000);
  BOOST_TEST(balance_of(draft).balanced());
  draft.payment_amount = Money::cents(75'001);
  BOOST_TEST(!balance_of(draft).balanced());
  BOOST_TEST(balance_of(draft).difference == Money::cents(-1));
}

BOOST_AUTO_TEST_SUITE_END()
