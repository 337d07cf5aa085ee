// The worker and the node that send: lost leases, concurrent confirms, and one sending node per rail without dedup
// (core/docs/reliability.md#one-sending-node).
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "core/usecases/funding/resolve_disbursements.hpp"
#include "tests/usecases/funding/witness_world.hpp"

using namespace tideover;
using domain::AttemptEvent;
using domain::AttemptState;
using domain::ErrorCode;
using fakes::FakeRail;
using ports::RailRecall;
using tests::refusal_of;
using tests::WitnessWorld;

BOOST_FIXTURE_TEST_SUITE(witness, WitnessWorld)

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

BOOST_AUTO_TEST_SUITE_END()
