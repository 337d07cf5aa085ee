// Confirming with the rail journal: entries that the database lost, a journal that cannot be written, the sending node,
// and the answer of a worker that lost its lease (core/docs/reliability.md#protocol-steps and #one-sending-node).
#include <thread>

#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/funding/paid_claim.hpp"
#include "core/usecases/funding/replay_journal.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::AttemptEvent;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementStatus;
using fakes::FakeRail;
using ports::RailOutcome;
using ports::RailRecall;
using tests::detail_of;
using tests::refusal_of;
using tests::World;
using Finding = usecases::ReplayJournal::Finding;

namespace {

constexpr RailRecall kRecalls[] = {RailRecall::dedup, RailRecall::fence, RailRecall::query, RailRecall::blind};

struct WitnessWorld : World {
  explicit WitnessWorld(RailRecall recall = RailRecall::dedup) { same_day.description.recall = recall; }

  domain::Settlement ready(const std::string& identifier = "CLM-1") { return adjudicate(review(draft(identifier))); }
  long submits() const {
    const auto calls = same_day.calls();
    return std::count(calls.begin(), calls.end(), "submit");
  }
  std::string key_of(const domain::Settlement& settlement, int number = 1) const {
    return digests.digest("rail-key-v1",
                          caller.tenant.text() + '\n' + settlement.id.text() + '\n' + std::to_string(number));
  }
  ports::JournalledSend sent(const domain::Settlement& settlement, int number = 1) const {
    return {caller.tenant,
            settlement.id,
            domain::Purpose::advance,
            number,
            "SAME_DAY",
            key_of(settlement, number),
            settlement.terms.advance_amount,
            1,
            clock.now(),
            std::nullopt};
  }
  /// A payment that a restored database has lost: the journal has its key and the rail may have paid.
  void happened_and_was_forgotten(const domain::Settlement& settlement, bool paid) {
    BOOST_REQUIRE(bool(journal.append(sent(settlement))));
    if (paid)
      same_day.submit({key_of(settlement), settlement.terms.advance_amount, "tok_ok", clock.now().utc_date()}, {});
  }
  usecases::ReplayJournal replay() {
    return {*store, *disburse, rails, journal, clock, ids, std::chrono::milliseconds(100)};
  }
  usecases::ConfirmSettlement patient_confirm(usecases::Disburse& with) {
    return {*store, rules, with, ids, usecases::ConfirmOptions{std::chrono::seconds(20)}};
  }
  usecases::Disburse node(const std::string& name, ports::RailJournal& own) {
    usecases::DisburseOptions options;
    options.node = name;
    return {*store, rails, own, clock, ids, digests, options};
  }
  static std::string body(const usecases::Confirmation& confirmed) { return "funded " + confirmed.transfer.text(); }
  static std::string refusal(const domain::Error& error) { return std::string(name_of(error.code)); }

