// What two must have in common to belong together, and how alike they are where they have not
// (core/docs/contract.md#matching).
#include "core/domain/reconciliation/match.hpp"

#include <boost/test/unit_test.hpp>

using namespace tideover::domain;

namespace {

Date day(int offset) {
  return Date::from_ymd(2026, 11, 20)->plus(offset);
}  // a Friday; Thanksgiving is day(6)

Deposit money(std::int64_t cents = 79'000, const std::string& trace = "T1") {
  Deposit deposit;
  deposit.payer_id = "PAYER";
  deposit.amount = Money::cents(cents);
  deposit.received_date = day(0);
  deposit.trace_number = trace;
  return deposit;
}

RemittanceDraft remittance(std::int64_t cents = 79'000, const std::string& trace = "T1") {
  RemittanceDraft draft;
  draft.payer_id = "PAYER";
  draft.trace_number = trace;
  draft.payment_date = day(0);
  draft.payment_amount = Money::cents(cents);
  draft.claims.emplace_back();
  draft.claims.back().paid_amount = draft.payment_amount;
  return draft;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(match)

BOOST_AUTO_TEST_CASE(steps_and_verdicts_come_back_by_their_names) {
  for (const auto step : {MatchStep::trace_number, MatchStep::claim_identifier, MatchStep::amount_and_date,
                          MatchStep::one_to_many, MatchStep::scored_search, MatchStep::person})
    BOOST_TEST((match_step_named(name_of(step)) == step));
  for (const auto verdict : {MatchVerdict::taken, MatchVerdict::rejected, MatchVerdict::undone})
    BOOST_TEST((match_verdict_named(name_of(verdict)) == verdict));
  BOOST_TEST(!match_step_named("luck"));
  BOOST_TEST(!match_verdict_named(""));
}

BOOST_AUTO_TEST_CASE(the_window_is_three_banking_days_to_either_side_of_either_date) {
  for (const auto& [offset, fits] :
       {std::pair(-4, false), std::pair(-3, true), std::pair(0, true), std::pair(5, true), std::pair(6, false)}) {
    auto deposit = money();
    deposit.received_date = day(offset);
    BOOST_TEST(differences_by_trace(deposit, remittance()).empty() == fits, offset);
    deposit.effective_date = day(0);
    BOOST_TEST(differences_by_trace(deposit, remittance()).empty(), offset);
  }
}

BOOST_AUTO_TEST_CASE(a_remittance_without_a_date_is_verified_by_amount_only_where_the_number_agrees) {
  auto undated = remittance();
  undated.payment_date.reset();
  BOOST_TEST(differences_by_trace(money(), undated).empty());
  BOOST_TEST((differences_by_amount(money(79'000, ""), undated) == MatchReasons{mismatch::kNoDate}));
}

BOOST_AUTO_TEST_CASE(every_difference_is_named) {
  auto other = remittance(79'001, "T2");
  other.payer_id = "OTHER";
  other.payment_date = day(30);
  other.claims.front().paid_amount = Money{};
  const MatchReasons by_trace{mismatch::kPayer, mismatch::kAmount, mismatch::kDate, mismatch::kUnbalanced};
  BOOST_TEST((differences_by_trace(money(), other) == by_trace));
  const MatchReasons by_amount{mismatch::kPayer, mismatch::kTraceNumber, mismatch::kAmount, mismatch::kDate,
                               mismatch::kUnbalanced};
  BOOST_TEST((differences_by_amount(money(), other) == by_amount));
}

BOOST_AUTO_TEST_CASE(a_claim_is_identified_by_payer_charge_and_the_date_of_any_line) {
  ClaimDraft claim;
  claim.payer_id = "PAYER";
  claim.submitted_amount = Money::cents(100'000);
  claim.date_of_service = day(-5);
  RemittanceClaim paid;
  paid.charge_amount = Money::cents(100'000);
  BOOST_TEST(differences(remittance(), paid, claim).empty());  // it names no date
  paid.date_of_service = day(-9);
  BOOST_TEST((differences(remittance(), paid, claim) == MatchReasons{mismatch::kServiceDate}));
  paid.lines.emplace_back().date_of_service = day(-5);
  BOOST_TEST(differences(remittance(), paid, claim).empty());
  paid.charge_amount = Money::cents(-100'000);  // a reversal
  BOOST_TEST(differences(remittance(), paid, claim).empty());
  paid.charge_amount = Money::cents(100'001);
  auto secondary = remittance();
  secondary.payer_id = "OTHER";
  BOOST_TEST((differences(secondary, paid, claim) == MatchReasons{mismatch::kPayer, mismatch::kCharge}));
}

BOOST_AUTO_TEST_CASE(an_institutional_claim_is_served_on_each_day_of_its_statement) {
  ClaimDraft claim;
  claim.payer_id = "PAYER";
  claim.submitted_amount = Money::cents(100'000);
  claim.date_of_service = day(-9);
  claim.details.institutional.emplace().statement_through = day(-5);
  RemittanceClaim paid;
  paid.charge_amount = Money::cents(100'000);
  for (const auto& [offset, fits] :
       {std::pair(-10, false), std::pair(-9, true), std::pair(-5, true), std::pair(-4, false)}) {
    paid.date_of_service = day(offset);
    BOOST_TEST(differences(remittance(), paid, claim).empty() == fits, offset);
  }
  claim.details.institutional.reset();
  paid.date_of_service = day(-5);
  BOOST_TEST((differences(remittance(), paid, claim) == MatchReasons{mismatch::kServiceDate}));
}

BOOST_AUTO_TEST_CASE(a_part_of_an_institutional_claim_names_lines_by_procedure_or_revenue_code) {
  ClaimDraft claim;
  claim.payer_id = "PAYER";
  for (int i = 0; i < 450; ++i) {
    claim.service_lines.push_back(
        {i % 2 == 0 ? "99284" : "", "", 1000, Money::cents(100), i % 2 == 0 ? "0450" : "0250"});
    claim.submitted_amount += Money::cents(100);
  }
  const auto part = [&](const std::string& procedure, int lines) {
    RemittanceClaim paid;
    for (int i = 0; i < lines; ++i) {
      auto& line = paid.lines.emplace_back();
      line.cpt = procedure;
      line.charge_amount = Money::cents(100);
      paid.charge_amount += line.charge_amount;
    }
    return differences(remittance(), paid, claim).empty();
  };
  BOOST_TEST(part("99284", 225));
  BOOST_TEST(!part("99284", 226));  // each billed line counts once
  BOOST_TEST(part("0250", 225));
  BOOST_TEST(part("250", 1));
  BOOST_TEST(!part("0450", 1));  // the line has a procedure
  BOOST_TEST(!part("0360", 1));
}

BOOST_AUTO_TEST_CASE(the_score_weighs_number_amount_payer_and_date) {
  BOOST_TEST(score_of(money(), remittance()).points == 100);
  BOOST_TEST(score_of(money(79'001), remittance()).points == 91);
  BOOST_TEST(score_of(money(79'000, "4711001"), remittance(79'000, "00004711001")).points == 89);
  BOOST_TEST(score_of(money(79'000, "T2"), remittance()).points == 65);
  BOOST_TEST(score_of(money(79'000, ""), remittance()).points == 100);  // what is not known does not count
  BOOST_TEST(score_of(money(20'000, "T2"), remittance()).points < kLeastScore);
  auto without_payer = money(79'000, "");
  without_payer.payer_id = "";
  BOOST_TEST(score_of(without_payer, remittance()).points == 69);  // amount and day alone are less
  without_payer.trace_number = remittance().trace_number;
  BOOST_TEST(score_of(without_payer, remittance()).points == 100);
  const MatchReasons reasons{"trace_number_equal", "amount_equal", "payer_equal", "date_in_window"};
  BOOST_TEST((score_of(money(), remittance()).reasons == reasons));
}

BOOST_AUTO_TEST_SUITE_END()
