// Payments after their acceptance: settlement and return (core/docs/reliability.md#faults, F23).
#include "core/usecases/claims/get_settlement.hpp"
#include "core/usecases/funding/follow_up_payments.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementStatus;
using fakes::FakeRail;
using tests::refusal_of;
using tests::World;
using Kind = ports::RailOutcome::Kind;

namespace {

struct FollowUpWorld : World {
  usecases::FollowUpPayments follow_up_payments{*store, *disburse, rails, clock, ids, {}};

  FollowUpWorld() { same_day.expected_settlement = clock.now().plus_ms(4 * 3'600'000); }
  /// One round; how many payments were looked at.
  int follow() {
    const auto looked_at = follow_up_payments();
    BOOST_REQUIRE_MESSAGE(looked_at, "following failed: " << tests::why(looked_at));
    return *looked_at;
  }
  std::size_t questions() {
    const auto calls = same_day.calls();
    return static_cast<std::size_t>(std::count(calls.begin(), calls.end(), "query"));
  }
  std::vector<domain::LedgerTransaction> entries(const domain::Settlement& settlement) {
    return seen(
        [&](const ports::Records& records) { return records.ledger().list(caller.tenant, {settlement.id}, "", 100); });
  }
  void check_returned(const domain::Settlement& settlement) {
    const auto now = this->settlement(settlement.id);
    BOOST_TEST(now.status == SettlementStatus::canceled);
    BOOST_TEST(now.cancel_reason == "funding_returned");
    BOOST_TEST(now.funding_status == FundingStatus::returned);
    BOOST_TEST(attempt(settlement.id).state == AttemptState::returned);
    BOOST_TEST(attempt(settlement.id).reason_code == "R02");
    const auto read = usecases::GetSettlement(*store)(caller.tenant, settlement.id.text());
    BOOST_REQUIRE(bool(read));
    BOOST_REQUIRE(!read->attempts.empty());
    BOOST_TEST(read->attempts.back().id.text() == attempt(settlement.id).id.text());
    BOOST_TEST(balance(domain::account::purchased_receivable(settlement.id)) == Money{});
    BOOST_TEST(balance("funding_cash") == Money{});
    BOOST_TEST(events("settlement.funded") == 1);
    BOOST_TEST(events("funding.returned") == 1);
    BOOST_TEST(audit_rows("returned") == 1);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(follow_up, FollowUpWorld)

BOOST_AUTO_TEST_CASE(an_accepted_payment_is_queried_when_its_settlement_is_due) {
  const auto settlement = funded("CLM-1");
  clock.advance_s(4 * 3600 - 1);
  BOOST_TEST(follow() == 0);
  same_day.now_stands(same_day.only_key(), Kind::settled);
  clock.advance_s(1);
  BOOST_TEST(follow() == 1);
  BOOST_TEST(attempt(settlement.id).state == AttemptState::settled);
  BOOST_TEST(this->settlement(settlement.id).status == SettlementStatus::funded);
  BOOST_TEST(this->settlement(settlement.id).funding_status == FundingStatus::settled);
  BOOST_TEST(events("settlement.funded") == 1);
  BOOST_TEST(events("funding.settled") == 1);
  BOOST_TEST(audit_rows("settled") == 1);
  clock.advance_days(60);
  BOOST_TEST(follow() == 0);
}

BOOST_AUTO_TEST_CASE(a_final_acceptance_is_never_queried) {
  same_day.description.final_on_accept = true;
  funded("CLM-1");
  clock.advance_days(60);
  BOOST_TEST(follow() == 0);
}

BOOST_AUTO_TEST_CASE(a_return_is_booked_and_frees_the_claim) {
  const auto settlement = funded("CLM-1");
  same_day.now_stands(same_day.only_key(), Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  BOOST_TEST(follow() == 1);
  check_returned(settlement);
  const auto booked = entries(settlement);
  BOOST_REQUIRE(booked.size() == 3u);  // pending, paid, returned: no entry is erased
  BOOST_TEST(name_of(booked[1].phase) == "posted");
  BOOST_TEST(booked[2].cause_kind == "disbursement_return");
  BOOST_TEST(booked[2].cause_id == attempt(settlement.id).id.text());
  BOOST_TEST(follow() == 0);

  BOOST_TEST(refusal_of(try_confirm(settlement.id, "again")) == ErrorCode::invalid_state);
  const auto again = funded("CLM-1");
  BOOST_TEST(again.id.text() != settlement.id.text());
  BOOST_TEST(same_day.payment_count() == 2);
  BOOST_TEST(balance("funding_cash") == -again.terms.advance_amount);
}

BOOST_AUTO_TEST_CASE(a_settled_payment_is_queried_once_after_its_return_window) {
  same_day.description.return_window_days = 2;
  const auto kept = funded("CLM-1");
  const auto key_of_kept = same_day.only_key();
  const auto lost = funded("CLM-2");
  const auto key_of_lost = attempt(lost.id).rail_key;
  for (const auto& key : {key_of_kept, key_of_lost}) same_day.now_stands(key, Kind::settled);
  clock.advance_s(4 * 3600);
  BOOST_TEST(follow() == 2);
  same_day.now_stands(key_of_lost, Kind::returned, "R02");
  clock.advance_days(1);
  BOOST_TEST(follow() == 0);
  clock.advance_days(6);
  BOOST_TEST(follow() == 2);
  BOOST_TEST(this->settlement(lost.id).status == SettlementStatus::canceled);
  BOOST_TEST(this->settlement(kept.id).status == SettlementStatus::funded);
  BOOST_TEST(attempt(lost.id).state == AttemptState::returned);
  BOOST_TEST(events("funding.returned") == 1);
  clock.advance_days(60);
  BOOST_TEST(follow() == 0);
}

BOOST_AUTO_TEST_CASE(a_silent_rail_is_queried_by_schedule) {
  funded("CLM-1");
  clock.advance_s(4 * 3600);
  same_day.queries_time_out = true;
  BOOST_TEST(follow() == 1);
  BOOST_TEST(follow() == 0);
  clock.advance_s(60);
  same_day.queries_time_out = false;  // it still says "accepted"
  BOOST_TEST(follow() == 1);
  clock.advance_s(599);
  BOOST_TEST(follow() == 0);
  clock.advance_s(1);
  BOOST_TEST(follow() == 1);
  BOOST_TEST(questions() == 3u);
  BOOST_TEST(events("funding.settled") == 0);
}

BOOST_AUTO_TEST_CASE(a_payment_the_rail_lost_opens_a_task_and_stays_booked) {
  const auto settlement = funded("CLM-1");
  for (const auto kind : {Kind::not_found, Kind::not_found}) {
    same_day.now_stands(same_day.only_key(), kind);
    clock.advance_days(1);
    BOOST_TEST(follow() == 1);
  }
  BOOST_TEST(tasks("rail_disagreement").size() == 1u);
  BOOST_TEST(tasks("rail_disagreement")[0].object_id == settlement.id.text());
  BOOST_TEST(this->settlement(settlement.id).status == SettlementStatus::funded);
}

BOOST_AUTO_TEST_CASE(a_crashed_follow_up_is_continued_by_the_next_one) {
  const auto settlement = funded("CLM-1");
  same_day.now_stands(same_day.only_key(), Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  store->die_after(1);
  BOOST_TEST(!follow_up_payments());
  store->revive();
  BOOST_TEST(attempt(settlement.id).state == AttemptState::accepted);
  BOOST_TEST(follow() == 0);  // its lease still runs
  clock.advance_s(61);
  BOOST_TEST(follow() == 1);
  check_returned(settlement);
}

BOOST_AUTO_TEST_CASE(concurrent_follow_ups_book_a_return_once) {
  const auto settlement = funded("CLM-1");
  same_day.now_stands(same_day.only_key(), Kind::returned, "R02");
  clock.advance_s(4 * 3600);
  store->before_commit(2, [&] {
    clock.advance_s(61);
    follow();
  });
  (void)follow_up_payments();
  check_returned(settlement);
}

BOOST_AUTO_TEST_CASE(a_payment_returned_before_its_acceptance_was_known_is_booked_with_its_return) {
  const auto terms = adjudicate(review(draft("CLM-1")));
  same_day.script = {{FakeRail::Answer::time_out_accepted}};
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_outcome_unknown);
  same_day.now_stands(same_day.only_key(), Kind::returned, "R02");
  resolve();
  BOOST_TEST(this->settlement(terms.id).status == SettlementStatus::funded);
  BOOST_TEST(follow() == 1);
  check_returned(terms);
}

BOOST_AUTO_TEST_SUITE_END()
