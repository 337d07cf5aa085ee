// The waterfall of a remittance: the account of each line, and what holds a line or the whole remittance.
#include "core/domain/reconciliation/allocate.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

// The contract's example: billed 1000.00, expected 800.00, advance 640.00, fee 12.80.
constexpr AdvanceTerms kTerms{Money::cents(64'000), Money::cents(1'280), Money::cents(80'000), Money::cents(100'000)};
const std::string kNorth = "1999999984", kSouth = "1234567893";

/// A remittance under construction: the draft and what the allocation knows of its lines.
struct Given {
  RemittanceDraft draft;
  std::vector<ClaimToAllocate> claims{};
  std::vector<AdjustmentToAllocate> adjustments{};
  std::vector<AdvanceToAllocate> advances{};
  std::vector<BalanceToAllocate> balances{};
  std::optional<Money> funds{};  // the payment, if not set
  Money standing{};
  bool accepts_short = false;

  Given() { draft.payer_id = "PAYER"; }

  /// An advance that was paid `cents` before.
  std::size_t advance(std::int64_t cents = 0, bool is_funded = true, const std::string& payee = kNorth) {
    AdvanceToAllocate advance{
        SettlementId::trusted("stl_" + std::to_string(advances.size())), payee, is_funded, kTerms, {}};
    if (cents != 0)
      advance.position = continued({}, {Money::cents(cents), PaymentKind::processed, kTerms.billed}, kTerms);
    advances.push_back(std::move(advance));
    return advances.size() - 1;
  }
  Given& claim(std::int64_t cents, ClaimOwner owner, std::optional<std::size_t> of = std::nullopt) {
    ClaimToAllocate claim{Money::cents(cents), kTerms.billed, owner, of};
    claim.kind = cents < 0 ? PaymentKind::taken_back : PaymentKind::processed;
    claim.payee_npi = kNorth;
    claims.push_back(std::move(claim));
    draft.payment_amount += Money::cents(cents);
    return *this;
  }
  Given& plb(const char* code, std::int64_t cents, const char* reference = "", const std::string& payee = kNorth) {
    draft.provider_adjustments.push_back({code, reference, Money::cents(cents)});
    adjustments.push_back({payee, payee});
    draft.payment_amount -= Money::cents(cents);
    return *this;
  }
  Given& balance(std::int64_t cents, const char* name, const std::string& payee = kNorth) {
    const AllocationRef row{RemittanceId::trusted("rem_1"), static_cast<int>(balances.size()) + 1};
    balances.push_back({row, payee, payee, Money::cents(cents), {name}});
    return *this;
  }
  AllocationPlan plan() const {
    AllocationInput input{draft, claims, adjustments, advances, balances, kNorth};
    input.funds = funds.value_or(std::max(draft.payment_amount, Money{}));
    input.standing = standing;
    input.accepts_short = accepts_short;
    return allocate(input);
  }
};

/// "claim 0 advance 790.00 advanced_claim; ..."
std::string shown(const AllocationPlan& plan) {
  std::string text;
  for (const auto& row : plan.rows) {
    text += (text.empty() ? "" : "; ") + std::string(name_of(row.line)) + ' ' + std::to_string(row.index) + ' ' +
            std::string(name_of(row.account)) + ' ' + format_money(row.amount) + ' ' + std::string(name_of(row.reason));
    if (row.account != AllocationAccount::advance && row.payee_npi != kNorth) text += " of " + row.payee_npi;
  }
  return text;
}

