// Confirming with the rail journal: journalled keys, a journal that cannot be written, lost commits, and later outcomes
// (core/docs/reliability.md#protocol-steps).
#include "tests/usecases/funding/witness_world.hpp"

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
using tests::refusal_of;
using tests::WitnessWorld;

namespace {

constexpr RailRecall kRecalls[] = {RailRecall::dedup, RailRecall::fence, RailRecall::query, RailRecall::blind};

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

BOOST_AUTO_TEST_SUITE_END()
