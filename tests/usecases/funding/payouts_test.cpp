// Payouts of residuals to providers: by the protocol of the advance, each cent at most once, none lost, and no payout
// is undone.
#include <string>
#include <tuple>

#include "core/usecases/funding/reconcile_rails.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/usecases/funding/payout_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Purpose;
using fakes::FakeRail;
using ports::RailRecall;
using tests::cents;
using tests::detail_of;
using tests::payout_body;
using tests::PayoutWorld;
using tests::refusal_body;
using tests::refusal_of;
using tests::task_body;
using tests::why;
using Kind = ports::RailOutcome::Kind;

BOOST_FIXTURE_TEST_SUITE(payouts, PayoutWorld)

BOOST_AUTO_TEST_CASE(a_payout_pays_books_and_stores_its_answer) {
  const auto id = paid();
  BOOST_TEST(due(id) == cents(13'720));
  BOOST_TEST(owed() == cents(13'720));
  same_day.during_submit = [&] {
    BOOST_TEST(payout(id).state == AttemptState::submitting);
    BOOST_TEST(pending("funding_cash") == cents(-13'720));
    BOOST_TEST(due(id) == domain::Money{});
    BOOST_TEST(owed() == cents(13'720));
    const auto witnessed = journal.entries().back();
    BOOST_TEST(name_of(witnessed.purpose) == "residual");
    BOOST_TEST(witnessed.attempt == 1);
    BOOST_TEST(witnessed.key == payout(id).rail_key);
    BOOST_TEST(witnessed.amount == cents(13'720));
  };
  const auto answer = pay(id, "k1");
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  check_paid_once(id);
  BOOST_TEST(payout(id).rail_key != attempt(id).rail_key);
  BOOST_TEST(same_day.payments()[payout(id).rail_key].payout_account_token == "tok_ok");
  BOOST_TEST(settlement(id).payout_status == FundingStatus::submitted);
  BOOST_TEST(settlement(id).status == domain::SettlementStatus::funded);
  BOOST_TEST(reconciliation(id).residual_paid_out == cents(13'720));
  BOOST_TEST(answer_under("pay " + id.text(), "k1")->body == answer->body);
  BOOST_TEST(events("settlement.funded") == 1);
}

BOOST_AUTO_TEST_CASE(a_payout_without_residual_is_refused) {
  fund({"B"});
  const auto id = settlements.at("B");
  BOOST_TEST(refusal_of(pay(id)) == ErrorCode::invalid_state);
  BOOST_TEST(refusal_of(pay(domain::SettlementId::of({9, 9}))) == ErrorCode::settlement_not_found);
  const auto paid_id = paid("A");
  BOOST_REQUIRE(bool(pay(paid_id, "k1")));
  const auto again = pay(paid_id, "k2");
  BOOST_TEST(refusal_of(again) == ErrorCode::invalid_state);
  BOOST_TEST(detail_of(again.error(), "residual_due") == "0.00");
  usecases::PayResidual switched_off{*store, *disburse, ids, false};
  BOOST_TEST(refusal_of(switched_off(context("pay"), paid_id.text(), payout_body, refusal_body)) ==
             ErrorCode::invalid_state);
  BOOST_TEST(received() == cents(13'720));
}

BOOST_AUTO_TEST_CASE(the_residual_of_each_payment_is_paid_out_under_its_own_key) {
  fund({"A", 100'000, "PAYER", {"99213", "99214"}});
  const auto id = settlements.at("A");
  for (const auto& [trace, amount, line] : {std::tuple("T1", 70'000, "99213"), std::tuple("T2", 9'000, "99214")}) {
    arrives(tests::Cash{std::string("D") + trace, amount, trace});
    arrives(tests::Remittance{std::string("N") + trace, trace, {{"A", amount, 50'000, std::nullopt, "1", "", line}}});
    const auto answer = pay(id);
    BOOST_REQUIRE_MESSAGE(answer, why(answer));
  }
  const auto whole = reconciliation(id);
  BOOST_REQUIRE(whole.payouts.size() == 2u);
  BOOST_TEST(whole.payouts[0].amount == cents(4'720));
  BOOST_TEST(whole.payouts[1].amount == cents(9'000));
  BOOST_TEST(whole.payouts[1].number == 2);
  BOOST_TEST(whole.payouts[0].rail_key != whole.payouts[1].rail_key);
  BOOST_TEST(whole.residual_paid_out == cents(13'720));
  BOOST_TEST(owed() == domain::Money{});
}

BOOST_AUTO_TEST_CASE(a_late_repeated_request_returns_its_own_payout) {
  const auto id = paid();
  same_day.description.max_amount = cents(10'000);
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(pay(id, "k1")) == ErrorCode::rail_outcome_unknown);
  resolve();
  const auto first = payout(id);
  BOOST_REQUIRE(bool(pay(id, "k2")));
  const auto again = pay(id, "k1");
  BOOST_REQUIRE_MESSAGE(again, why(again));
  BOOST_TEST(again->body == payout_body(first));
  BOOST_TEST(received() == cents(13'720));
}

BOOST_AUTO_TEST_CASE(a_residual_above_the_rail_limit_is_paid_in_parts) {
  const auto id = paid();
  same_day.description.max_amount = cents(10'000);
  BOOST_REQUIRE(bool(pay(id)));
  BOOST_TEST(due(id) == cents(3'720));
  BOOST_REQUIRE(bool(pay(id)));
  BOOST_TEST(due(id) == domain::Money{});
  BOOST_TEST(received() == cents(13'720));
}

BOOST_AUTO_TEST_CASE(a_rejected_payout_is_owed_again_and_opens_a_task) {
  const auto id = paid();
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  const auto refused = pay(id, "k1");
  BOOST_TEST(refusal_of(refused) == ErrorCode::rail_rejected);
  BOOST_TEST(answer_under("pay " + id.text(), "k1")->body == "refused rail_rejected");
  BOOST_TEST(due(id) == cents(13'720));
  BOOST_TEST(owed() == cents(13'720));
  BOOST_TEST(pending("funding_cash") == domain::Money{});
  BOOST_TEST(events("payout.rejected") == 1);
  (void)task_of(domain::kPayoutFailed);
  BOOST_TEST(claim_all() == 0);

  BOOST_REQUIRE(bool(pay(id, "k2")));
  BOOST_TEST(payout(id).number == 2);
  BOOST_TEST(tasks("payout_failed").empty());
  check_paid_once(id);
}

BOOST_AUTO_TEST_CASE(a_lost_answer_is_uncertain_and_the_resolver_completes_it_once) {
  for (const auto answer : {FakeRail::Answer::time_out_accepted, FakeRail::Answer::time_out_lost}) {
    PayoutWorld world;
    const auto id = world.paid();
    world.same_day.script = {{answer}};
    BOOST_TEST(refusal_of(world.pay(id, "k1")) == ErrorCode::rail_outcome_unknown);
    BOOST_TEST(world.settlement(id).payout_status == FundingStatus::unknown);
    BOOST_TEST(world.events("payout.unknown") == 1);
    BOOST_TEST(world.pending("funding_cash") == cents(-13'720));
    for (const char* key : {"k1", "k2"}) BOOST_TEST(refusal_of(world.pay(id, key)) == ErrorCode::rail_outcome_unknown);
    BOOST_TEST(world.claim_all() == 0);
    world.resolve();
    world.resolve();
    world.check_paid_once(id);
    BOOST_TEST(world.events("payout.unknown") == 1);
    const auto replayed = world.pay(id, "k1");
    BOOST_REQUIRE_MESSAGE(replayed, why(replayed));
    BOOST_TEST(replayed->replayed);
    BOOST_TEST(replayed->body == payout_body(world.payout(id)));
    BOOST_TEST(refusal_of(world.pay(id, "k2")) == ErrorCode::invalid_state);
    world.check_paid_once(id);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_payout_over_a_rail_without_queries_opens_a_task) {
  for (const bool paid : {true, false}) {
    PayoutWorld world;
    const auto id = world.paid();
    world.same_day.description.recall = RailRecall::blind;
    world.same_day.script = {{paid ? FakeRail::Answer::time_out_accepted : FakeRail::Answer::time_out_lost}};
    BOOST_TEST(refusal_of(world.pay(id)) == ErrorCode::rail_outcome_unknown);
    BOOST_TEST(world.payout(id).state == AttemptState::manual);
    BOOST_TEST(refusal_of(world.pay(id)) == ErrorCode::rail_outcome_unknown);
    const auto decided = world.decide(domain::kPayoutUnknown, paid ? "paid" : "not_paid");
    BOOST_REQUIRE_MESSAGE(decided, why(decided));
    BOOST_TEST(world.tasks("payout_unknown").empty());
    if (!paid) {
      BOOST_TEST(world.due(id) == cents(13'720));
      BOOST_REQUIRE(bool(world.pay(id)));
    }
    world.check_paid_once(id);
    BOOST_TEST(world.attempt(id).state == AttemptState::accepted);  // the advance is not affected
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_returned_payout_is_owed_again_and_opens_a_task) {
  const auto id = paid();
  BOOST_REQUIRE(bool(pay(id)));
  same_day.now_stands(payout(id).rail_key, Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(payout(id).state == AttemptState::returned);
  BOOST_TEST(settlement(id).status == domain::SettlementStatus::funded);
  BOOST_TEST(settlement(id).payout_status == FundingStatus::returned);
  BOOST_TEST(due(id) == cents(13'720));
  BOOST_TEST(owed() == cents(13'720));
  BOOST_TEST(balance("funding_cash") == cents(-64'000));
  BOOST_TEST(events("payout.returned") == 1);
  BOOST_TEST(events("funding.returned") == 0);
  (void)task_of(domain::kPayoutFailed);
  BOOST_TEST(claim_all() == 0);
  BOOST_REQUIRE(bool(pay(id)));
  BOOST_TEST(owed() == domain::Money{});
  BOOST_TEST(tasks("payout_failed").empty());
}

BOOST_AUTO_TEST_CASE(a_match_with_a_payout_in_progress_or_paid_is_not_undone) {
  using Answer = FakeRail::Answer;
  for (const auto answer : {Answer::accept, Answer::time_out_accepted, Answer::reject}) {
    PayoutWorld world;
    world.fund({"A"});
    world.arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
    world.arrives(tests::Cash{"D1", 79'001, "T1"});
    const auto task = world.task_of(domain::kDepositUnmatched);
    const auto proposal = usecases::ReadTasks(*world.store).view(world.caller.tenant, task)->proposals.front().id;
    BOOST_REQUIRE(
        bool(world.decide_task(world.context("decide"), task, {"accept", "seen at the bank", proposal}, task_body)));
    const auto id = world.settlements.at("A");
    world.same_day.script = {{answer, "R03"}};
    (void)world.pay(id);

    const auto undone = world.decide_task.undo(world.context("undo"), task, "the bank erred", task_body);
    if (answer == Answer::reject) {  // no money was paid
      BOOST_TEST(bool(undone), why(undone));
      BOOST_TEST(world.due(id) == domain::Money{});
      BOOST_TEST(world.owed() == domain::Money{});
      BOOST_TEST(refusal_of(world.pay(id)) == ErrorCode::invalid_state);
    } else {
      BOOST_TEST(refusal_of(undone) == ErrorCode::invalid_state);
      BOOST_TEST(detail_of(undone.error(), "settlement_id") == id.text());
      BOOST_TEST(world.ends() == "D1 partly_matched; A settled by person; deposit_unmatched about D1");
      world.resolve();
      world.check_paid_once(id);
    }
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_payout_round_claims_due_residuals_without_open_tasks_and_the_resolver_sends_them) {
  const auto a = paid("A"), small = paid("B", 65'500), refused = paid("C");
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  BOOST_TEST(refusal_of(pay(refused)) == ErrorCode::rail_rejected);
  BOOST_TEST(due(small) == cents(220));
  BOOST_TEST(claim_all() == 1);
  BOOST_TEST(claim_all() == 0);
  BOOST_TEST(payout(a).state == AttemptState::intent);
  BOOST_TEST(*(*resolve_disbursements)() == 1);
  BOOST_TEST(payout(a).state == AttemptState::accepted);
  BOOST_TEST(due(a) == domain::Money{});
  BOOST_TEST(due(small) == cents(220));
  BOOST_TEST(received() == cents(13'720));
}

BOOST_AUTO_TEST_CASE(a_crash_at_any_commit_pays_the_residual_once) {
  for (const auto recall : {RailRecall::dedup, RailRecall::fence, RailRecall::query})
    for (int commits = 0; commits < 4; ++commits) {
      PayoutWorld world(recall);
      const auto id = world.paid();
      world.store->die_after(commits);
      const auto answer = world.pay(id, "k1");
      world.store->revive();
      for (int round = 0; round < 3; ++round) world.resolve();
      const auto again = world.pay(id, "k1");
      BOOST_TEST_CONTEXT(commits << " commits") {
        BOOST_TEST_MESSAGE(why(answer) << " / " << why(again));
        if (const auto task = world.tasks("payout_unknown");
            !task.empty()) {  // died before the rail was asked, and the rail's "not found" is not final
          BOOST_TEST((recall == RailRecall::query));
          BOOST_REQUIRE(bool(world.decide(domain::kPayoutUnknown, "not_paid")));
        }
        if (world.due(id) > domain::Money{}) BOOST_REQUIRE(bool(world.pay(id, "k2")));
        world.check_paid_once(id);
      }
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(a_lost_commit_or_commit_answer_pays_once) {
  for (const bool kept : {true, false})
    for (int commit = 1; commit <= 3; ++commit) {
      PayoutWorld world;
      const auto id = world.paid();
      if (kept)
        world.store->lose_answer_of_commit(commit);
      else
        world.store->lose_commit(commit);
      (void)world.pay(id, "k1");
      world.resolve();
      world.resolve();
      const auto again = world.pay(id, "k1");
      BOOST_TEST_CONTEXT("commit " << commit << (kept ? " kept" : " lost")) {
        BOOST_TEST(bool(again), why(again));
        world.check_paid_once(id);
      }
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(of_two_concurrent_requests_one_pays) {
  const auto id = paid();
  store->before_commit(1, [&] { BOOST_TEST(bool(pay(id, "k2"))); });
  BOOST_TEST(refusal_of(pay(id, "k1")) == ErrorCode::invalid_state);
  check_paid_once(id);
}

BOOST_AUTO_TEST_CASE(a_request_without_a_key_that_another_payout_overtakes_names_no_key) {
  const auto id = paid();
  store->before_commit(1, [&] { BOOST_TEST(claim_all() == 1); });
  const auto refused = pay(id);
  BOOST_TEST(refusal_of(refused) == ErrorCode::conflict);
  BOOST_TEST(refused.error().retry_after_s.value_or(0) == 1);
  resolve();
  check_paid_once(id);
}

BOOST_AUTO_TEST_CASE(a_request_concurrent_with_a_round_pays_once) {
  const auto id = paid();
  store->before_commit(1, [&] { BOOST_TEST(claim_all() == 1); });
  BOOST_TEST(refusal_of(pay(id, "k1")) == ErrorCode::idempotency_in_progress);
  resolve();
  check_paid_once(id);
}

BOOST_AUTO_TEST_CASE(a_payout_lost_by_the_database_is_adopted_from_the_journal_and_never_paid_again) {
  for (const auto recall : {RailRecall::dedup, RailRecall::fence, RailRecall::query, RailRecall::blind}) {
    // Before the restore: only its journal and the rail's books are left.
    PayoutWorld world(recall);
    const auto id = world.paid();
    domain::DisbursementAttempt lost;
    lost.rail_key = world.digests.digest("rail-key-residual-v1", world.caller.tenant.text() + '\n' + id.text() + "\n1");
    BOOST_REQUIRE(bool(world.journal.append({world.caller.tenant, id, Purpose::residual, 1, "SAME_DAY", lost.rail_key,
                                             cents(13'720), 1, world.clock.now(), AttemptState::accepted})));
    (void)world.same_day.submit({lost.rail_key, cents(13'720), "tok_ok", world.clock.now().utc_date()}, {});
    if (recall == RailRecall::query) {
      // A request comes before the replay: the journal knows its key.
      BOOST_TEST(bool(world.pay(id, "lost")));
    } else {
      auto replay = world.replay();
      const auto report = replay();
      BOOST_REQUIRE(bool(report));
      BOOST_TEST(report->adopted == 1u);
    }
    BOOST_TEST(world.payout(id).rail_key == lost.rail_key);
    BOOST_TEST(refusal_of(world.pay(id)) == ErrorCode::invalid_state);
    // A request whose key was lost with the database returns the payout, not the refusal that nothing is owed.
    const auto repeated = world.pay(id, "lost");
    BOOST_REQUIRE_MESSAGE(repeated, why(repeated));
    BOOST_TEST(repeated->body == payout_body(world.payout(id)));
    world.check_paid_once(id);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_payout_without_its_lost_payment_has_a_task_until_the_payment_is_posted_again) {
  fund({"A"});
  const auto id = settlements.at("A");
  const auto key = digests.digest("rail-key-residual-v1", caller.tenant.text() + '\n' + id.text() + "\n1");
  BOOST_REQUIRE(bool(journal.append(
      {caller.tenant, id, Purpose::residual, 1, "SAME_DAY", key, cents(13'720), 1, clock.now(), std::nullopt})));
  (void)same_day.submit({key, cents(13'720), "tok_ok", clock.now().utc_date()}, {});
  auto replaying = replay();
  BOOST_TEST(replaying()->adopted == 1u);
  BOOST_TEST(due(id) == cents(-13'720));
  BOOST_TEST(tasks("payment_unexpected").size() == 1u);
  BOOST_TEST(claim_all() == 0);
  arrives(tests::Cash{"D1", 79'000, "T1"});
  arrives(tests::Remittance{"N1", "T1", {{"A", 79'000}}});
  BOOST_TEST(claim_all() == 0);
  check_paid_once(id);
}

BOOST_AUTO_TEST_CASE(a_payout_of_unknown_outcome_is_adopted_from_the_statement) {
  same_day.description.has_statement = true;
  same_day.taken_at = clock.now();
  const auto id = paid();
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(pay(id)) == ErrorCode::rail_outcome_unknown);
  usecases::ReconcileRails reconcile{*store, *disburse, rails, journal, clock, ids, {}};
  const auto report = reconcile(clock.now().plus_days(-1), clock.now().plus_days(1), usecases::Reach::everything);
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_REQUIRE(report->findings.size() == 1u);
  BOOST_TEST(report->findings.front().adopted);
  check_paid_once(id);
}

BOOST_AUTO_TEST_CASE(over_a_rail_without_dedup_only_the_elected_node_sends) {
  PayoutWorld world(RailRecall::fence);
  const auto id = world.paid();
  usecases::DisburseOptions options;
  fakes::MemoryJournal journal_a, journal_b;
  options.node = "a";
  usecases::Disburse a{*world.store, world.rails, journal_a, world.clock, world.ids, world.digests, options};
  options.node = "b";
  usecases::Disburse b{*world.store, world.rails, journal_b, world.clock, world.ids, world.digests, options};
  BOOST_REQUIRE(bool(world.sql->commit([&](ports::Records& records) -> domain::Status {
    records.rail_senders().insert({"SAME_DAY", "b", 1, world.clock.now()});
    return {};
  })));
  usecases::PayResidual at_a{*world.store, a, world.ids, true};
  BOOST_TEST(refusal_of(at_a(world.context("pay", "k1"), id.text(), payout_body, refusal_body)) ==
             ErrorCode::idempotency_in_progress);
  BOOST_TEST(world.payout(id).state == AttemptState::intent);
  BOOST_TEST(*usecases::ResolveDisbursements(*world.store, a, world.clock, "a")() == 0);
  BOOST_TEST(*usecases::ResolveDisbursements(*world.store, b, world.clock, "b")() == 1);
  BOOST_TEST(journal_a.entries().empty());
  BOOST_TEST(journal_b.entries().size() == 1u);
  const auto again = at_a(world.context("pay", "k1"), id.text(), payout_body, refusal_body);
  BOOST_TEST(bool(again), why(again));
  world.check_paid_once(id);
  // No teardown: the fixture's own journal has no entry of this payout.
}

BOOST_AUTO_TEST_SUITE_END()