bool holds(const AllocationPlan& plan, HoldReason reason) {
  return std::any_of(plan.holds.begin(), plan.holds.end(), [&](const auto& hold) { return hold.reason == reason; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(waterfall)

BOOST_AUTO_TEST_CASE(each_line_has_one_account_and_the_rows_add_up_to_the_payment) {
  Given given;
  given.claim(79'000, ClaimOwner::of_advance, given.advance())
      .claim(12'000, ClaimOwner::not_advanced)
      .plb("L6", -150)
      .plb("FB", -5'000, "FB-1");
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) ==
             "claim 0 advance 790.00 advanced_claim; claim 1 payable 120.00 not_advanced; "
             "provider_adjustment 0 payable 1.50 beside_claims; provider_adjustment 1 carried 50.00 carried_forward");
  BOOST_TEST(sum_of(plan.rows) == given.draft.payment_amount);
  BOOST_TEST(sum_of(plan.rows, AllocationAccount::payable) == Money::cents(12'150));
}

// M6: a payer withholds for a claim that was never bought.
BOOST_AUTO_TEST_CASE(a_recovery_of_a_claim_that_was_never_bought_is_the_debt_of_the_practice_and_holds_no_claim) {
  for (const bool is_known : {true, false}) {
    Given given;
    given.claim(79'000, ClaimOwner::of_advance, given.advance())
        .claim(12'000, ClaimOwner::not_advanced)
        .balance(30'000, "ANOTHER")
        .plb("WO", 85'000, "NEVER-BOUGHT");
    given.adjustments.back().names_claim = is_known;
    const auto plan = given.plan();
    BOOST_TEST(shown(plan) == std::string("provider_adjustment 0 payable -850.00 ") +
                                  (is_known ? "claim_recovered" : "unknown_recovered") +
                                  "; claim 0 advance 790.00 advanced_claim; claim 1 payable 120.00 not_advanced");
    BOOST_TEST(!plan.is_held);
    BOOST_TEST(plan.holds.empty());
    BOOST_TEST(plan.missing.is_zero());
    BOOST_TEST((plan.outcomes == std::vector{ClaimOutcome::posted, ClaimOutcome::unmatched}));
  }
}

// The example of core/docs/waterfall.md.
BOOST_AUTO_TEST_CASE(the_worked_example_of_the_documentation) {
  Given given;
  given.claim(79'000, ClaimOwner::of_advance, given.advance())
      .claim(12'000, ClaimOwner::not_advanced)
      .plb("L6", -150)
      .plb("WO", 500, "UNKNOWN-1");
  const auto plan = given.plan();
  BOOST_TEST(given.draft.payment_amount == Money::cents(90'650));
  BOOST_TEST(shown(plan) ==
             "provider_adjustment 1 payable -5.00 unknown_recovered; claim 0 advance 790.00 advanced_claim; claim 1 "
             "payable 120.00 not_advanced; provider_adjustment 0 payable 1.50 beside_claims");
  const auto split = continue_allocation({}, {Money::cents(79'000), PaymentKind::processed, kTerms.billed}, kTerms);
  BOOST_TEST(sum_of(plan.rows, AllocationAccount::payable) + split.residual == Money::cents(25'370));
}

BOOST_AUTO_TEST_CASE(a_recovery_of_a_claim_that_was_never_advanced_is_the_debt_of_its_practice_and_holds_nothing) {
  Given given;
  given.claim(30'000, ClaimOwner::of_advance, given.advance()).plb("WO", 500, "SOMETHING-9");
  BOOST_TEST(shown(given.plan()) ==
             "provider_adjustment 0 payable -5.00 unknown_recovered; claim 0 advance 300.00 advanced_claim");
}

BOOST_AUTO_TEST_CASE(a_recovery_uses_the_balance_that_it_names) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance())
      .plb("FB", 70'000, "CLAIM-7 SMITH")
      .balance(10'000, "CLAIM-8")
      .balance(90'000, "CLAIM-7");
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) ==
             "provider_adjustment 0 carried -700.00 balance_recovered; claim 0 advance 800.00 advanced_claim");
  BOOST_TEST(plan.rows.front().balance->number == 2);
}

BOOST_AUTO_TEST_CASE(a_recovery_without_a_reference_uses_any_balance_of_the_practice_oldest_first) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance())
      .plb("WO", 15'000)
      .balance(10'000, "A")
      .balance(90'000, "B");
  BOOST_TEST(shown(given.plan()) ==
             "provider_adjustment 0 carried -100.00 balance_recovered; provider_adjustment 0 carried -50.00 "
             "balance_recovered; claim 0 advance 800.00 advanced_claim");
}

BOOST_AUTO_TEST_CASE(a_balance_is_never_used_across_practices) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance()).plb("WO", 15'000).balance(90'000, "A", kSouth);
  BOOST_TEST(shown(given.plan()) ==
             "provider_adjustment 0 payable -150.00 unknown_recovered; claim 0 advance 800.00 advanced_claim");
}

BOOST_AUTO_TEST_CASE(a_recovery_that_names_an_advanced_claim_is_taken_from_its_advance) {
  Given given;
  const auto paid = given.advance(79'000);
  given.claim(80'000, ClaimOwner::of_advance, given.advance()).plb("WO", 79'000, "CLAIM-1");
  given.adjustments.front().advance = paid;
  BOOST_TEST(shown(given.plan()) ==
             "provider_adjustment 0 advance -790.00 advance_recovered; claim 0 advance 800.00 advanced_claim");
}

BOOST_AUTO_TEST_CASE(a_takeback_that_was_withheld_before_is_not_taken_from_the_advance_again) {
  Given given;
  const auto advance = given.advance(29'000);
  given.advances[advance].recovered = Money::cents(50'000);
  given.claim(-79'000, ClaimOwner::of_advance, advance).plb("FB", -79'000);
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) ==
             "claim 0 advance -290.00 advanced_claim; provider_adjustment 0 carried 790.00 carried_forward; claim 0 "
             "carried -500.00 recovered_before");
  BOOST_TEST(plan.rows[2].balance->number == plan.rows[1].number);
  BOOST_TEST(sum_of(plan.rows) == Money{});
}

BOOST_AUTO_TEST_CASE(a_takeback_is_withheld_before_at_most_as_far_as_it_is_carried_forward) {
  Given given;
  const auto advance = given.advance(29'000);
  given.advances[advance].recovered = Money::cents(50'000);
  given.claim(-29'000, ClaimOwner::of_advance, advance).claim(20'000, ClaimOwner::not_advanced).plb("FB", -9'000);
  BOOST_TEST(shown(given.plan()) ==
             "claim 0 advance -200.00 advanced_claim; claim 1 payable 200.00 not_advanced; provider_adjustment 0 "
             "carried 90.00 carried_forward; claim 0 carried -90.00 recovered_before");
}

BOOST_AUTO_TEST_CASE(what_was_withheld_beyond_the_takeback_returns_to_the_advance_as_far_as_it_is_carried) {
  Given given;
  const auto advance = given.advance(69'000), other = given.advance(79'000);
  given.advances[advance].recovered = Money::cents(10'000);
  given.claim(-6'000, ClaimOwner::of_advance, advance).claim(-4'000, ClaimOwner::of_advance, other).plb("FB", -10'000);
  BOOST_TEST(
      shown(given.plan()) ==
      "claim 0 advance 40.00 advanced_claim; claim 1 advance -40.00 advanced_claim; provider_adjustment 0 carried "
      "100.00 carried_forward; claim 0 carried -100.00 recovered_before");
}

BOOST_AUTO_TEST_CASE(a_takeback_that_was_withheld_before_in_full_still_reverses_the_charge) {
  Given given;
  const auto advance = given.advance(79'000);
  given.advances[advance].recovered = Money::cents(10'000);
  given.claim(-10'000, ClaimOwner::of_advance, advance).plb("FB", -10'000);
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) ==
             "claim 0 advance 0.00 advanced_claim; provider_adjustment 0 carried 100.00 carried_forward; claim 0 "
             "carried -100.00 recovered_before");
  BOOST_TEST((plan.outcomes[0] == ClaimOutcome::posted));
}

BOOST_AUTO_TEST_CASE(the_lines_of_one_remittance_for_one_advance_count_together) {
  Given given;
  const auto advance = given.advance();
  given.claim(30'000, ClaimOwner::of_advance, advance).claim(-10'000, ClaimOwner::of_advance, advance);
  BOOST_TEST(shown(given.plan()) == "claim 1 advance -100.00 advanced_claim; claim 0 advance 300.00 advanced_claim");
}

BOOST_AUTO_TEST_CASE(an_advance_below_zero_does_not_stop_the_other_lines) {
  Given given;
  const auto below = given.advance();
  given.advances[below].position.paid = Money::cents(-100);
  given.claim(79'000, ClaimOwner::of_advance, given.advance());
  BOOST_TEST(shown(given.plan()) == "claim 0 advance 790.00 advanced_claim");
}

BOOST_AUTO_TEST_CASE(a_payment_that_waits_does_not_cover_a_takeback_beside_it) {
  Given given;
  const auto advance = given.advance(90'000);
  given.claim(-95'000, ClaimOwner::of_advance, advance).claim(110'000, ClaimOwner::of_advance, advance);
  const auto plan = given.plan();
  BOOST_TEST(plan.is_held);
  BOOST_TEST(plan.rows.empty());
  BOOST_TEST(holds(plan, HoldReason::takeback_beyond_payments));
}

BOOST_AUTO_TEST_CASE(a_reviewer_charges_a_takeback_to_the_practice_that_no_posted_payment_covers) {
  Given given;
  const auto advance = given.advance();
  given.claim(-5'000, ClaimOwner::of_advance, advance).claim(110'000, ClaimOwner::of_advance, advance);
  BOOST_TEST(given.plan().is_held);
  given.accepts_short = true;
  BOOST_TEST(shown(given.plan()) == "claim 0 payable -50.00 takeback_beyond_payments");
}

BOOST_AUTO_TEST_CASE(a_recovery_beyond_the_payments_names_its_advance) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance()).plb("WO", 10'000, "CLAIM-1");
  given.adjustments.front().advance = given.advance();
  const auto plan = given.plan();
  BOOST_TEST(plan.is_held);
  BOOST_REQUIRE(plan.holds.size() == 1u);
  BOOST_TEST((plan.holds[0].settlement == given.advances[1].settlement));
  BOOST_TEST(!plan.holds[0].claim.has_value());
}

BOOST_AUTO_TEST_CASE(a_balance_of_a_payee_without_advances_is_used_by_every_practice) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance()).plb("WO", 15'000).balance(90'000, "A", kSouth);
  given.balances.front().practice.clear();
  BOOST_TEST(shown(given.plan()) ==
             "provider_adjustment 0 carried -150.00 balance_recovered of 1234567893; claim 0 advance 800.00 "
             "advanced_claim");
}

BOOST_AUTO_TEST_CASE(a_takeback_beyond_the_payments_holds_the_whole_remittance) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance())
      .claim(-79'000, ClaimOwner::of_advance, given.advance(50'000));
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) == "");
  BOOST_TEST(plan.is_held);
  BOOST_TEST(holds(plan, HoldReason::takeback_beyond_payments));
  given.accepts_short = true;  // the practice owes what the payer takes back beyond its payments
  BOOST_TEST(
      shown(given.plan()) ==
      "claim 1 advance -500.00 advanced_claim; claim 1 payable -290.00 takeback_beyond_payments; claim 0 advance "
      "800.00 advanced_claim");
}

BOOST_AUTO_TEST_CASE(a_takeback_whose_advance_is_in_question_holds_the_whole_remittance) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance()).claim(-10'000, ClaimOwner::in_question);
  BOOST_TEST(holds(given.plan(), HoldReason::takeback_in_question));
  BOOST_TEST(given.plan().rows.empty());
}

BOOST_AUTO_TEST_CASE(a_payment_in_question_waits_alone) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance()).claim(10'000, ClaimOwner::in_question);
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) == "claim 0 advance 800.00 advanced_claim");
  BOOST_TEST(plan.waiting == Money::cents(10'000));
  BOOST_TEST((plan.outcomes[1] == ClaimOutcome::unmatched));
}

BOOST_AUTO_TEST_CASE(a_payment_for_an_advance_that_is_not_funded_waits_alone) {
  Given given;
  given.claim(80'000, ClaimOwner::of_advance, given.advance())
      .claim(10'000, ClaimOwner::of_advance, given.advance(0, false));
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) == "claim 0 advance 800.00 advanced_claim");
  BOOST_TEST((plan.outcomes[1] == ClaimOutcome::waits));
}

BOOST_AUTO_TEST_CASE(a_takeback_frees_the_position_of_its_correction) {
  Given given;
  const auto advance = given.advance(79'000);
  given.claim(60'000, ClaimOwner::of_advance, advance).claim(-79'000, ClaimOwner::of_advance, advance);
  BOOST_TEST(shown(given.plan()) ==
             "claim 1 advance -790.00 advanced_claim; claim 0 advance 600.00 advanced_claim; payment 0 carried 190.00 "
             "carried_forward");
}

BOOST_AUTO_TEST_CASE(missing_money_holds_the_whole_remittance_until_it_is_accepted) {
  Given given;
  given.claim(79'000, ClaimOwner::of_advance, given.advance()).claim(20'000, ClaimOwner::not_advanced);
  given.funds = Money::cents(80'000);
  const auto plan = given.plan();
  BOOST_TEST(plan.is_held);
  BOOST_TEST(plan.missing == Money::cents(19'000));
  given.accepts_short = true;
  BOOST_TEST(shown(given.plan()) ==
             "claim 0 advance 790.00 advanced_claim; claim 1 payable 200.00 not_advanced; shortfall 0 advance -190.00 "
             "accepted_short");
}

BOOST_AUTO_TEST_CASE(the_residual_bears_missing_money_before_the_funder) {
  Given given;
  const auto without_residual = given.advance(), with_residual = given.advance();
  given.claim(65'280, ClaimOwner::of_advance, without_residual).claim(80'000, ClaimOwner::of_advance, with_residual);
  given.accepts_short = true;
  given.funds = given.draft.payment_amount - Money::cents(15'000);
  const auto plan = given.plan();
  BOOST_TEST(plan.rows.size() == 4u);
  BOOST_TEST(plan.rows[2].index == 0);
  BOOST_TEST(plan.rows[2].amount == Money::cents(-280));  // 150.00 less the residual of the other, 147.20
  BOOST_TEST(plan.rows[3].amount == Money::cents(-14'720));
}

BOOST_AUTO_TEST_CASE(no_more_is_missing_of_a_payment_than_its_takeback_leaves) {
  Given given;
  const auto advance = given.advance();
  given.claim(-79'000, ClaimOwner::of_advance, advance)
      .claim(80'000, ClaimOwner::of_advance, advance)
      .claim(50'000, ClaimOwner::of_advance, given.advance());
  given.accepts_short = true;
  given.funds = Money::cents(20'000);
  BOOST_TEST(shown(given.plan()) ==
             "claim 0 advance -790.00 advanced_claim; claim 1 advance 800.00 advanced_claim; claim 2 advance 500.00 "
             "advanced_claim; shortfall 1 advance -10.00 accepted_short; shortfall 2 advance -300.00 accepted_short");
}

BOOST_AUTO_TEST_CASE(no_more_can_be_missing_than_the_advances_are_paid) {
  Given given;
  given.claim(10'000, ClaimOwner::of_advance, given.advance()).claim(50'000, ClaimOwner::not_advanced);
  given.accepts_short = true;
  given.funds = Money::cents(40'000);
  BOOST_TEST(given.plan().is_held);
  BOOST_TEST(given.plan().missing == Money::cents(10'000));
}

BOOST_AUTO_TEST_CASE(a_payment_above_the_charge_waits_for_a_reviewer) {
  Given given;
  given.claim(100'001, ClaimOwner::of_advance, given.advance());
  const auto plan = given.plan();
  BOOST_TEST(holds(plan, HoldReason::above_charge));
  BOOST_TEST(plan.holds.front().amount == Money::cents(1));
  BOOST_TEST(plan.rows.empty());
  BOOST_TEST(!plan.is_held);
}

BOOST_AUTO_TEST_CASE(rows_that_stand_are_not_planned_again) {
  Given given;
  given.claim(79'000, ClaimOwner::of_advance, given.advance(79'000)).plb("L6", -150);
  given.claims.front().is_open = false;
  given.standing = Money::cents(79'000);
  given.funds = Money::cents(150);
  BOOST_TEST(shown(given.plan()) == "provider_adjustment 0 payable 1.50 beside_claims");
}

BOOST_AUTO_TEST_CASE(a_balance_of_an_unknown_payer_waits_for_the_payer) {
  Given given;
  given.draft.payer_id.clear();
  given.claim(79'000, ClaimOwner::not_advanced).plb("FB", -500);
  const auto plan = given.plan();
  BOOST_TEST(shown(plan) == "claim 0 payable 790.00 not_advanced");
  BOOST_TEST(holds(plan, HoldReason::payer_unknown));
}

BOOST_AUTO_TEST_CASE(an_opposite_row_cancels_the_row_that_it_names) {
  AllocationRow row;
  row.number = 1;
  row.amount = Money::cents(100);
  auto opposite = opposite_of(row);
  opposite.number = 2;
  AllocationRow other = row;
  other.number = 3;
  const auto left = standing({row, opposite, other});
  BOOST_TEST(left.size() == 1u);
  BOOST_TEST(left.front().number == 3);
  BOOST_TEST(next_number({row, opposite, other}) == 4);
}

BOOST_AUTO_TEST_SUITE_END()
