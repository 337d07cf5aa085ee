// Replay of the rail journal after a restore: payments that the database has lost are adopted, hold their claim back or
// open a task (core/docs/reliability.md#protocol-steps).
#include <cstdint>
#include <string>
#include <vector>

#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/rails/paid_claim.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "tests/usecases/funding/witness_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementStatus;
using ports::RailRecall;
using tests::detail_of;
using tests::refusal_of;
using tests::WitnessWorld;

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

BOOST_FIXTURE_TEST_SUITE(witness, WitnessWorld)

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

BOOST_AUTO_TEST_CASE(a_refusal_is_not_the_response_while_a_lost_fallback_may_have_paid) {
  WitnessWorld world;
  const auto terms = world.ready();
  world.same_day.script = {{fakes::FakeRail::Answer::reject, "R03"}};
  world.happened_and_was_forgotten(terms, true);
  auto later = world.sent(terms, 2);
  later.rail = "RTP";
  BOOST_REQUIRE(bool(world.journal.append(later)));
  world.rtp.submit({later.key, later.amount, "tok_ok", world.clock.now().utc_date()}, {});
  BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  BOOST_TEST(!world.answer_under("confirm " + terms.id.text(), "k1").has_value());
  BOOST_REQUIRE(bool(world.try_confirm(terms.id, "k1")));
  BOOST_TEST(world.attempt(terms.id).number == 2);
  BOOST_TEST(world.attempt(terms.id).rail == "RTP");
  BOOST_TEST(world.rtp.payment_count() == 1);
  BOOST_TEST(world.same_day.payment_count() == 0);
  BOOST_TEST(world.submits() == 1);
  world.teardown();
}

BOOST_AUTO_TEST_CASE(a_replay_is_through_once_it_asked_about_every_payment) {
  happened_and_was_forgotten(ready(), true);
  same_day.queries_time_out = true;
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying([] { return true; })));
  BOOST_TEST(!replaying.is_through());
  BOOST_TEST(replaying()->undecided == 1u);
  BOOST_TEST(replaying.is_through());
  same_day.queries_time_out = false;
  BOOST_TEST(replaying()->adopted == 1u);
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

BOOST_FIXTURE_TEST_CASE(an_adopted_advance_of_canceled_terms_that_is_returned_leaves_books_that_verify, RestoredWorld) {
  const auto terms = ready("CLM-1");
  usecases::CancelSettlement cancel{*store, ids};
  BOOST_REQUIRE(bool(cancel(context("cancel"), terms.id.text(), [](const auto&) { return ""; })));
  forget_payment_of(terms, "CLM-1");
  auto replaying = replay();
  BOOST_REQUIRE(bool(replaying.read()));
  BOOST_TEST(replaying()->adopted == 1u);
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
  ports::RailOutcome outcome;
  outcome.kind = ports::RailOutcome::Kind::returned;
  outcome.reason_code = "R03";
  BOOST_REQUIRE(
      bool(disburse->record(caller.tenant, attempt(terms.id), domain::AttemptEvent::return_, outcome, nullptr)));
  const auto after = settlement(terms.id);
  BOOST_TEST(after.status == SettlementStatus::canceled);
  BOOST_TEST(after.funding_status == FundingStatus::returned);
  BOOST_TEST(after.cancel_reason == "requested");  // as its event says
  BOOST_TEST(events("settlement.canceled") == 1);
  verify();
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
