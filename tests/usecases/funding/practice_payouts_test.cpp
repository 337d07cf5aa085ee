// Payouts to practices: everything that a practice is owed, once, in one payment per day.
#include "core/usecases/payouts/pay_practices.hpp"
#include "core/usecases/payouts/payees.hpp"
#include "tests/usecases/funding/payout_world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using tests::Cash;
using tests::cents;
using tests::detail_of;
using tests::payout_body;
using tests::refusal_body;
using tests::refusal_of;
using tests::Remittance;
using tests::why;

namespace {

constexpr const char* kNorth = "1234567893";
constexpr const char* kSouth = "1234567802";

std::string payee_body(const usecases::PayeeView& payee) {
  return payee.payee_npi + (payee.has_own_account ? " own " : " default ") + payee.rail;
}

struct PracticeWorld : tests::PayoutWorld {
  explicit PracticeWorld(ports::RailRecall recall = ports::RailRecall::dedup) : PayoutWorld(recall) {
    BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
      records.clients().set_payout_account(caller.tenant, domain::Sensitive(std::string("tok_tenant")));
      return {};
    })));
  }

  void after_days(int days) { clock.advance_days(days); }

  usecases::PayPractice pay_practice{*store, *disburse, ids, true};
  usecases::Payees payees{*store, rails, ids, "SAME_DAY"};

  domain::Result<usecases::StoredResponse> pay_out(const std::string& npi, const std::string& key = "") {
    return pay_practice(context("pay " + npi, key), npi, payout_body, refusal_body);
  }
  int daily(std::int64_t minimum = 100, int hold_days = 0) {
    usecases::PayPractices pay{*store, *disburse, ids, clock, cents(minimum), hold_days};
    const auto claimed = pay();
    BOOST_REQUIRE_MESSAGE(claimed, "claiming failed: " << why(claimed));
    resolve();
    return *claimed;
  }
  /// An advance on a claim of this practice whose payment leaves a residual of 137.20.
  void paid_claim(const std::string& name, const std::string& npi, const std::string& payer = "PAYER") {
    fund({name, 100'000, payer, {}, npi});
    arrives(Cash{"D-" + name, 79'000, "T-" + name, 0, payer});
    arrives(Remittance{"N-" + name, "T-" + name, {{name, 79'000}}, 0, payer});
  }
  domain::Money due_to(const std::string& npi) {
    return seen([&](const ports::Records& records) { return records.payees().due(caller.tenant, npi); });
  }
  domain::DisbursementAttempt last(const std::string& npi) {
    const auto found = payees.payouts(caller.tenant, npi, {"", 1, domain::ListOrder::newest_first});
    BOOST_REQUIRE(bool(found));
    BOOST_REQUIRE(!found->empty());
    return found->front();
  }
  /// "137.20 reconciliation; -20.00 reconciliation"
  std::string covered(const std::string& npi) {
    const auto view = payees.payout(caller.tenant, last(npi).id.text(), "", 100);
    BOOST_REQUIRE(bool(view));
    std::vector<std::string> lines;
    for (const auto& payable : view->payables) lines.push_back(format_money(payable.amount) + ' ' + payable.cause_kind);
    return joined(lines);
  }
  void check_practice_paid_once() {
    BOOST_TEST(received() == cents(27'440));
    BOOST_TEST(owed() == domain::Money{});
    BOOST_TEST(due_to(kNorth) == domain::Money{});
    BOOST_TEST(pending("funding_cash") == domain::Money{});
    BOOST_TEST(events("payout.paid") == 1);
    BOOST_TEST(is_paid(last(kNorth).state));
  }
  domain::Result<usecases::StoredResponse> set_account(const std::string& npi, const std::string& token,
                                                       const std::string& rail = "") {
    return payees.set_account(context("account " + npi), npi, {domain::Sensitive(token), rail}, payee_body);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(practice_payouts, PracticeWorld)

BOOST_AUTO_TEST_CASE(one_payout_pays_everything_that_a_practice_is_owed) {
  paid_claim("A", kNorth);
  paid_claim("B", kNorth, "OTHER");
  paid_claim("C", kSouth);
  BOOST_TEST(due_to(kNorth) == cents(27'440));
  const auto answer = pay_out(kNorth, "k1");
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(last(kNorth).amount == cents(27'440));
  BOOST_TEST(covered(kNorth) == "137.20 reconciliation; 137.20 reconciliation");
  BOOST_TEST(same_day.payments()[last(kNorth).rail_key].payout_account_token == "tok_tenant");
  BOOST_TEST(due_to(kNorth) == domain::Money{});
  BOOST_TEST(due_to(kSouth) == cents(13'720));
  BOOST_TEST(owed() == cents(13'720));
  BOOST_TEST(due(settlements.at("A")) == domain::Money{});
  BOOST_TEST(reconciliation(settlements.at("A")).residual_paid_out == cents(13'720));
  // Neither another payout nor one of the settlement pays it again; the same key gets the same answer.
  BOOST_TEST(refusal_of(pay_out(kNorth, "k2")) == ErrorCode::invalid_state);
  BOOST_TEST(refusal_of(pay(settlements.at("A"))) == ErrorCode::invalid_state);
  BOOST_TEST(answer_under("pay " + std::string(kNorth), "k1")->body == answer->body);
  BOOST_TEST(received() == cents(27'440));
  BOOST_TEST(events("payout.paid") == 1);
}

BOOST_AUTO_TEST_CASE(a_practice_that_was_never_owed_anything_is_refused) {
  BOOST_TEST(refusal_of(pay_out(kNorth)) == ErrorCode::not_found);
  BOOST_TEST(refusal_of(payees.find(caller.tenant, kNorth)) == ErrorCode::not_found);
}

BOOST_AUTO_TEST_CASE(a_daily_payout_pays_what_was_posted_before_the_day) {
  paid_claim("A", kNorth);
  BOOST_TEST(daily() == 0);
  after_days(1);
  paid_claim("B", kNorth);
  BOOST_TEST(daily() == 1);
  BOOST_TEST(last(kNorth).amount == cents(13'720));
  BOOST_TEST(daily() == 0);
  BOOST_TEST(received() == cents(13'720));
  after_days(1);
  BOOST_TEST(daily(100, 2) == 0);  // held for two days
  BOOST_TEST(daily(20'000) == 0);  // below the smallest payout
  BOOST_TEST(daily() == 1);
  BOOST_TEST(received() == cents(27'440));
}

BOOST_AUTO_TEST_CASE(the_days_of_holding_pass_by_the_time_of_the_tenant) {
  paid_claim("A", kNorth);
  shift_clock_days(2);
  BOOST_TEST(daily(100, 3) == 0);
  shift_clock_days(4);
  BOOST_TEST(daily(100, 3) == 1);
  BOOST_TEST(received() == cents(13'720));
}

BOOST_AUTO_TEST_CASE(a_payout_of_one_settlement_is_not_paid_again) {
  paid_claim("A", kNorth);
  paid_claim("B", kNorth);
  BOOST_REQUIRE(bool(pay(settlements.at("A"), "k1")));
  BOOST_TEST(due_to(kNorth) == cents(13'720));
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  BOOST_TEST(last(kNorth).amount == cents(13'720));
  BOOST_TEST(received() == cents(27'440));
}

BOOST_AUTO_TEST_CASE(a_debt_of_the_practice_reduces_its_next_payout) {
  paid_claim("A", kNorth);
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  take_back(79'000);  // the payer carries it forward: the practice owes the residual
  BOOST_TEST(due_to(kNorth) == cents(-13'720));
  BOOST_TEST(due(settlements.at("A")) == cents(-13'720));
  BOOST_TEST(tasks("payout_taken_back").size() == 1u);
  BOOST_TEST(refusal_of(pay_out(kNorth)) == ErrorCode::invalid_state);
  paid_claim("B", kNorth);
  paid_claim("C", kNorth);
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  BOOST_TEST(last(kNorth).amount == cents(13'720));
  BOOST_TEST(covered(kNorth) == "-137.20 reconciliation; 137.20 reconciliation; 137.20 reconciliation");
  BOOST_TEST(due(settlements.at("A")) == domain::Money{});
  BOOST_TEST(tasks("payout_taken_back").empty());
}

BOOST_AUTO_TEST_CASE(a_takeback_before_the_rail_has_the_payout_stops_it) {
  paid_claim("A", kNorth);
  paid_claim("B", kNorth);
  after_days(1);
  usecases::PayPractices claim{*store, *disburse, ids, clock, cents(100), 0};
  BOOST_REQUIRE(*claim() == 1);
  take_back(79'000);
  resolve();
  BOOST_TEST(last(kNorth).state == AttemptState::rejected);
  BOOST_TEST(last(kNorth).reason_code == domain::kTakenBack);
  BOOST_TEST(received() == domain::Money{});
  BOOST_TEST(daily() == 0);  // one payout per day
  after_days(1);
  BOOST_TEST(daily() == 1);
  BOOST_TEST(last(kNorth).amount == cents(13'720));
}

BOOST_AUTO_TEST_CASE(a_returned_payout_is_paid_to_the_new_account) {
  paid_claim("A", kNorth);
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  same_day.now_stands(last(kNorth).rail_key, ports::RailOutcome::Kind::returned, "R02");
  clock.advance_s(10);
  BOOST_REQUIRE(bool(follow_up_payments()));
  BOOST_TEST(last(kNorth).state == AttemptState::returned);
  BOOST_TEST(due_to(kNorth) == cents(13'720));
  BOOST_TEST(tasks("payout_failed").size() == 1u);
  after_days(1);
  BOOST_TEST(daily() == 0);  // not to an account that did not work
  BOOST_TEST(refusal_of(set_account("1234567890", "tok_new")) == ErrorCode::validation_error);
  BOOST_TEST(refusal_of(set_account(kNorth, "tok_new", "WIRE")) == ErrorCode::validation_error);
  const auto changed = set_account(kNorth, "tok_new", "RTP");
  BOOST_REQUIRE_MESSAGE(changed, why(changed));
  BOOST_TEST(changed->body == std::string(kNorth) + " own RTP");
  BOOST_TEST(tasks("payout_failed").empty());
  BOOST_TEST(daily() == 1);
  BOOST_TEST(covered(kNorth) == "137.20 practice_payout_return");
  BOOST_TEST(rtp.payments()[last(kNorth).rail_key].payout_account_token == "tok_new");
  BOOST_TEST(due(settlements.at("A")) == domain::Money{});
}

BOOST_AUTO_TEST_CASE(a_refused_payout_is_due_again) {
  paid_claim("A", kNorth);
  same_day.script.push_back({fakes::FakeRail::Answer::reject, "R03"});
  BOOST_TEST(refusal_of(pay_out(kNorth, "k1")) == ErrorCode::rail_rejected);
  BOOST_TEST(due_to(kNorth) == cents(13'720));
  BOOST_TEST(pending("funding_cash") == domain::Money{});
  BOOST_REQUIRE(bool(pay_out(kNorth, "k2")));
  BOOST_TEST(covered(kNorth) == "137.20 practice_payout");
  BOOST_TEST(received() == cents(13'720));
}

BOOST_AUTO_TEST_CASE(an_amount_above_the_rails_limit_is_paid_in_parts) {
  paid_claim("A", kNorth);
  paid_claim("B", kNorth, "OTHER");
  same_day.description.max_amount = cents(20'000);
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  BOOST_TEST(last(kNorth).amount == cents(20'000));
  BOOST_TEST(due_to(kNorth) == cents(7'440));
  BOOST_TEST(owed() == cents(7'440));
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  BOOST_TEST(covered(kNorth) == "74.40 carried_forward");
  BOOST_TEST(owed() == domain::Money{});
}

BOOST_AUTO_TEST_CASE(a_lost_answer_is_resolved_and_never_paid_twice) {
  paid_claim("A", kNorth);
  same_day.script.push_back({fakes::FakeRail::Answer::time_out_accepted});
  BOOST_TEST(refusal_of(pay_out(kNorth, "k1")) == ErrorCode::rail_outcome_unknown);
  BOOST_TEST(refusal_of(pay_out(kNorth, "k2")) == ErrorCode::rail_outcome_unknown);
  resolve();
  BOOST_TEST(is_paid(last(kNorth).state));
  BOOST_TEST(received() == cents(13'720));
  const auto again = pay_out(kNorth, "k1");
  BOOST_REQUIRE_MESSAGE(again, why(again));
}

BOOST_AUTO_TEST_CASE(a_crash_at_any_commit_pays_a_practice_once) {
  for (const auto recall : {ports::RailRecall::dedup, ports::RailRecall::fence, ports::RailRecall::query})
    for (int commits = 0; commits < 4; ++commits) {
      PracticeWorld world(recall);
      world.paid_claim("A", kNorth);
      world.paid_claim("B", kNorth);
      world.store->die_after(commits);
      (void)world.pay_out(kNorth, "k1");
      world.store->revive();
      for (int round = 0; round < 3; ++round) world.resolve();
      (void)world.pay_out(kNorth, "k1");
      BOOST_TEST_CONTEXT(commits << " commits") {
        if (!world.tasks("payout_unknown").empty()) {  // the rail's "not found" is not final
          BOOST_TEST((recall == ports::RailRecall::query));
          BOOST_REQUIRE(bool(world.decide(domain::kPayoutUnknown, "not_paid")));
        }
        if (world.due_to(kNorth) > domain::Money{}) BOOST_REQUIRE(bool(world.pay_out(kNorth, "k2")));
        world.check_practice_paid_once();
      }
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(a_lost_commit_or_commit_answer_pays_a_practice_once) {
  for (const bool kept : {true, false})
    for (int commit = 1; commit <= 3; ++commit) {
      PracticeWorld world;
      world.paid_claim("A", kNorth);
      world.paid_claim("B", kNorth);
      if (kept)
        world.store->lose_answer_of_commit(commit);
      else
        world.store->lose_commit(commit);
      (void)world.pay_out(kNorth, "k1");
      world.resolve();
      world.resolve();
      const auto again = world.pay_out(kNorth, "k1");
      BOOST_TEST_CONTEXT("commit " << commit << (kept ? " kept" : " lost")) {
        BOOST_TEST(bool(again), why(again));
        world.check_practice_paid_once();
      }
      world.teardown();
    }
}

BOOST_AUTO_TEST_CASE(a_practice_payout_without_a_key_that_another_overtakes_names_no_key) {
  paid_claim("A", kNorth);
  paid_claim("B", kNorth);
  after_days(1);
  usecases::PayPractices claim{*store, *disburse, ids, clock, cents(100), 0};
  store->before_commit(1, [&] { BOOST_TEST(*claim() == 1); });
  BOOST_TEST(refusal_of(pay_out(kNorth, "")) == ErrorCode::conflict);
  resolve();
  check_practice_paid_once();
}

BOOST_AUTO_TEST_CASE(a_request_concurrent_with_a_daily_round_pays_a_practice_once) {
  paid_claim("A", kNorth);
  paid_claim("B", kNorth);
  after_days(1);
  usecases::PayPractices claim{*store, *disburse, ids, clock, cents(100), 0};
  store->before_commit(1, [&] { BOOST_TEST(*claim() == 1); });
  BOOST_TEST(refusal_of(pay_out(kNorth, "k1")) == ErrorCode::idempotency_in_progress);
  resolve();
  check_practice_paid_once();
}

BOOST_AUTO_TEST_CASE(a_practice_payout_lost_by_the_database_is_adopted_from_the_journal) {
  for (const auto recall :
       {ports::RailRecall::dedup, ports::RailRecall::fence, ports::RailRecall::query, ports::RailRecall::blind}) {
    // Before the restore: only its journal and the rail's books are left.
    PracticeWorld world(recall);
    world.paid_claim("A", kNorth);
    world.paid_claim("B", kNorth);
    const auto key = world.digests.digest("rail-key-payable-v1", world.caller.tenant.text() + '\n' + kNorth + "\n1");
    const ports::JournalledSend sent{world.caller.tenant,
                                     domain::PaymentSubject::practice(kNorth),
                                     domain::Purpose::payable,
                                     1,
                                     "SAME_DAY",
                                     key,
                                     cents(27'440),
                                     1,
                                     world.clock.now(),
                                     AttemptState::accepted};
    BOOST_REQUIRE(bool(world.journal.append(sent)));
    (void)world.same_day.submit({key, cents(27'440), "tok_tenant", world.clock.now().utc_date()}, {});
    auto replay = world.replay();
    const auto report = replay();
    BOOST_REQUIRE(bool(report));
    BOOST_TEST(report->undecided == 0u);
    // What it paid is not paid again for a settlement.
    BOOST_TEST(refusal_of(world.pay(world.settlements.at("A"))) == ErrorCode::invalid_state);
    BOOST_TEST(world.due_to(kNorth) == domain::Money{});
    BOOST_TEST(world.tasks("payment_unexpected").empty());
    const auto repeated = world.pay_out(kNorth, "lost");
    BOOST_REQUIRE_MESSAGE(repeated, why(repeated));
    BOOST_TEST(repeated->body == payout_body(world.last(kNorth)));
    world.check_practice_paid_once();
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(an_adopted_payout_that_nothing_explains_has_a_task) {
  paid_claim("A", kNorth);
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  auto lost = journal.entries().back();
  BOOST_TEST(lost.subject.payee_npi == kNorth);
  lost.attempt = 2;
  lost.key += "-lost";
  BOOST_REQUIRE(bool(journal.append(lost)));
  ports::RailOutcome outcome;
  outcome.kind = ports::RailOutcome::Kind::accepted;
  BOOST_REQUIRE(bool(disburse->adopt(lost, outcome)));
  BOOST_TEST(due_to(kNorth) == cents(-13'720));
  BOOST_TEST(tasks("payment_unexpected").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_request_gets_its_own_payout_after_later_ones) {
  paid_claim("A", kNorth);
  store->die_after(1);  // claimed, and the node dies: no response is stored
  (void)pay_out(kNorth, "k1");
  store->revive();
  for (int round = 0; round < 3; ++round) resolve();
  const auto first = last(kNorth);
  BOOST_REQUIRE(is_paid(first.state));
  paid_claim("B", kNorth);
  BOOST_REQUIRE(bool(pay_out(kNorth, "k2")));
  paid_claim("C", kNorth);
  const auto again = pay_out(kNorth, "k1");
  BOOST_REQUIRE_MESSAGE(again, why(again));
  BOOST_TEST(again->body == payout_body(first));
  BOOST_TEST(due_to(kNorth) == cents(13'720));
}

BOOST_AUTO_TEST_CASE(a_debt_after_the_day_is_netted_with_what_it_reduces) {
  paid_claim("A", kNorth);
  paid_claim("B", kNorth);
  after_days(1);
  take_back(79'000);
  BOOST_TEST(daily() == 1);
  BOOST_TEST(last(kNorth).amount == cents(13'720));
  BOOST_TEST(due_to(kNorth) == domain::Money{});
  BOOST_TEST(due(settlements.at("A")) == domain::Money{});
}

BOOST_AUTO_TEST_CASE(an_account_stays_as_it_is_while_a_payout_is_in_progress) {
  paid_claim("A", kNorth);
  same_day.script.push_back({fakes::FakeRail::Answer::time_out_lost});
  BOOST_TEST(refusal_of(pay_out(kNorth)) == ErrorCode::rail_outcome_unknown);
  BOOST_TEST(refusal_of(set_account(kNorth, "tok_new")) == ErrorCode::invalid_state);
  resolve();
  BOOST_REQUIRE(is_paid(last(kNorth).state));
  BOOST_TEST(same_day.payments()[last(kNorth).rail_key].payout_account_token == "tok_tenant");
  BOOST_REQUIRE(bool(set_account(kNorth, "tok_new")));
}

BOOST_AUTO_TEST_CASE(an_older_payout_does_not_clear_a_failure_and_a_later_one_does_not_hide_a_return) {
  const auto status = [&] {
    return seen([&](const ports::Records& records) { return records.payees().account(caller.tenant, kNorth); })
        ->payout_status;
  };
  const auto follow = [&] {
    clock.advance_s(4'000);
    for (int round = 0; round < 3; ++round) BOOST_REQUIRE(bool(follow_up_payments()));
  };
  paid_claim("A", kNorth);
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  const auto first = last(kNorth);
  paid_claim("B", kNorth);
  same_day.script.push_back({fakes::FakeRail::Answer::reject, "R03"});
  BOOST_TEST(refusal_of(pay_out(kNorth)) == ErrorCode::rail_rejected);
  same_day.now_stands(first.rail_key, ports::RailOutcome::Kind::settled);
  follow();
  BOOST_TEST((status() == FundingStatus::rejected));
  BOOST_TEST(tasks("payout_failed").size() == 1u);

  // A payout is returned while the next one is on its way.
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  BOOST_TEST(tasks("payout_failed").empty());
  const auto third = last(kNorth);
  paid_claim("C", kNorth);
  same_day.during_submit = [&] {
    same_day.now_stands(third.rail_key, ports::RailOutcome::Kind::returned, "R02");
    follow();
  };
  BOOST_REQUIRE(bool(pay_out(kNorth)));
  BOOST_TEST((status() == FundingStatus::returned));
  BOOST_TEST(tasks("payout_failed").size() == 1u);
  after_days(1);
  BOOST_TEST(daily() == 0);
}

BOOST_AUTO_TEST_CASE(a_practice_without_an_account_is_not_paid) {
  paid_claim("A", kNorth);
  BOOST_REQUIRE(bool(sql->commit([&](ports::Records& records) -> domain::Status {
    records.clients().set_payout_account(caller.tenant, domain::Sensitive(std::string()));
    return {};
  })));
  BOOST_TEST(refusal_of(pay_out(kNorth)) == ErrorCode::invalid_state);
  after_days(1);
  BOOST_TEST(daily() == 0);
  BOOST_REQUIRE(bool(set_account(kNorth, "tok_own")));
  BOOST_TEST(daily() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
