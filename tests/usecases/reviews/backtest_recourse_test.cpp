// Back-tests of recourse policies on stored events, in cents.
#include "core/usecases/rules/backtest_recourse.hpp"
#include "tests/usecases/allocation/recourse_world.hpp"

using namespace tideover;
using domain::Money;
using domain::RecourseEvent;

namespace {

struct RecourseBacktest : tests::RecourseWorld {
  RecourseBacktest() { ids.bear_time_of(clock); }
  fakes::FakeRules candidate;

  usecases::RecourseComparison compare(const usecases::RecoursePeriod& period = {}) {
    auto compared = usecases::BacktestRecourse(*store, {})(caller.tenant, rules, candidate, period);
    BOOST_REQUIRE_MESSAGE(compared, tests::why(compared));
    return *compared;
  }
  /// "loss 40.00 debt 0.00 used 0.00 filled 0.00 fees 12.80"
  static std::string shown(const usecases::RecourseSums& sums) {
    return "loss " + format_money(sums.funder_loss) + " debt " + format_money(sums.practice_debt) + " used " +
           format_money(sums.reserve_used) + " filled " + format_money(sums.reserve_filled) + " fees " +
           format_money(sums.fees);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(backtest_recourse, RecourseBacktest)

BOOST_AUTO_TEST_CASE(stored_events_are_replayed_per_payer_and_in_all) {
  fund({"A"});
  fund({"B"});
  fund({"C", 100'000, "OTHER"});
  pays("A", 60'000, "1");
  pays("B", 79'000, "2");
  arrives(tests::Cash{"D3", 50'000, "T3", 0, "OTHER"});
  arrives(tests::Remittance{"N3", "T3", {{"C", 50'000}}, 0, "OTHER"});
  candidate.bears = [](const domain::RecourseFacts& facts) {
    domain::RecourseProposal proposal;
    proposal.split.future_residuals = Money::cents(1'000);
    proposal.split.funder = facts.amount - proposal.split.future_residuals;
    return std::optional(proposal);
  };
  const auto compared = compare();
  BOOST_TEST(compared.total.events == 2);
  BOOST_TEST(compared.changed == 2);
  BOOST_TEST(compared.refused == 0);
  BOOST_TEST(shown(compared.total.before) == "loss 180.00 debt 0.00 used 0.00 filled 0.00 fees 12.80");
  BOOST_TEST(shown(compared.total.after) == "loss 160.00 debt 20.00 used 0.00 filled 0.00 fees 12.80");
  BOOST_REQUIRE(compared.payers.size() == 2u);
  BOOST_TEST(shown(compared.payers.at("PAYER").after) == "loss 30.00 debt 10.00 used 0.00 filled 0.00 fees 12.80");
  BOOST_TEST(shown(compared.payers.at("OTHER").after) == "loss 130.00 debt 10.00 used 0.00 filled 0.00 fees 0.00");
}

BOOST_AUTO_TEST_CASE(the_reserve_of_the_candidate_follows_its_own_decisions) {
  fund({"A"});
  fund({"B"});
  arrives(tests::Cash{"D1", 102'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 102'000}}});
  const auto task = task_about("N1");
  BOOST_REQUIRE(bool(decide(task, domain::kAcceptOver, proposals(task).front().id)));
  clock.advance_s(1);
  pays("B", 60'000, "2");
  candidate.bears = [](const domain::RecourseFacts& facts) {
    domain::RecourseProposal proposal;
    const bool is_credit = facts.event == RecourseEvent::overpayment;
    proposal.split.reserve = is_credit ? facts.amount : std::min(facts.amount, facts.reserve);
    proposal.split.funder = facts.amount - proposal.split.reserve;
    return std::optional(proposal);
  };
  const auto compared = compare();
  BOOST_TEST(shown(compared.total.before) == "loss 40.00 debt 0.00 used 0.00 filled 0.00 fees 12.80");
  BOOST_TEST(shown(compared.total.after) == "loss 20.00 debt 0.00 used 20.00 filled 20.00 fees 12.80");
}

BOOST_AUTO_TEST_CASE(an_event_that_was_undone_does_not_count) {
  fund({"A"});
  pays("A", 60'000, "1");
  must_return("D1");
  BOOST_TEST(compare().total.events == 0);
}

BOOST_AUTO_TEST_CASE(only_events_of_the_period_count) {
  fund({"A"});
  pays("A", 60'000, "1");
  const auto day = clock.now().utc_date();
  clock.advance_days(2);
  fund({"B"});
  pays("B", 79'000, "2");
  BOOST_TEST(compare({day, day}).total.events == 1);
  BOOST_TEST(compare({day.plus(1), std::nullopt}).total.events == 0);
  BOOST_TEST(compare({day, day}).total.before.fees.is_zero());
  BOOST_TEST(compare({day.plus(1), std::nullopt}).total.before.fees.cents() == 1'280);
}

BOOST_AUTO_TEST_CASE(the_fees_are_those_of_the_tiers_of_each_side) {
  fund({"A"});
  fund({"B"});
  clock.advance_days(40);
  pays("A", 79'000, "1");
  pays("B", 64'500, "2");  // 5.00 of the fee of 12.80
  candidate.recourse.fee_tiers = {{31, 300}};
  const auto compared = compare();
  BOOST_TEST(compared.total.before.fees.cents() == 1'280 + 500);
  BOOST_TEST(compared.total.after.fees.cents() == 1'920 + 500);
}

BOOST_AUTO_TEST_SUITE_END()
