// Allocation of a payment: principal, fee, residual, and what a shortfall costs the funder.
#include "core/domain/reconciliation/reconciliation.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

// The contract's example: billed 1000.00, expected 800.00, advance 640.00, fee 12.80.
constexpr AdvanceTerms kTerms{Money::cents(64'000), Money::cents(1'280), Money::cents(80'000), Money::cents(100'000)};
constexpr Money kBilled = kTerms.billed;

Allocation paid(std::int64_t cents, bool denied = false) {
  return continue_allocation({}, {Money::cents(cents), denied ? PaymentKind::denied : PaymentKind::processed, kBilled},
                             kTerms);
}

ReconciliationRecord record_of(const Payment& payment, const Allocation& split, Timestamp at) {
  ReconciliationRecord record;
  record.payer_payment = payment.amount;
  record.charge = payment.charge;
  record.split = split;
  record.matched_by = "trace_number";
  record.posted_at = at;
  return record;
}
ReconciliationRecord record_of(std::int64_t cents, Timestamp at) {
  return record_of({Money::cents(cents), PaymentKind::processed, kBilled}, paid(cents), at);
}

/// A settlement that is paid in many payments.
struct Settled {
  Position position() const { return position_of(records); }
  Allocation whole() const { return position().split; }
  FinalStatus status() const { return whole().status; }
  /// What the last payment changed.
  Allocation takes(std::int64_t cents, PaymentKind kind = PaymentKind::processed, Money charge = kBilled) {
    const Payment payment{Money::cents(cents), kind,
                          kind == PaymentKind::none || kind == PaymentKind::written_off ? Money{} : charge};
    records.push_back(record_of(payment, continue_allocation(position(), payment, kTerms), Timestamp::from_ms(1)));
    return records.back().split;
  }
  Allocation reverses(std::int64_t cents) { return takes(-cents, PaymentKind::taken_back, -kBilled); }

  std::vector<ReconciliationRecord> records;
};

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

