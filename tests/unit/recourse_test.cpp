// Recourse: rules propose who bears an amount, the domain bounds; the values of the policy; the fee by days.
#include "core/domain/funding/recourse.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "core/domain/reconciliation/reconciliation.hpp"
#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

namespace {

RecourseSplit split(std::int64_t future, std::int64_t reserve, std::int64_t funder) {
  return {Money::cents(future), Money::cents(reserve), Money::cents(funder)};
}

RecourseFacts facts(RecourseEvent event, const RecourseSplit& usual, std::int64_t reserve = 0) {
  RecourseFacts facts;
  facts.event = event;
  facts.usual = usual;
  facts.amount = usual.sum();
  facts.reserve = Money::cents(reserve);
  return facts;
}

std::string shown(const RecourseSplit& split) {
  return format_money(split.future_residuals) + ' ' + format_money(split.reserve) + ' ' + format_money(split.funder);
}

BoundedTerms offer(std::int64_t advance = 64'000, std::int64_t fee = 1'280) {
  BoundedTerms bounded;
  bounded.decision = Decision::approved;
  bounded.terms = {8000, Money::cents(advance), 200, Money::cents(fee)};
  return bounded;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recourse)

BOOST_AUTO_TEST_CASE(a_proposal_within_the_bounds_decides_and_any_other_leaves_the_usual_bearers) {
  using Event = RecourseEvent;
  const struct {
    const char* what;
    RecourseFacts given;
    RecourseSplit proposed;
    const char* decided;
    const char* moved;  // credits of practice, reserve and loss
    bool is_refused;
  } rows[] = {
      {"the usual bearers", facts(Event::takeback, split(0, 0, 640'00)), split(0, 0, 640'00), "0.00 0.00 640.00",
       "0.00 0.00 0.00", false},
      {"the practice bears a lost advance", facts(Event::short_payment, split(0, 0, 100'00)), split(100'00, 0, 0),
       "100.00 0.00 0.00", "-100.00 0.00 100.00", false},
      {"reserve, practice and funder share", facts(Event::short_payment, split(0, 0, 100'00), 30'00),
       split(50'00, 30'00, 20'00), "50.00 30.00 20.00", "-50.00 -30.00 80.00", false},
      {"more than the reserve holds", facts(Event::short_payment, split(0, 0, 100'00), 30'00), split(0, 30'01, 69'99),
       "0.00 0.00 100.00", "0.00 0.00 0.00", true},
      {"a reserve below zero holds nothing", facts(Event::takeback, split(1, 0, 0), -5), split(0, 1, 0),
       "0.01 0.00 0.00", "0.00 0.00 0.00", true},
      {"too little", facts(Event::takeback, split(0, 0, 100'00)), split(0, 0, 99'99), "0.00 0.00 100.00",
       "0.00 0.00 0.00", true},
      {"a part below zero", facts(Event::takeback, split(0, 0, 100'00)), split(-1, 0, 100'01), "0.00 0.00 100.00",
       "0.00 0.00 0.00", true},
      {"the funder bears a foreign recovery", facts(Event::foreign_recovery, split(5'00, 0, 0)), split(0, 0, 5'00),
       "0.00 0.00 5.00", "5.00 0.00 -5.00", false},
      {"an overpayment is held", facts(Event::overpayment, split(100'00, 0, 0)), split(0, 100'00, 0),
       "0.00 100.00 0.00", "-100.00 100.00 0.00", false},
      {"the funder keeps no overpayment", facts(Event::overpayment, split(100'00, 0, 0)), split(0, 0, 100'00),
       "100.00 0.00 0.00", "0.00 0.00 0.00", true},
      {"the funder bears a returned deposit", facts(Event::returned_deposit, split(150'00, 0, 0)),
       split(50'00, 0, 100'00), "50.00 0.00 100.00", "100.00 0.00 -100.00", false},
  };
  for (const auto& row : rows) BOOST_TEST_CONTEXT(row.what) {
      const auto decision = bound_recourse(RecourseProposal{row.proposed, {"why"}}, row.given);
      BOOST_TEST(shown(decision.split) == row.decided);
      BOOST_TEST(shown(transfer_of(decision, row.given)) == row.moved);
      BOOST_TEST(decision.problem.empty() == !row.is_refused);
      BOOST_TEST(decision.reasons == std::vector<std::string>{"why"});
    }
}

BOOST_AUTO_TEST_CASE(without_an_answer_the_usual_bearers_keep_the_amount) {
  const auto given = facts(RecourseEvent::takeback, split(137'20, 0, 640'00));
  const auto decision = bound_recourse(std::nullopt, given);
  BOOST_TEST((decision.split == given.usual));
  BOOST_TEST((transfer_of(decision, given) == RecourseSplit{}));
}

BOOST_AUTO_TEST_CASE(no_proposal_makes_or_destroys_money) {
  std::mt19937 random(11);
  const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int i = 0; i < 20'000; ++i) {
    const auto given =
        facts(static_cast<RecourseEvent>(number(0, 4)), split(number(0, 9), number(0, 9), number(0, 9)), number(-3, 9));
    const auto decision =
        bound_recourse(RecourseProposal{split(number(-1, 12), number(-1, 12), number(-1, 12)), {}}, given);
    BOOST_REQUIRE((decision.split.sum() == given.amount));
    BOOST_REQUIRE((transfer_of(decision, given).sum().is_zero()));
  }
}

BOOST_AUTO_TEST_CASE(values_out_of_range_become_the_nearest_and_are_named) {
  RecoursePolicy policy;
  policy.hold_days = 91;
  policy.reserve_bps = 5'001;
  policy.reserve_days = 0;
  policy.least_advance = Money::cents(-1);
  policy.least_fee = Money::cents(-1);
  policy.balance_floor = Money::cents(1);
  policy.fee_tiers = {{31, 300}, {31, 400}};
  std::vector<std::string> problems;
  const auto within = bounded(policy, problems);
  BOOST_TEST(problems.size() == 7u);
  BOOST_TEST(within.hold_days == 90);
  BOOST_TEST(within.reserve_bps == 5'000);
  BOOST_TEST(within.reserve_days == 1);
  BOOST_TEST(within.least_advance.is_zero());
  BOOST_TEST(within.least_fee.is_zero());
  BOOST_TEST((within.balance_floor == Money{}));
  BOOST_TEST(within.fee_tiers.empty());
  problems.clear();
  bounded({}, problems);
  BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(fee_tiers_must_rise_by_day_and_by_fee) {
  const auto refused = [](std::vector<FeeTier> tiers) {
    RecoursePolicy policy;
    policy.fee_tiers = std::move(tiers);
    std::vector<std::string> problems;
    return bounded(policy, problems).fee_tiers.empty() && problems.size() == 1;
  };
  BOOST_TEST(!refused({{1, 0}, {730, 10'000}}));
  BOOST_TEST(refused({{0, 100}}));
  BOOST_TEST(refused({{731, 100}}));
  BOOST_TEST(refused({{31, 300}, {61, 299}}));
  BOOST_TEST(refused({{31, 10'001}}));
}

BOOST_AUTO_TEST_CASE(the_default_policy_changes_no_terms) {
  auto bounded = offer();
  apply_policy(bounded, {}, {}, 30, Money::cents(-1'000'000));
  BOOST_TEST(bounded.terms.fee_estimate.cents() == 1'280);
  BOOST_TEST(bounded.terms.fee_steps.empty());
  BOOST_TEST(bounded.terms.hold_days == 0);
  BOOST_TEST(bounded.terms.reserve_bps == 0);
  BOOST_TEST(bounded.decision == Decision::approved);
  BOOST_TEST(bounded.reasons.empty());
  for (const int days : {0, 1, 1000}) BOOST_TEST(fee_after(bounded.terms, days).cents() == 1'280);
}

BOOST_AUTO_TEST_CASE(the_fee_rises_by_the_days_of_the_tiers_up_to_the_limit) {
  RecoursePolicy policy;
  policy.fee_tiers = {{31, 300}, {61, 450}, {91, 2'000}};
  auto bounded = offer();
  apply_policy(bounded, policy, {9'000, 1'000}, 45, std::nullopt);
  const auto& terms = bounded.terms;
  BOOST_TEST(terms.fee_estimate.cents() == 1'920);  // expected in 45 days
  const std::pair<int, int> days_and_fees[] = {{0, 1'280},  {30, 1'280}, {31, 1'920}, {60, 1'920},
                                               {61, 2'880}, {90, 2'880}, {91, 6'400}, {5'000, 6'400}};
  for (const auto& [days, fee] : days_and_fees) BOOST_TEST(fee_after(terms, days).cents() == fee);
  BOOST_TEST(largest_fee(terms).cents() == 6'400);  // 10 % of the advance, not 20 %
}

BOOST_AUTO_TEST_CASE(the_least_fee_is_within_the_limit_and_no_tier_is_below_it) {
  RecoursePolicy policy;
  policy.least_fee = Money::cents(2'500);
  policy.fee_tiers = {{31, 300}};
  auto bounded = offer();
  apply_policy(bounded, policy, {}, 0, std::nullopt);
  BOOST_TEST(fee_after(bounded.terms, 0).cents() == 2'500);
  BOOST_TEST(fee_after(bounded.terms, 31).cents() == 2'500);
  auto small = offer(1'000, 20);
  apply_policy(small, policy, {}, 0, std::nullopt);
  BOOST_TEST(fee_after(small.terms, 0).cents() == 100);  // 10 % of 10.00
}

BOOST_AUTO_TEST_CASE(below_the_least_advance_or_the_floor_nothing_is_offered) {
  RecoursePolicy policy;
  policy.least_advance = Money::cents(5'000);
  policy.balance_floor = Money::cents(-10'000);
  const auto decided = [&](std::int64_t advance, std::optional<Money> balance) {
    auto bounded = offer(advance, 1);
    apply_policy(bounded, policy, {}, 0, balance);
    return std::string(name_of(bounded.decision)) + (bounded.reasons.empty() ? "" : " " + bounded.reasons.front());
  };
  BOOST_TEST(decided(5'000, Money::cents(-10'000)) == "approved");
  BOOST_TEST(decided(4'999, Money::cents(0)) == "declined advance_below_least");
  BOOST_TEST(decided(5'000, Money::cents(-10'001)) == "declined practice_balance_below_floor");
  BOOST_TEST(decided(5'000, std::nullopt) == "approved");
}

BOOST_AUTO_TEST_CASE(an_undone_entry_does_not_stand_whatever_the_order) {
  RecourseEntry entry;
  entry.id = LedgerTransactionId::trusted("ltx_1");
  entry.held = Money::cents(5);
  entry.moved = split(-5, 5, 0);
  auto opposite = opposite_of(entry);
  opposite.id = LedgerTransactionId::trusted("ltx_0");
  BOOST_TEST(standing({entry, opposite}).empty());
  BOOST_TEST(standing({opposite, entry}).empty());
  BOOST_TEST(held_of({entry, opposite}).is_zero());
  BOOST_TEST(standing({entry}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(only_what_the_payer_did_not_owe_is_an_overpayment) {
  const AdvanceTerms terms{Money::cents(64'000), Money::cents(1'280), Money::cents(80'000), Money::cents(100'000)};
  const auto overpaid = [&](std::int64_t before, std::int64_t amount) {
    const auto position =
        before == 0 ? Position{} : continued({}, {Money::cents(before), PaymentKind::processed, terms.billed}, terms);
    return overpaid_by(position, Money::cents(amount), terms).cents();
  };
  BOOST_TEST(overpaid(0, 79'000) == 0);
  BOOST_TEST(overpaid(0, 95'000) == 0);  // above the estimate, within the charge
  BOOST_TEST(overpaid(0, 100'100) == 100);
  BOOST_TEST(overpaid(79'000, 79'000) == 78'000);  // the same payment twice
  BOOST_TEST(overpaid(90'000, 10'000) == 10'000);
  BOOST_TEST(overpaid(79'000, -79'000) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
