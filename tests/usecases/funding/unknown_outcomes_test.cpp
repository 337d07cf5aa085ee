// Confirmed payments with an unknown outcome: lost answers, crashed workers, and the resolver that completes each
// payment once (core/docs/reliability.md#protocol-steps).
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "core/usecases/funding/resolve_disbursements.hpp"
#include "tests/usecases/funding/funding_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementStatus;
using fakes::FakeRail;
using tests::detail_of;
using tests::FundingWorld;
using tests::refusal_of;

BOOST_FIXTURE_TEST_SUITE(funding, FundingWorld)

BOOST_AUTO_TEST_CASE(a_lost_answer_is_uncertain_and_the_resolver_completes_it_once) {
  for (const auto answer : {FakeRail::Answer::time_out_accepted, FakeRail::Answer::time_out_lost}) {
    FundingWorld world;
    const auto terms = world.ready();
    world.same_day.script = {{answer}};
    const auto unclear = world.try_confirm(terms.id, "k1");
    BOOST_TEST(refusal_of(unclear) == ErrorCode::rail_outcome_unknown);
    BOOST_TEST(detail_of(unclear.error(), "outcome") == "uncertain");
    BOOST_TEST(!world.answer_under("confirm " + terms.id.text(), "k1"));
    BOOST_TEST(world.settlement(terms.id).funding_status == FundingStatus::unknown);
    BOOST_TEST(world.pending("funding_cash") == Money::cents(-64'000));
    BOOST_TEST(world.events("funding.unknown") == 1);
    BOOST_TEST(world.audit_rows("rail_outcome_unknown") == 1);
    BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
    BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k2")) == ErrorCode::rail_outcome_unknown);

    world.resolve();
    world.resolve();
    world.check_funded_once(terms);
    const auto replayed = world.try_confirm(terms.id, "k1");
    BOOST_REQUIRE(replayed);
    BOOST_TEST(replayed->replayed);
    BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k2")) == ErrorCode::settlement_already_funded);
    world.check_funded_once(terms);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(the_resolver_queries_at_increasing_intervals) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  same_day.queries_time_out = true;
  std::size_t asked = same_day.calls().size();
  for (const int wait_s : {1, 5, 30, 120, 600, 900, 900}) {
    clock.advance_s(wait_s - 1);
    BOOST_TEST(*(*resolve_disbursements)() == 0);
    clock.advance_s(1);
    BOOST_TEST(*(*resolve_disbursements)() == 1);
    BOOST_TEST(same_day.calls().size() == ++asked);
    BOOST_TEST(same_day.calls().back() == "query");
  }
  BOOST_TEST(events("funding.unknown") == 1);
  same_day.queries_time_out = false;
  resolve();
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_stopping_resolver_queries_no_further_attempt) {
  same_day.script = {{FakeRail::Answer::time_out_accepted}, {FakeRail::Answer::time_out_accepted}};
  for (const char* claim : {"CLM-STOP-1", "CLM-STOP-2"}) {
    const auto terms = adjudicate(review(draft(claim)));
    BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  }
  clock.advance_s(3600);
  const std::size_t asked = same_day.calls().size();
  BOOST_TEST(*(*resolve_disbursements)([&] { return same_day.calls().size() > asked; }) == 1);
  BOOST_TEST(same_day.calls().size() == asked + 1);
  BOOST_TEST(*(*resolve_disbursements)() == 1);
}

BOOST_AUTO_TEST_CASE(a_fencing_rail_reports_not_found_for_good) {
  const auto terms = ready();
  same_day.description.recall = ports::RailRecall::fence;
  same_day.script = {{FakeRail::Answer::time_out_lost}};
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  resolve();
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::rejected);
  BOOST_TEST(attempt(terms.id).reason_code == "never_received");
  BOOST_TEST(pending("funding_cash") == Money{});
  BOOST_TEST(same_day.payment_count() == 0);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(nothing_is_sent_again_if_not_found_is_not_final) {
  for (const auto recall : {ports::RailRecall::query, ports::RailRecall::blind}) {
    FundingWorld world;
    const auto terms = world.ready();
    world.same_day.description.recall = recall;
    world.same_day.script = {{FakeRail::Answer::time_out_lost}};
    BOOST_TEST(refusal_of(world.try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
    for (int round = 0; round < 8; ++round) world.resolve();
    BOOST_TEST(world.settlement(terms.id).funding_status == FundingStatus::unknown);
    const auto calls = world.same_day.calls();
    BOOST_TEST(std::count(calls.begin(), calls.end(), "submit") == 1);
    if (recall == ports::RailRecall::blind) BOOST_TEST(calls.size() == 1u);
    BOOST_TEST(refusal_of(world.try_confirm(terms.id, "k2")) == ErrorCode::rail_outcome_unknown);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(an_attempt_is_completed_after_its_lease_when_its_worker_crashed) {
  const auto terms = ready();
  store->die_after(1);
  BOOST_TEST(!try_confirm(terms.id, "k1"));
  store->revive();
  BOOST_TEST(attempt(terms.id).state == AttemptState::intent);
  BOOST_TEST(same_day.calls().empty());
  BOOST_TEST(audit_rows("claimed") == 1);  // the request is recorded before money moves
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::idempotency_in_progress);

  clock.advance_s(59);
  BOOST_TEST(*(*resolve_disbursements)() == 0);
  clock.advance_s(1);
  BOOST_TEST(*(*resolve_disbursements)() == 1);
  check_funded_once(terms);
  BOOST_TEST(audit_rows("accepted") == 1);
  BOOST_TEST(attempt(terms.id).epoch == 2);
  BOOST_TEST(try_confirm(terms.id, "k1")->replayed);
}

BOOST_AUTO_TEST_CASE(after_a_crash_during_the_rail_call_the_resolver_queries_first) {
  for (const auto answer :
       {FakeRail::Answer::accept, FakeRail::Answer::time_out_accepted, FakeRail::Answer::time_out_lost}) {
    FundingWorld world;
    const auto terms = world.ready();
    world.same_day.script = {{answer}};
    world.store->die_after(2);
    const auto cut_off = world.try_confirm(terms.id, "k1");
    BOOST_TEST(refusal_of(cut_off) == ErrorCode::rail_outcome_unknown);  // never "nothing was changed"
    world.store->revive();
    BOOST_TEST(world.attempt(terms.id).state == AttemptState::submitting);
    BOOST_TEST(world.settlement(terms.id).status == SettlementStatus::pending_confirmation);

    world.resolve();
    const auto calls = world.same_day.calls();
    BOOST_REQUIRE(calls.size() >= 2u);
    BOOST_TEST(calls[1] == "query");
    world.resolve();
    world.check_funded_once(terms);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_rejection_lost_in_a_crash_is_found_by_a_query) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::reject, "R02"}};
  store->die_after(2);
  BOOST_TEST(!try_confirm(terms.id, "k1"));
  store->revive();
  resolve();
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::rejected);
  BOOST_TEST(pending("funding_cash") == Money{});
  BOOST_TEST(same_day.payment_count() == 0);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_crashed_resolver_is_continued_by_the_next_one) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::time_out_lost}};
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  for (int commits = 0; commits < 4; ++commits) {
    clock.advance_s(3601);
    store->die_after(commits);
    (void)(*resolve_disbursements)();
    store->revive();
  }
  resolve();
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_slow_rail_does_not_delay_another) {
  constexpr std::chrono::milliseconds kTurn{5};
  std::vector<domain::Settlement> slow;
  for (int n = 0; n < 4; ++n) {
    slow.push_back(adjudicate(review(draft("SLOW-" + std::to_string(n))), "RTP"));
    rtp.script = {{FakeRail::Answer::time_out_accepted}};
    BOOST_TEST(refusal_of(try_confirm(slow.back().id)) == ErrorCode::rail_outcome_unknown);
    clock.advance_s(1);
  }
  const auto other = adjudicate(review(draft("OTHER")), "SAME_DAY");
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(other.id)) == ErrorCode::rail_outcome_unknown);
  rtp.queries_take = 2 * kTurn;
  clock.advance_s(3600);
  usecases::ResolveDisbursements resolver(*store, *disburse, clock, "", kTurn);
  BOOST_TEST(*resolver() == 2);
  BOOST_TEST(settlement(other.id).status == SettlementStatus::funded);
  for (int round = 0; round < 3; ++round) BOOST_TEST(*resolver() == 1);
  for (const auto& terms : slow) BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
}