BOOST_AUTO_TEST_CASE(a_claim_that_is_decided_on_in_parts_is_partial_until_all_of_its_charge_is) {
  Settled claim;
  claim.takes(50'000, PaymentKind::processed, Money::cents(60'000));
  BOOST_TEST(claim.status() == FinalStatus::partial);
  BOOST_TEST(claim.whole().recovered == Money::cents(50'000));
  BOOST_TEST(claim.whole().absorbed == Money{});  // nothing is lost yet
  claim.takes(0, PaymentKind::denied, Money::cents(10'000));
  BOOST_TEST(claim.status() == FinalStatus::partial);
  const auto last = claim.takes(29'000, PaymentKind::processed, Money::cents(30'000));
  BOOST_TEST(last.recovered == Money::cents(14'000));  // where it stood
  BOOST_TEST(last.fee == Money::cents(1'280));
  BOOST_TEST(last.residual == Money::cents(13'720));
  BOOST_TEST(claim.status() == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_payment_without_a_remittance_is_final_when_it_covers_the_expected_amount) {
  Settled claim;
  claim.takes(30'000, PaymentKind::none);
  BOOST_TEST(claim.status() == FinalStatus::partial);
  claim.takes(49'999, PaymentKind::none);
  BOOST_TEST(claim.status() == FinalStatus::partial);
  claim.takes(1, PaymentKind::none);
  BOOST_TEST(claim.status() == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_payment_after_finality_makes_the_loss_smaller) {
  Settled claim;
  claim.takes(60'000);
  const auto second = claim.takes(20'000);
  BOOST_TEST(second.recovered == Money::cents(4'000));
  BOOST_TEST(second.principal_loss == Money::cents(-4'000));
  BOOST_TEST(second.absorbed == Money::cents(-5'280));
  BOOST_TEST(second.fee == Money::cents(1'280));
  BOOST_TEST(second.residual == Money::cents(14'720));
  BOOST_TEST(claim.status() == FinalStatus::settled);
}

BOOST_AUTO_TEST_CASE(a_takeback_is_the_funder_s_loss_up_to_advance_and_fee_and_reverses_the_residual) {
  Settled claim;
  claim.takes(79'000);
  const auto back = claim.reverses(79'000);
  BOOST_TEST(back.status == FinalStatus::reversed);
  BOOST_TEST(back.recovered == Money::cents(-64'000));
  BOOST_TEST(back.fee == Money::cents(-1'280));
  BOOST_TEST(back.residual == Money::cents(-13'720));
  BOOST_TEST(back.residual_loss == Money{});
  BOOST_TEST(back.absorbed == Money::cents(65'280));
}

BOOST_AUTO_TEST_CASE(a_part_that_is_taken_back_takes_the_residual_first) {
  Settled claim;
  claim.takes(79'000);
  const auto part = claim.reverses(10'000);
  BOOST_TEST(part.residual == Money::cents(-10'000));
  BOOST_TEST(part.absorbed == Money{});
  const auto more = claim.reverses(10'000);
  BOOST_TEST(more.residual == Money::cents(-3'720));
  BOOST_TEST(more.fee == Money::cents(-1'280));
  BOOST_TEST(more.recovered == Money::cents(-5'000));
  BOOST_TEST(more.absorbed == Money::cents(6'280));
}

BOOST_AUTO_TEST_CASE(a_residual_that_an_earlier_version_lost_stays_lost_until_payments_cover_it) {
  Settled claim;
  claim.takes(79'000);
  Allocation lost;  // as earlier versions booked a takeback
  lost.recovered = Money::cents(-64'000);
  lost.fee = Money::cents(-1'280);
  lost.residual_loss = Money::cents(13'720);
  lost.principal_loss = Money::cents(64'000);
  lost.absorbed = Money::cents(79'000);
  lost.status = FinalStatus::reversed;
  claim.records.push_back(
      record_of({Money::cents(-79'000), PaymentKind::taken_back, -kBilled}, lost, Timestamp::from_ms(2)));
  claim.takes(70'000);
  BOOST_TEST(claim.whole().residual == Money::cents(13'720));
  BOOST_TEST(claim.whole().residual_loss == Money::cents(13'720 - 4'720));
  claim.reverses(70'000);
  BOOST_TEST(claim.whole().residual_loss == Money::cents(13'720 - 4'720));  // never more
  claim.takes(80'000);
  BOOST_TEST(claim.whole().residual == Money::cents(14'720));
  BOOST_TEST(claim.whole().residual_loss == Money{});
}

BOOST_AUTO_TEST_CASE(the_excess_over_the_charge_is_counted_over_all_payments) {
  Position position;
  BOOST_TEST(above_charge(position, Money::cents(100'000), kBilled) == Money{});
  BOOST_TEST(above_charge(position, Money::cents(2'000'000), kBilled) == Money::cents(1'900'000));
  position.paid = Money::cents(79'000);
  BOOST_TEST(above_charge(position, Money::cents(21'001), kBilled) == Money::cents(1));
}

BOOST_AUTO_TEST_CASE(a_reversal_and_its_correction_stand_where_the_correction_alone_would) {
  for (const std::int64_t corrected : {85'000, 79'000, 70'000, 60'000, 0}) {
    Settled claim;
    claim.takes(79'000);
    claim.reverses(79'000);
    claim.takes(corrected);
    const auto alone = paid(corrected);
    BOOST_TEST(claim.whole().recovered == alone.recovered);
    BOOST_TEST(claim.whole().fee == alone.fee);
    BOOST_TEST(claim.whole().residual == alone.residual);
    BOOST_TEST(claim.whole().absorbed == alone.absorbed);
    BOOST_TEST((claim.status() == FinalStatus::settled_short) == (corrected < 65'280));
  }
}

BOOST_AUTO_TEST_CASE(a_receivable_that_was_written_off_may_still_be_paid) {
  Settled claim;
  claim.takes(30'000, PaymentKind::none);
  BOOST_TEST(claim.takes(0, PaymentKind::written_off).absorbed == Money::cents(35'280));
  BOOST_TEST(claim.status() == FinalStatus::written_off);
  claim.takes(49'000);
  BOOST_TEST(claim.status() == FinalStatus::settled);
  BOOST_TEST(claim.whole().absorbed == Money{});
}

BOOST_AUTO_TEST_CASE(only_a_possible_duplicate_needs_a_reviewer) {
  const auto takes = [](std::int64_t paid, FinalStatus status, std::int64_t more) {
    Position position;
    position.paid = Money::cents(paid);
    position.split.status = status;
    return continues(position, Money::cents(more), kTerms.expected);
  };
  BOOST_TEST(takes(0, FinalStatus::pending, 90'000));
  BOOST_TEST(takes(79'000, FinalStatus::partial, 79'000));
  BOOST_TEST(takes(60'000, FinalStatus::settled_short, 20'000));
  BOOST_TEST(!takes(60'000, FinalStatus::settled_short, 20'001));
  BOOST_TEST(!takes(79'000, FinalStatus::settled, 79'000));
  BOOST_TEST(takes(0, FinalStatus::denied, 90'000));
  BOOST_TEST(takes(0, FinalStatus::reversed, 90'000));
}

BOOST_AUTO_TEST_CASE(every_cent_of_every_payment_and_of_an_advance_is_accounted_for) {
  std::mt19937_64 random(8);
  const auto cents = [&](std::int64_t high) {
    return Money::cents(std::uniform_int_distribution<std::int64_t>(0, high)(random));
  };
  for (int i = 0; i < 20'000; ++i) {
    AdvanceTerms terms;
    terms.advance = cents(9'999'999);
    terms.fee = cents(terms.advance.cents() / 5);
    terms.expected = cents(19'999'999);
    terms.billed = Money::cents(1'000);
    std::vector<ReconciliationRecord> records;
    for (int step = 0; step < 8; ++step) {
      const auto before = position_of(records);
      Payment payment{cents(9'999'999), static_cast<PaymentKind>(random() % 5), cents(1'000)};
      if (payment.kind == PaymentKind::taken_back)
        payment = {-cents(before.paid.cents()), payment.kind, -before.charge};
      if (payment.kind == PaymentKind::written_off) payment = {{}, payment.kind, {}};
      const auto split = continue_allocation(before, payment, terms);
      BOOST_REQUIRE_EQUAL(split.recovered + split.fee + split.residual - split.residual_loss, payment.amount);
      records.push_back(record_of(payment, split, Timestamp::from_ms(step)));
      const auto whole = position_of(records).split;
      for (const Money part :
           {whole.recovered, whole.fee, whole.residual, whole.absorbed, whole.principal_loss, whole.residual_loss})
        BOOST_REQUIRE(part >= Money{});
      BOOST_REQUIRE(whole.fee.is_zero() || whole.recovered == terms.advance);  // principal first
      BOOST_REQUIRE(whole.residual.is_zero() || whole.fee == terms.fee);       // then the fee
      BOOST_REQUIRE(whole.residual_loss.is_zero());
      BOOST_REQUIRE(whole.absorbed <= terms.advance + terms.fee);  // the loss has a bound
      if (!is_final(whole.status)) continue;
      BOOST_REQUIRE_EQUAL(whole.recovered + whole.principal_loss, terms.advance);  // nothing stays open
      BOOST_REQUIRE_EQUAL(whole.absorbed, whole.principal_loss + whole.residual_loss + terms.fee - whole.fee);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_settlement_without_a_payment_is_pending) {
  const auto whole =
      summarise(SettlementId::of({1, 1}), Money::cents(80'000), Money::cents(1'280), Timestamp::from_ms(5), {}, {});
  BOOST_TEST(whole.status == FinalStatus::pending);
  BOOST_TEST(whole.expected_payment == Money::cents(80'000));
  BOOST_TEST(whole.fee_estimated == Money::cents(1'280));
  BOOST_TEST(whole.variance == Money{});
  BOOST_TEST(whole.updated_at == Timestamp::from_ms(5));
}

BOOST_AUTO_TEST_CASE(a_paid_settlement_sums_up_its_records) {
  const auto whole = summarise(SettlementId::of({1, 1}), Money::cents(80'000), Money::cents(1'280),
                               Timestamp::from_ms(5), {record_of(79'000, Timestamp::from_ms(9))}, {});
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

BOOST_AUTO_TEST_CASE(the_owed_residual_excludes_payouts_that_are_or_may_be_paid) {
  const auto payout = [](std::int64_t cents, AttemptState state) {
    DisbursementAttempt attempt;
    attempt.purpose = Purpose::residual;
    attempt.amount = Money::cents(cents);
    attempt.state = state;
    attempt.updated_at = Timestamp::from_ms(20);
    return attempt;
  };
  const auto whole = summarise(
      SettlementId::of({1, 1}), Money::cents(80'000), Money::cents(1'280), Timestamp::from_ms(5),
      {record_of(79'000, Timestamp::from_ms(9))},
      {payout(1'000, AttemptState::settled), payout(200, AttemptState::rejected), payout(300, AttemptState::returned),
       payout(4'000, AttemptState::accepted), payout(50, AttemptState::unknown)});
  BOOST_TEST(whole.residual_paid_out == Money::cents(5'000));
  BOOST_TEST(whole.residual_due == Money::cents(13'720 - 5'050));
  BOOST_TEST(whole.payouts.size() == 5u);
  BOOST_TEST(whole.updated_at == Timestamp::from_ms(20));
}

BOOST_AUTO_TEST_CASE(final_statuses_have_the_contract_s_names) {
  for (const char* name :
       {"pending", "partial", "settled", "settled_short", "settled_over", "denied", "reversed", "written_off"}) {
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
