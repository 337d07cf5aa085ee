// Payments of a tenant whose clock was moved: leases, the rail journal and the comparison with the rail have the real
// time (core/docs/sandbox_clock.md).
#include "core/usecases/audit/verify_ledger.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"
#include "core/usecases/sandbox/simulate_transfers.hpp"
#include "tests/usecases/funding/witness_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using fakes::FakeRail;
using ports::RailRecall;
using tests::refusal_of;
using tests::why;
using tests::WitnessWorld;
using Kind = ports::RailOutcome::Kind;

namespace {

struct MovedWorld : WitnessWorld {
  using WitnessWorld::WitnessWorld;

  void resolve_now() {
    const auto done = (*resolve_disbursements)();
    BOOST_REQUIRE_MESSAGE(done, "resolving failed: " << why(done));
  }
  domain::Timestamp now_of_tenant() { return ports::now_of(clock, caller.tenant); }
  std::size_t findings() {
    same_day.description.has_statement = true;
    usecases::ReconcileRails reconcile{*store, *disburse, rails, journal, clock, ids, {}};
    const auto report = reconcile(clock.now().plus_days(-1), clock.now().plus_days(1));
    BOOST_REQUIRE_MESSAGE(report, "comparing failed: " << why(report));
    return report->findings.size();
  }
  std::int64_t breaches_without_journal() {
    const fakes::MemoryJournal empty;
    const auto look = [&] {
      return domain::Result(std::shared_ptr<const ports::RailJournal>(std::shared_ptr<void>(), &empty));
    };
    const auto found = usecases::VerifyLedger(*sql, checkpoints, usecases::OwnWitness{look, clock, ""})();
    BOOST_REQUIRE_MESSAGE(found, "verifying failed: " << why(found));
    return found->breaches;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(moved_funding, MovedWorld)

BOOST_AUTO_TEST_CASE(an_advance_leaves_a_payment_in_progress_to_its_worker) {
  for (const auto recall : {RailRecall::dedup, RailRecall::query}) {
    MovedWorld world(recall);
    const auto terms = world.ready();
    world.same_day.during_submit = [&] {
      world.shift_clock_days(30);
      world.resolve_now();
    };
    const auto confirmed = world.try_confirm(terms.id);
    BOOST_REQUIRE_MESSAGE(confirmed, "the confirmation was refused: " << why(confirmed));
    BOOST_TEST(world.attempt(terms.id).epoch == 1);
    BOOST_TEST(world.attempt(terms.id).state == AttemptState::accepted);
    world.check_funded_once(terms);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(the_lease_of_a_worker_that_is_gone_ends_in_real_time) {
  const auto terms = ready();
  store->die_after(2);  // the rail paid, and its answer is lost with the process
  BOOST_TEST(!try_confirm(terms.id));
  store->revive();
  shift_clock_days(30);
  resolve_now();
  BOOST_TEST(attempt(terms.id).state == AttemptState::submitting);
  clock.advance_s(61);
  resolve_now();
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(the_next_question_about_a_lost_answer_follows_the_clock) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  resolve_now();
  BOOST_TEST(attempt(terms.id).state == AttemptState::unknown);
  shift_clock_days(1);
  resolve_now();
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(the_rail_journal_has_the_real_time) {
  shift_clock_days(40);
  journal.damaged_until_ms = clock.now().ms();  // it may have lost entries until now
  const ports::InTimeOf in_time(clock, caller.tenant);
  const auto terms = ready();
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  BOOST_TEST(same_day.calls().front() == "query");
  BOOST_REQUIRE(journal.entries().size() == 1u);
  BOOST_TEST(journal.entries()[0].at == ports::real_now(clock));
  BOOST_TEST(attempt(terms.id).created_at == now_of_tenant());
}

BOOST_AUTO_TEST_CASE(a_payment_that_the_journal_proves_gets_the_time_of_its_tenant) {
  const auto terms = ready();
  happened_and_was_forgotten(terms, true);
  shift_clock_days(40);
  auto replaying = replay();
  BOOST_TEST(replaying()->adopted == 1u);
  check_funded_once(terms);
  BOOST_TEST(attempt(terms.id).created_at == now_of_tenant());
  BOOST_TEST(*settlement(terms.id).funded_at == now_of_tenant());
}

BOOST_AUTO_TEST_CASE(a_moved_tenant_is_not_compared_with_the_statement) {
  same_day.description.recall = RailRecall::blind;
  same_day.taken_at = clock.now();
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  shift_clock_days(1);
  BOOST_TEST(findings() == 0u);
  BOOST_TEST(attempt(terms.id).state == AttemptState::manual);  // not adopted either
  shift_clock_days(0);
  BOOST_TEST(findings() == 1u);
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_lost_payment_of_a_moved_tenant_is_not_adopted_from_the_statement) {
  same_day.taken_at = clock.now();
  const auto terms = ready();
  happened_and_was_forgotten(terms, true);
  shift_clock_days(1);
  BOOST_TEST(findings() == 0u);
  BOOST_TEST((settlement(terms.id).funding_status == domain::FundingStatus::none));
  shift_clock_days(0);
  BOOST_TEST(findings() == 1u);
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_simulated_return_is_no_disagreement_with_the_rail) {
  same_day.description.simulated = true;
  same_day.taken_at = clock.now();
  const auto settlement = funded("CLM-1");
  usecases::SimulateTransfers simulate(*store, *disburse, rails, ids);
  const auto returned =
      simulate(context("return"), {attempt(settlement.id).id.text(), Kind::returned, "R02"},
               [](const domain::DisbursementAttempt& stands) { return std::string(name_of(stands.state)); });
  BOOST_REQUIRE_MESSAGE(returned, "the return was refused: " << why(returned));
  BOOST_TEST(findings() == 0u);
  BOOST_TEST(tasks("rail_disagreement").empty());
  same_day.description.simulated = false;
  clock.advance_s(1);  // an attempt that ended when the statement was made is newer than it
  BOOST_TEST(findings() == 1u);
}

BOOST_AUTO_TEST_CASE(a_payment_over_an_irrevocable_rail_does_not_come_back) {
  same_day.description.simulated = true;
  same_day.description.irrevocable = true;
  const auto settlement = funded("CLM-1");
  usecases::SimulateTransfers simulate(*store, *disburse, rails, ids);
  const auto returned =
      simulate(context("return"), {attempt(settlement.id).id.text(), Kind::returned, "R02"},
               [](const domain::DisbursementAttempt& stands) { return std::string(name_of(stands.state)); });
  BOOST_REQUIRE(!returned);
  BOOST_TEST(returned.error().code == ErrorCode::invalid_state);
  BOOST_TEST(returned.error().message.find("irrevocable") != std::string::npos);
  check_funded_once(settlement);
}

BOOST_AUTO_TEST_CASE(payments_of_a_moved_tenant_are_not_compared_with_the_journal) {
  funded("CLM-1");
  BOOST_TEST(breaches_without_journal() == 1);
  shift_clock_days(1);
  BOOST_TEST(breaches_without_journal() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