BOOST_AUTO_TEST_CASE(a_late_writer_is_fenced_out) {
  const auto terms = ready();
  same_day.during_submit = [&] {
    clock.advance_s(61);  // this worker exceeds its lease; another one completes the attempt
    BOOST_TEST(*(*resolve_disbursements)() == 1);
    BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
  };
  const auto late = try_confirm(terms.id, "k1");
  BOOST_REQUIRE(late);  // it writes nothing and returns what the other one wrote
  BOOST_TEST(!answer_under("confirm " + terms.id.text(), "k1"));
  check_funded_once(terms);
  const auto again = try_confirm(terms.id, "k1");
  BOOST_TEST(again->replayed);
  BOOST_TEST(again->body == late->body);
}

BOOST_AUTO_TEST_CASE(a_rejection_found_by_the_resolver_is_the_answer_under_the_key) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::time_out_lost}, {FakeRail::Answer::reject, "R03"}};
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
  resolve();
  BOOST_TEST(attempt(terms.id).state == AttemptState::rejected);
  const auto retried = try_confirm(terms.id, "k1");
  BOOST_TEST(refusal_of(retried) == ErrorCode::rail_rejected);
  BOOST_TEST(detail_of(retried.error(), "code") == "R03");
  BOOST_TEST(attempt(terms.id).number == 1);
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  BOOST_TEST(attempt(terms.id).number == 2);
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_rail_without_queries_opens_a_task) {
  same_day.description.recall = ports::RailRecall::blind;
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  BOOST_TEST(attempt(terms.id).state == AttemptState::manual);
  BOOST_TEST(tasks("funding_unknown").size() == 1u);
  resolve();
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  BOOST_TEST(same_day.payment_count() == 1);
  BOOST_TEST(tasks("funding_unknown").size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