  void check_funded_once(const domain::Settlement& settlement) {
    const auto now = this->settlement(settlement.id);
    BOOST_TEST(now.status == SettlementStatus::funded);
    BOOST_TEST(*now.funded_amount == settlement.terms.advance_amount);
    BOOST_TEST(same_day.payments()[key_of(settlement)].count == 1);
    BOOST_TEST(balance(domain::account::purchased_receivable(settlement.id)) == settlement.terms.advance_amount);
    BOOST_TEST(pending(domain::account::purchased_receivable(settlement.id)) == Money{});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(witness, WitnessWorld)

BOOST_AUTO_TEST_CASE(the_journal_has_the_key_before_the_rail_call_and_the_outcome_afterwards) {
  const auto terms = ready();
  same_day.during_submit = [&] {
    const auto entries = journal.entries();
    BOOST_REQUIRE(entries.size() == 1u);
    BOOST_TEST(entries[0].key == key_of(terms));
    BOOST_TEST(entries[0].key == attempt(terms.id).rail_key);
    BOOST_TEST(entries[0].amount == terms.terms.advance_amount);
    BOOST_TEST(entries[0].attempt == 1);
    BOOST_TEST(entries[0].epoch == 1);
    BOOST_TEST(!entries[0].outcome);
    BOOST_TEST(attempt(terms.id).state == AttemptState::submitting);  // committed already
  };
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  BOOST_TEST((journal.entries()[0].outcome == AttemptState::accepted));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(nothing_is_started_while_the_journal_cannot_be_written) {
  const auto terms = ready();
  journal.disk_full = true;
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::service_unavailable);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::none);
  BOOST_TEST(pending("funding_cash") == Money{});
  BOOST_TEST(same_day.calls().empty());
  journal.disk_full = false;
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_journal_failure_before_the_rail_call_delays_the_payment) {
  for (const auto recall : kRecalls) {
    WitnessWorld world(recall);
    const auto terms = world.ready();
    world.journal.disk_full = true;
    world.journal.ready_checks_disk = false;
    BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k1")) == ErrorCode::service_unavailable);
    BOOST_TEST(world.same_day.calls().empty());
    BOOST_TEST(world.attempt(terms.id).state == AttemptState::intent);
    world.clock.advance_s(3601);
    BOOST_TEST(refusal_of((*world.resolve_disbursements)()) == ErrorCode::service_unavailable);  // still full
    BOOST_TEST(world.same_day.calls().empty());
    BOOST_TEST(world.attempt(terms.id).state == AttemptState::intent);
    world.journal.disk_full = false;
    world.resolve();
    world.check_funded_once(terms);
    BOOST_TEST(world.submits() == 1);
    BOOST_TEST(world.try_confirm(terms.id, "k1")->replayed);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_journalled_key_is_queried_and_sent_only_to_a_rail_with_dedup) {
  for (const auto recall : kRecalls)
    for (const bool paid : {true, false}) {
      WitnessWorld world(recall);
      const auto terms = world.ready();
      world.happened_and_was_forgotten(terms, paid);
      const auto answer = world.try_confirm(terms.id, "k1");
      const long sent_by_us = world.submits() - (paid ? 1 : 0);
      if (recall == RailRecall::blind) {
        BOOST_TEST(refusal_of(answer) == ErrorCode::rail_outcome_unknown);
        BOOST_TEST(world.attempt(terms.id).state == AttemptState::manual);
        BOOST_TEST(world.tasks("funding_unknown").size() == 1u);
        BOOST_TEST(sent_by_us == 0);
      } else if (paid) {
        BOOST_REQUIRE(answer);
        BOOST_TEST(sent_by_us == 0);
        world.check_funded_once(terms);
        BOOST_TEST(world.answer_under("confirm " + terms.id.text(), "k1")->body == answer->body);
      } else if (recall == RailRecall::dedup) {
        BOOST_REQUIRE(answer);
        BOOST_TEST(sent_by_us == 1);
        world.check_funded_once(terms);
      } else if (recall == RailRecall::fence) {
        BOOST_TEST(refusal_of(answer) == ErrorCode::rail_rejected);
        BOOST_TEST(sent_by_us == 0);
        BOOST_REQUIRE(bool(world.try_confirm(terms.id, "k2")));  // a new attempt under a new key
        BOOST_TEST(world.attempt(terms.id).number == 2);
        BOOST_TEST(world.same_day.payment_count() == 1);
      } else {
        BOOST_TEST(refusal_of(answer) == ErrorCode::rail_outcome_unknown);
        for (int round = 0; round < 4; ++round) world.resolve();
        BOOST_TEST(world.submits() == 0);
        BOOST_TEST(world.attempt(terms.id).state == AttemptState::manual);
      }
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(an_intent_with_a_journalled_key_is_not_sent_by_the_next_worker) {
  for (const auto recall : {RailRecall::fence, RailRecall::query, RailRecall::dedup}) {
    WitnessWorld world(recall);
    const auto terms = world.ready();
    world.store->die_after(1);  // the commit of `submitting` is lost: the database has `intent`
    BOOST_TEST(!world.try_confirm(terms.id));
    world.store->revive();
    world.happened_and_was_forgotten(terms, true);
    world.resolve();
    BOOST_TEST(world.submits() == 1);
    world.check_funded_once(terms);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_key_journalled_concurrently_is_queried_and_not_sent) {
  for (const auto recall : kRecalls) {
    WitnessWorld world(recall);
    const auto terms = world.ready();
    world.journal.overtaken = true;
    const auto answer = world.try_confirm(terms.id);
    if (recall == RailRecall::dedup) {
      BOOST_REQUIRE(answer);
      world.check_funded_once(terms);
    } else {
      BOOST_TEST(refusal_of(answer) ==
                 (recall == RailRecall::fence ? ErrorCode::rail_rejected : ErrorCode::rail_outcome_unknown));
      BOOST_TEST(world.submits() == 0);
    }
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(after_damage_of_the_journal_old_intents_are_queried_and_new_ones_sent) {
  WitnessWorld world(RailRecall::query);
  const auto old = world.ready("CLM-1"), fresh = world.ready("CLM-2");
  world.store->die_after(1);
  BOOST_TEST(!world.try_confirm(old.id));
  world.store->revive();
  world.journal.damaged_until_ms = world.clock.now().ms();
  world.clock.advance_s(1);
  BOOST_REQUIRE(bool(world.try_confirm(fresh.id)));
  world.resolve();
  BOOST_TEST(is_unclear(world.attempt(old.id).state));
  BOOST_TEST(world.submits() == 1);
  world.teardown();
}

BOOST_AUTO_TEST_CASE(a_payment_older_than_the_dedup_window_is_not_sent_again) {
  const auto terms = ready();
  store->die_after(2);  // sent to the rail and paid, and the outcome is lost with the process
  BOOST_TEST(!try_confirm(terms.id, "k1"));
  store->revive();
  same_day.forget_answers();
  clock.advance_days(31);  // a backup of that day is restored
  resolve();
  BOOST_TEST(attempt(terms.id).state == AttemptState::manual);
  BOOST_TEST(tasks("funding_unknown").size() == 1u);
  BOOST_TEST(submits() == 1);
  RailOutcome found;
  BOOST_REQUIRE(bool(disburse->record(caller.tenant, attempt(terms.id), AttemptEvent::paid, found, nullptr)));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(an_acceptance_of_a_rail_with_final_acceptance_is_a_settlement) {
  same_day.description.final_on_accept = true;
  const auto terms = ready();
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  check_funded_once(terms);
  BOOST_TEST(attempt(terms.id).state == AttemptState::settled);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::settled);
  BOOST_TEST(events("settlement.funded") == 1);
  BOOST_TEST(events("funding.settled") == 0);
}

BOOST_AUTO_TEST_CASE(a_later_outcome_updates_the_attempt_and_a_return_reverses_the_books) {
  const auto terms = ready();
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  const auto accepted = attempt(terms.id);
  RailOutcome outcome;
  outcome.kind = RailOutcome::Kind::settled;
  BOOST_REQUIRE(bool(disburse->record(caller.tenant, accepted, AttemptEvent::settle, outcome, nullptr)));
  BOOST_TEST(attempt(terms.id).state == AttemptState::settled);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::settled);
  BOOST_TEST(events("funding.settled") == 1);
  check_funded_once(terms);
  // A worker with the earlier version is fenced.
  BOOST_TEST(refusal_of(disburse->record(caller.tenant, accepted, AttemptEvent::settle, outcome, nullptr)) ==
             ErrorCode::idempotency_in_progress);

  outcome.kind = RailOutcome::Kind::returned;
  outcome.reason_code = "R03";
  BOOST_REQUIRE(bool(disburse->record(caller.tenant, attempt(terms.id), AttemptEvent::return_, outcome, nullptr)));
  const auto after = settlement(terms.id);
  BOOST_TEST(after.status == SettlementStatus::canceled);
  BOOST_TEST(after.cancel_reason == "funding_returned");
  BOOST_TEST(after.funding_status == FundingStatus::returned);
  BOOST_TEST(balance("funding_cash") == Money{});
  BOOST_TEST(balance(domain::account::purchased_receivable(terms.id)) == Money{});
  BOOST_TEST(events("funding.returned") == 1);
  BOOST_TEST(refusal_of(disburse->record(caller.tenant, attempt(terms.id), AttemptEvent::settle, outcome, nullptr)) ==
             ErrorCode::invalid_state);
  // The claim may be advanced again.
  BOOST_REQUIRE(bool(try_confirm(ready("CLM-1").id)));
}

BOOST_AUTO_TEST_CASE(a_reviewer_decides_an_outcome_that_the_rail_cannot_report) {
  for (const bool paid : {true, false}) {
    WitnessWorld world(RailRecall::blind);
    const auto terms = world.ready();
    world.same_day.script = {{paid ? FakeRail::Answer::time_out_accepted : FakeRail::Answer::time_out_lost}};
    BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
    RailOutcome found;
    found.reason_code = "found_by_person";
    BOOST_REQUIRE(bool(world.disburse->record(world.caller.tenant, world.attempt(terms.id),
                                              paid ? AttemptEvent::paid : AttemptEvent::not_paid, found, nullptr)));
    if (paid) {
      world.check_funded_once(terms);
      BOOST_TEST(world.try_confirm(terms.id, "k1")->replayed);
    } else {
      BOOST_TEST(world.pending("funding_cash") == Money{});
      BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k1")) == ErrorCode::rail_rejected);
      BOOST_REQUIRE(bool(world.try_confirm(terms.id, "k2")));
      BOOST_TEST(world.same_day.payment_count() == 1);
    }
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_commit_with_a_lost_answer_is_read_back_before_the_next_step) {
  for (int step = 1; step <= 3; ++step) {
    WitnessWorld world;
    const auto terms = world.ready();
    world.store->lose_answer_of_commit(step);
    BOOST_REQUIRE_MESSAGE(bool(world.try_confirm(terms.id, "k1")), "step " << step);
    world.check_funded_once(terms);
    BOOST_TEST(world.submits() == 1);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_lost_commit_stops_the_confirmation) {
  for (int step = 1; step <= 3; ++step) {
    WitnessWorld world(RailRecall::query);
    const auto terms = world.ready();
    world.store->lose_commit(step);
    const auto answer = world.try_confirm(terms.id, "k1");
    BOOST_TEST(refusal_of(answer) == (step == 3 ? ErrorCode::rail_outcome_unknown : ErrorCode::service_unavailable));
    BOOST_TEST(world.submits() == (step == 3 ? 1 : 0));
    world.resolve();
    if (step == 1) BOOST_REQUIRE(bool(world.try_confirm(terms.id, "k1")));
    world.check_funded_once(terms);
    BOOST_TEST(world.submits() == 1);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_worker_past_its_lease_is_fenced_at_every_step_and_returns_the_current_state) {
  for (const auto recall : {RailRecall::dedup, RailRecall::query})
    for (int step = 2; step <= 3; ++step) {
      WitnessWorld world(recall);
      const auto terms = world.ready();
      world.store->before_commit(step, [&] {
        world.clock.advance_s(61);
        BOOST_TEST(*(*world.resolve_disbursements)() == 1);
      });
      const auto late = world.try_confirm(terms.id, "k1");
      BOOST_REQUIRE(late);
      BOOST_TEST(world.attempt(terms.id).epoch == 2);
      world.check_funded_once(terms);
      BOOST_TEST(world.submits() == 1);
      BOOST_TEST(world.events("settlement.funded") == 1);
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(a_worker_paused_past_its_lease_before_the_rail_call_does_not_send) {
  constexpr std::chrono::milliseconds kLease{20};
  for (const bool was_ended : {true, false}) {
    WitnessWorld world(RailRecall::blind);
    usecases::DisburseOptions options;
    options.lease = kLease;
    usecases::Disburse stopped(*world.store, world.rails, world.journal, world.clock, world.ids, world.digests,
                               options);
    auto confirm = world.patient_confirm(stopped);
    const auto terms = world.ready();
    world.journal.behind_append = [&] {
      std::this_thread::sleep_for(2 * kLease);
      if (!was_ended) return;
      // Meanwhile another worker took it over, and a reviewer checked the bank's books.
      world.clock.advance_s(61);
      BOOST_TEST(*(*world.resolve_disbursements)() == 1);
      BOOST_REQUIRE(bool(
          world.disburse->record(world.caller.tenant, world.attempt(terms.id), AttemptEvent::not_paid, {}, nullptr)));
    };
    const auto answer = confirm(world.context("confirm"), terms.id.text(), WitnessWorld::body, WitnessWorld::refusal);
    BOOST_TEST(refusal_of(answer) == (was_ended ? ErrorCode::rail_rejected : ErrorCode::rail_outcome_unknown));
    BOOST_TEST(world.submits() == 0);
    BOOST_TEST(world.attempt(terms.id).state == (was_ended ? AttemptState::rejected : AttemptState::manual));
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_confirm_during_another_rail_call_waits_and_returns_the_same_answer) {
  for (const auto& step : {FakeRail::Step{}, FakeRail::Step{FakeRail::Answer::reject, "R03"}}) {
    WitnessWorld world;
    const auto terms = world.ready();
    auto confirm = world.patient_confirm(*world.disburse);
    const auto run = [&](const usecases::RequestContext& context) {
      auto answer = confirm(context, terms.id.text(), WitnessWorld::body, WitnessWorld::refusal);
      if (answer || answer.error().code != ErrorCode::conflict) return answer;
      return confirm(context, terms.id.text(), WitnessWorld::body,
                     WitnessWorld::refusal);  // as the pipeline retries
    };
    const auto first_act = world.context("confirm", "k1"), second_act = world.context("confirm", "k1");
    std::optional<domain::Result<usecases::StoredResponse>> second;
    std::thread other;
    world.same_day.script = {step};
    world.same_day.during_submit = [&] { other = std::thread([&] { second.emplace(run(second_act)); }); };
    const auto first = run(first_act);
    other.join();
    BOOST_REQUIRE(second.has_value());
    if (step.answer == FakeRail::Answer::accept) {
      BOOST_REQUIRE(first);
      BOOST_REQUIRE(*second);
      BOOST_TEST((*second)->body == first->body);
      world.check_funded_once(terms);
    } else {
      BOOST_TEST(refusal_of(first) == ErrorCode::rail_rejected);
      BOOST_TEST(!*second);
    }
    BOOST_TEST(world.submits() == 1);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(only_the_elected_node_sends_over_a_rail_without_dedup) {
  for (const auto recall : {RailRecall::fence, RailRecall::query, RailRecall::blind}) {
    WitnessWorld world(recall);
    fakes::MemoryJournal other_journal;
    auto a = world.node("a", world.journal), b = world.node("b", other_journal);
    auto at_a = world.patient_confirm(a),
         at_b = usecases::ConfirmSettlement(*world.store, world.rules, b, world.ids,
                                            usecases::ConfirmOptions{std::chrono::milliseconds(0)});
    usecases::ResolveDisbursements sweep_a(*world.store, a, world.clock, "a"),
        sweep_b(*world.store, b, world.clock, "b");

    const auto first = world.ready("CLM-1"), second = world.ready("CLM-2");
    BOOST_REQUIRE(bool(at_a(world.context("confirm"), first.id.text(), WitnessWorld::body, WitnessWorld::refusal)));
    const auto senders = world.seen([](const ports::Records& records) { return records.rail_senders().all(); });
    BOOST_REQUIRE(senders.size() == 1u);
    BOOST_TEST(senders[0].node == "a");

    const auto left = at_b(world.context("confirm", "k2"), second.id.text(), WitnessWorld::body, WitnessWorld::refusal);
    BOOST_TEST(refusal_of(left) == ErrorCode::rail_outcome_unknown);
    BOOST_TEST(world.attempt(second.id).state == AttemptState::intent);
    world.clock.advance_s(3600);
    BOOST_TEST(*sweep_b() == 0);
    BOOST_TEST(world.submits() == 1);
    BOOST_TEST(*sweep_a() == 1);
    world.check_funded_once(second);
    BOOST_TEST(other_journal.entries().empty());
    const auto answer =
        at_b(world.context("confirm", "k2"), second.id.text(), WitnessWorld::body, WitnessWorld::refusal);
    BOOST_REQUIRE(answer);
    BOOST_TEST(answer->body == "funded " + world.attempt(second.id).id.text());

    // A command moves the rail and its intents to another node.
    BOOST_REQUIRE(bool(world.store->commit(
        [&](ports::Records& records) -> domain::Status {
          BOOST_TEST(!records.rail_senders().update({"SAME_DAY", "b", 2, world.clock.now()}, 7));
          BOOST_TEST(records.rail_senders().update({"SAME_DAY", "b", 2, world.clock.now()}, 1));
          return {};
        },
        ports::Priority::interactive)));
    const auto third = world.ready("CLM-3");
    BOOST_REQUIRE(bool(at_b(world.context("confirm"), third.id.text(), WitnessWorld::body, WitnessWorld::refusal)));
    BOOST_TEST(other_journal.entries().size() == 1u);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_confirm_at_another_node_returns_once_the_sender_has_paid) {
  WitnessWorld world(RailRecall::query);
  fakes::MemoryJournal other_journal;
  auto a = world.node("a", world.journal), b = world.node("b", other_journal);
  auto at_a = world.patient_confirm(a), at_b = world.patient_confirm(b);
  usecases::ResolveDisbursements sweep_a(*world.store, a, world.clock, "a");
  BOOST_REQUIRE(
      bool(at_a(world.context("confirm"), world.ready("CLM-1").id.text(), WitnessWorld::body, WitnessWorld::refusal)));
  const auto terms = world.ready("CLM-2");
  const auto context = world.context("confirm", "k2");
  std::atomic<bool> answered{false};
  std::thread sender([&] {
    while (!answered) (void)sweep_a();
  });
  const auto answer = at_b(context, terms.id.text(), WitnessWorld::body, WitnessWorld::refusal);
  answered = true;
  sender.join();
  BOOST_REQUIRE(answer);
  BOOST_TEST(!answer->replayed);
  world.check_funded_once(terms);
  world.teardown();
}

BOOST_AUTO_TEST_CASE(every_node_sends_over_a_rail_with_dedup) {
  fakes::MemoryJournal other_journal;
  auto a = node("a", journal), b = node("b", other_journal);
  auto at_a = patient_confirm(a), at_b = patient_confirm(b);
  BOOST_REQUIRE(bool(at_a(context("confirm"), ready("CLM-1").id.text(), body, refusal)));
  BOOST_REQUIRE(bool(at_b(context("confirm"), ready("CLM-2").id.text(), body, refusal)));
  BOOST_TEST(seen([](const ports::Records& records) { return records.rail_senders().all(); }).empty());
  BOOST_TEST(same_day.payment_count() == 2);
}

BOOST_AUTO_TEST_CASE(a_payment_lost_by_the_database_is_adopted_and_nothing_is_sent) {
  for (const auto recall : {RailRecall::dedup, RailRecall::fence, RailRecall::query})
    for (const bool paid : {true, false}) {
      WitnessWorld world(recall);
      const auto terms = world.ready();
      world.happened_and_was_forgotten(terms, paid);
      const long before = world.submits();
      auto replay = world.replay();
      auto report = replay();
      BOOST_REQUIRE(bool(report));
      BOOST_TEST(report->entries == 1u);
      BOOST_TEST(report->adopted == (paid ? 1u : 0u));
      BOOST_TEST(report->not_paid == (paid ? 0u : 1u));
      BOOST_TEST(report->undecided == 0u);
      BOOST_TEST(world.submits() == before);
      if (paid) {
        world.check_funded_once(terms);
        BOOST_TEST(world.events("settlement.funded") == 1);
        BOOST_TEST(world.audit_rows("accepted") == 1);
        BOOST_TEST(world.try_confirm(terms.id, "the key that was lost")->replayed);
        auto again = world.replay();
        BOOST_TEST(again()->adopted == 0u);
        world.check_funded_once(terms);
      } else {
        BOOST_TEST(world.settlement(terms.id).status == SettlementStatus::pending_confirmation);
        BOOST_TEST(world.settlement(terms.id).funding_status == FundingStatus::none);
      }
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(without_rail_queries_the_journalled_outcome_counts_or_a_reviewer_decides) {
  for (const bool noted : {true, false}) {
    WitnessWorld world(RailRecall::blind);
    const auto terms = world.ready();
    world.happened_and_was_forgotten(terms, true);
    if (noted) world.journal.note(world.key_of(terms), AttemptState::accepted, world.clock.now());
    auto replay = world.replay();
    BOOST_TEST(replay()->adopted == 1u);
    BOOST_TEST(world.submits() == 1);
    if (noted) {
      world.check_funded_once(terms);
    } else {
      BOOST_TEST(world.attempt(terms.id).state == AttemptState::manual);
      BOOST_TEST(world.tasks("funding_unknown").size() == 1u);
      BOOST_TEST(refusal_of(world.try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
    }
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_silent_rail_is_queried_again_and_nothing_is_sent_meanwhile) {
  WitnessWorld world(RailRecall::query);
  const auto terms = world.ready();
  world.happened_and_was_forgotten(terms, true);
  world.same_day.queries_time_out = true;
  auto replay = world.replay();
  BOOST_TEST(replay()->undecided == 1u);
  BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  BOOST_TEST(world.submits() == 1);
  world.same_day.queries_time_out = false;
  BOOST_TEST(replay()->undecided == 0u);  // known by now: the confirm adopted it as unknown
  world.resolve();
  world.check_funded_once(terms);
  world.teardown();
}

BOOST_AUTO_TEST_CASE(a_payment_with_a_lost_settlement_opens_one_task_with_key_amount_and_reference) {
  auto lost = ready();
  lost.id = domain::SettlementId::of({9, 9});
  happened_and_was_forgotten(lost, true);
  for (int start = 0; start < 2; ++start) {
    auto replayed = replay();
    BOOST_TEST(replayed()->tasks == 1u);
    const auto open = tasks("payment_unexpected");
    BOOST_REQUIRE(open.size() == 1u);
    BOOST_TEST(open[0].object_id == lost.id.text());
    for (const std::string& part : {key_of(lost), std::string("640.00"), std::string("bank-1")})
      BOOST_TEST(open[0].note.find(part) != std::string::npos, open[0].note << " lacks " << part);
  }
}

BOOST_AUTO_TEST_CASE(sixty_lost_payments_are_all_found_and_none_is_sent_again) {
  WitnessWorld world(RailRecall::query);
  std::vector<domain::Settlement> all;
  for (int n = 0; n < 60; ++n) {
    all.push_back(world.ready("CLM-" + std::to_string(n)));
    world.happened_and_was_forgotten(all.back(), true);
  }
  auto replay = world.replay();
  const auto report = replay();
  BOOST_REQUIRE(bool(report));
  BOOST_TEST(report->entries == 60u);
  BOOST_TEST(report->adopted == 60u);
  BOOST_TEST(world.submits() == 60);
  for (const auto& terms : all) world.check_funded_once(terms);
  world.teardown();
}

// --- a restored database that has lost the settlement ---

namespace {

/// An advance whose settlement the database has lost: only journal and rail have it.
struct RestoredWorld : WitnessWorld {
  using WitnessWorld::WitnessWorld;
  ports::JournalledSend lost(const std::string& claim, int n = 1, domain::Purpose purpose = domain::Purpose::advance) {
    ports::JournalledSend sent{caller.tenant,
                               domain::SettlementId::of({7, static_cast<std::uint64_t>(n)}),
                               purpose,
                               1,
                               "SAME_DAY",
                               "lost-" + std::to_string(n),
                               Money::cents(64'000),
                               1,
                               clock.now(),
                               std::nullopt};
    sent.claim = claim.empty() ? "" : usecases::claim_digest(digests, caller.tenant, claim);
    return sent;
  }
  void was_sent(const ports::JournalledSend& sent) {
    BOOST_REQUIRE(bool(journal.append(sent)));
    same_day.submit({sent.key, sent.amount, "tok_ok", clock.now().utc_date()}, {});
  }
  /// The payment of a settlement that the restored database has without it.
  void forget_payment_of(const domain::Settlement& terms, const std::string& claim) {
    auto forgotten = sent(terms);
    forgotten.claim = usecases::claim_digest(digests, caller.tenant, claim);
    was_sent(forgotten);
  }
  std::vector<domain::Task> unexpected() { return tasks("payment_unexpected"); }
  void close(const domain::Task& task) {
    usecases::DecideTask decide{*store, *disburse, payers, ids, false};
    const auto closed =
        decide(context("decide"), task.id.text(), {std::string(domain::kResolved), "booked elsewhere", ""},
               [](const domain::Task& one) { return one.id.text(); });
    BOOST_REQUIRE_MESSAGE(closed, tests::why(closed));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_journal_entry_has_a_digest_of_its_claim, RestoredWorld) {
  (void)funded("CLM-1");
  const auto entry = journal.entries().front();
  BOOST_TEST(entry.claim == usecases::claim_digest(digests, caller.tenant, "CLM-1"));
  BOOST_TEST(entry.claim != usecases::claim_digest(digests, caller.tenant, "CLM-2"));
  BOOST_TEST(entry.claim.find("CLM-1") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_claim_paid_before_the_restore_is_advanced_again_only_after_an_operator_closed_its_task,
                        RestoredWorld) {
  was_sent(lost("CLM-1"));
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying.read()));
  BOOST_REQUIRE(unexpected().size() == 1u);  // before any rail was asked
  const auto authorization = review(draft("CLM-1")).authorization_id.text();
  const auto refused = try_adjudicate(authorization);
  BOOST_TEST(refusal_of(refused) == ErrorCode::claim_already_advanced);
  BOOST_TEST(detail_of(refused.error(), "task_id") == unexpected().front().id.text());
  (void)funded("CLM-2");  // other claims are advanced
  BOOST_REQUIRE(bool(replaying()));
  BOOST_REQUIRE(unexpected().size() == 1u);
  BOOST_TEST(unexpected().front().note.starts_with("The rail SAME_DAY paid 640.00 of an advance"),
             unexpected().front().note);
  BOOST_TEST(refusal_of(try_adjudicate(authorization)) == ErrorCode::claim_already_advanced);
  close(unexpected().front());
  BOOST_REQUIRE(bool(replay()()));  // the next start
  BOOST_TEST(unexpected().empty());
  const auto terms = adjudicate(review(draft("CLM-1")));
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
}

BOOST_FIXTURE_TEST_CASE(terms_made_before_the_payment_was_found_are_not_confirmed, RestoredWorld) {
  const auto terms = ready("CLM-1");
  was_sent(lost("CLM-1"));
  BOOST_REQUIRE(bool(replay().read()));
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::claim_already_advanced);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::none);
  BOOST_TEST(same_day.payments().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_payment_unknown_to_the_rail_frees_its_claim, RestoredWorld) {
  BOOST_REQUIRE(bool(journal.append(lost("CLM-1"))));
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying.read()));
  BOOST_TEST(refusal_of(try_adjudicate(review(draft("CLM-1")).authorization_id.text())) ==
             ErrorCode::claim_already_advanced);
  BOOST_TEST(replaying()->not_paid == 1u);
  BOOST_TEST(unexpected().empty());
  const auto terms = adjudicate(review(draft("CLM-1")));
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
}

BOOST_FIXTURE_TEST_CASE(a_silent_rail_holds_the_claim_back, RestoredWorld) {
  was_sent(lost("CLM-1"));
  same_day.queries_time_out = true;
  BOOST_TEST(replay()()->undecided == 1u);
  BOOST_TEST(unexpected().size() == 1u);
  BOOST_TEST(refusal_of(try_adjudicate(review(draft("CLM-1")).authorization_id.text())) ==
             ErrorCode::claim_already_advanced);
}

BOOST_FIXTURE_TEST_CASE(advance_and_residual_of_a_lost_settlement_open_two_tasks, RestoredWorld) {
  was_sent(lost("CLM-1", 1));
  auto residual = lost("CLM-1", 1, domain::Purpose::residual);
  residual.key = "lost-residual";
  residual.amount = Money::cents(13'720);
  was_sent(residual);
  BOOST_TEST(replay()()->tasks == 2u);
  BOOST_REQUIRE(unexpected().size() == 2u);
  BOOST_TEST(unexpected()[1].note.find("137.20 of a residual") != std::string::npos);
  close(unexpected()[0]);
  BOOST_TEST(refusal_of(try_adjudicate(review(draft("CLM-1")).authorization_id.text())) ==
             ErrorCode::claim_already_advanced);
  close(unexpected()[0]);
  BOOST_TEST(bool(try_adjudicate(review(draft("CLM-1")).authorization_id.text())));
}

BOOST_FIXTURE_TEST_CASE(an_entry_of_an_earlier_version_opens_a_task_and_holds_no_claim_back, RestoredWorld) {
  was_sent(lost(""));
  was_sent(lost("", 2));
  BOOST_TEST(replay()()->tasks == 2u);
  BOOST_TEST(unexpected().size() == 2u);
  BOOST_TEST(bool(try_adjudicate(review(draft("CLM-1")).authorization_id.text())));
}

BOOST_FIXTURE_TEST_CASE(a_pending_advance_of_the_backup_is_adopted_under_its_key, RestoredWorld) {
  const auto terms = ready("CLM-1");
  forget_payment_of(terms, "CLM-1");
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying.read()));
  BOOST_TEST(unexpected().size() == 1u);
  BOOST_TEST(replaying()->adopted == 1u);
  BOOST_TEST(unexpected().empty());
  check_funded_once(terms);
  BOOST_TEST(bool(try_confirm(terms.id)));
  BOOST_TEST(refusal_of(try_adjudicate(review(draft("CLM-1")).authorization_id.text())) ==
             ErrorCode::claim_already_advanced);
}

BOOST_FIXTURE_TEST_CASE(a_payment_on_ended_terms_holds_its_claim_back, RestoredWorld) {
  const auto terms = ready("CLM-1");
  usecases::CancelSettlement cancel{*store, ids};
  BOOST_REQUIRE(bool(cancel(context("cancel"), terms.id.text(), [](const auto&) { return ""; })));
  forget_payment_of(terms, "CLM-1");
  same_day.queries_time_out = true;
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying.read()));
  BOOST_TEST(unexpected().size() == 1u);  // before any rail was asked, and while it does not answer
  BOOST_TEST(replaying()->undecided == 1u);
  BOOST_TEST(refusal_of(try_adjudicate(review(draft("CLM-1")).authorization_id.text())) ==
             ErrorCode::claim_already_advanced);
  same_day.queries_time_out = false;
  BOOST_TEST(replaying()->adopted == 1u);
  BOOST_TEST(unexpected().empty());
  check_funded_once(terms);  // the payer owes it like any other advance
  BOOST_TEST(refusal_of(try_adjudicate(review(draft("CLM-1")).authorization_id.text())) ==
             ErrorCode::claim_already_advanced);
}

BOOST_FIXTURE_TEST_CASE(an_advance_canceled_while_the_rail_is_silent_holds_its_claim_back, RestoredWorld) {
  const auto terms = ready("CLM-1");
  forget_payment_of(terms, "CLM-1");
  same_day.queries_time_out = true;
  auto replaying = replay();
  BOOST_TEST(replaying()->undecided == 1u);
  BOOST_TEST(unexpected().size() == 1u);
  usecases::CancelSettlement cancel{*store, ids};
  BOOST_REQUIRE(bool(cancel(context("cancel"), terms.id.text(), [](const auto&) { return ""; })));
  BOOST_TEST(replaying()->undecided == 1u);
  BOOST_TEST(unexpected().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(terms_after_a_canceled_advance_are_not_paid_before_the_rail_answers, RestoredWorld) {
  const auto terms = ready("CLM-1");
  forget_payment_of(terms, "CLM-1");
  same_day.queries_time_out = true;
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying.read()));
  usecases::CancelSettlement cancel{*store, ids};
  BOOST_REQUIRE(bool(cancel(context("cancel"), terms.id.text(), [](const auto&) { return ""; })));
  // The journal is not compared again in between.
  const auto again = try_adjudicate(review(draft("CLM-1")).authorization_id.text(), "RTP");
  BOOST_TEST(refusal_of(again) == ErrorCode::claim_already_advanced);
  same_day.queries_time_out = false;
  BOOST_TEST(replaying()->adopted == 1u);
  BOOST_TEST(unexpected().empty());
}

BOOST_FIXTURE_TEST_CASE(the_terms_of_a_lost_payment_can_be_confirmed_again, RestoredWorld) {
  const auto terms = ready("CLM-1");
  forget_payment_of(terms, "CLM-1");
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying.read()));
  BOOST_REQUIRE(bool(try_confirm(terms.id)));  // under the key of the lost payment, which the rail knows
  check_funded_once(terms);
  BOOST_TEST(same_day.payments().size() == 1u);
  BOOST_REQUIRE(bool(replaying()));
  BOOST_TEST(unexpected().empty());
}

BOOST_AUTO_TEST_SUITE_END()
