// Decisions of reviewers: manual reviews, payments whose outcome no rail reports, and cancellation of unused terms.
#include <algorithm>
#include <utility>

#include "core/usecases/funding/cancel_settlement.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "core/usecases/tasks/read_tasks.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::AttemptState;
using domain::ErrorCode;
using domain::FundingStatus;
using domain::Money;
using domain::SettlementStatus;
using fakes::FakeRail;
using tests::detail_of;
using tests::refusal_of;
using tests::World;

namespace {

std::string task_line(const domain::Task& task) {
  return std::string(name_of(task.status)) + ' ' + task.decision + ' ' + std::to_string(task.votes.size());
}
std::string settlement_body(const usecases::SettlementView& view) {
  return std::string(name_of(view.settlement.status)) + ' ' + view.settlement.cancel_reason;
}

/// Records that log in which order a unit of work asks for them.
class NotingRecords final : public ports::Records {
 public:
  NotingRecords(ports::Records& records, std::vector<std::string>& asked) : records_(records), asked_(asked) {}
#define TIDEOVER_NOTED(Type, name)           \
  ports::Type& name() override {             \
    asked_.emplace_back(#name);              \
    return records_.name();                  \
  }                                          \
  const ports::Type& name() const override { \
    return std::as_const(records_).name();   \
  }
  TIDEOVER_NOTED(AllocationRecords, allocations)
  TIDEOVER_NOTED(ClaimRecords, claims)
  TIDEOVER_NOTED(ReviewRecords, reviews)
  TIDEOVER_NOTED(SettlementRecords, settlements)
  TIDEOVER_NOTED(RailSenderRecords, rail_senders)
  TIDEOVER_NOTED(PayeeRecords, payees)
  TIDEOVER_NOTED(LedgerRecords, ledger)
  TIDEOVER_NOTED(DepositRecords, deposits)
  TIDEOVER_NOTED(BankStatementRecords, bank_statements)
  TIDEOVER_NOTED(RemittanceRecords, remittances)
  TIDEOVER_NOTED(PostingRecords, postings)
  TIDEOVER_NOTED(MatchRecords, matches)
  TIDEOVER_NOTED(AlikeRecords, alike)
  TIDEOVER_NOTED(PayerAliasRecords, payer_aliases)
  TIDEOVER_NOTED(PayeeAliasRecords, payee_aliases)
  TIDEOVER_NOTED(ReconciliationRecords, reconciliations)
  TIDEOVER_NOTED(RecourseRecords, recourse)
  TIDEOVER_NOTED(ImportRecords, imports)
  TIDEOVER_NOTED(PickupRecords, pickups)
  TIDEOVER_NOTED(AnswerRecords, answers)
  TIDEOVER_NOTED(AuditRecords, audit)
  TIDEOVER_NOTED(EventRecords, events)
  TIDEOVER_NOTED(WebhookRecords, webhooks)
  TIDEOVER_NOTED(ClientRecords, clients)
  TIDEOVER_NOTED(TaskRecords, tasks)
  TIDEOVER_NOTED(NodeRecords, nodes)
  TIDEOVER_NOTED(RuleRecords, rules)
  TIDEOVER_NOTED(LearningRecords, learning)
  TIDEOVER_NOTED(InvariantRecords, invariants)
#undef TIDEOVER_NOTED

 private:
  ports::Records& records_;
  std::vector<std::string>& asked_;
};

class NotingStore final : public ports::Store {
 public:
  explicit NotingStore(ports::Store& store) : store_(store) {}
  domain::Status read(const std::function<void(const ports::Records&)>& look) override { return store_.read(look); }
  domain::Status commit(const Unit& unit, ports::Priority priority) override {
    return store_.commit(
        [&](ports::Records& records) {
          asked.clear();
          NotingRecords noting(records, asked);
          return unit(noting);
        },
        priority);
  }
  std::vector<std::string> asked;  // by the last unit

 private:
  ports::Store& store_;
};

struct TaskWorld : World {
  usecases::DecideTask one_person{*store, *disburse, payers, ids, false};
  usecases::DecideTask two_persons{*store, *disburse, payers, ids, true};
  usecases::CancelSettlement cancel_settlement{*store, ids};
  usecases::ExpireSettlements expire_settlements{*store, ids, clock};
  domain::ClientId first = caller.client, second = ids.next<domain::ClientId>(), third = ids.next<domain::ClientId>();

  domain::Settlement under_review(const std::string& identifier = "CLM-1") {
    rules.proposal.decision = domain::Decision::manual_review;
    const auto terms = adjudicate(review(draft(identifier)));
    rules.proposal.decision = domain::Decision::approved;
    return terms;
  }
  /// A payment whose outcome no rail reports.
  domain::Settlement in_doubt(bool paid) {
    same_day.description.recall = ports::RailRecall::blind;
    const auto terms = adjudicate(review(draft("CLM-1")));
    same_day.script = {{paid ? FakeRail::Answer::time_out_accepted : FakeRail::Answer::time_out_lost}};
    BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_outcome_unknown);
    return terms;
  }
  std::string task_of(const domain::Settlement& settlement) {
    for (const auto& task : tasks())
      if (task.object_id == settlement.id.text()) return task.id.text();
    BOOST_FAIL("no task is open about this settlement");
    return "";
  }
  domain::Result<usecases::StoredResponse> decide(usecases::DecideTask& decide_task, const domain::ClientId& client,
                                                  const std::string& task, const std::string& decision) {
    auto context = this->context("decide", "");
    context.caller.client = client;
    return decide_task(context, task, {decision, "because"}, task_line);
  }
  domain::Result<usecases::StoredResponse> cancel(const domain::Settlement& settlement) {
    return cancel_settlement(context("cancel"), settlement.id.text(), settlement_body);
  }
  domain::Task closed(const std::string& id) { return usecases::ReadTasks(*store).view(caller.tenant, id)->task; }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(deciding, TaskWorld)

BOOST_AUTO_TEST_CASE(an_approved_review_can_be_confirmed_on_its_terms) {
  const auto terms = under_review();
  const auto task = task_of(terms);
  BOOST_TEST(events("task.opened") == 1);
  const int rows = audit_rows();
  const auto decided = decide(one_person, first, task, "approve");
  BOOST_REQUIRE(bool(decided));
  BOOST_TEST(decided->body == "closed approve 1");
  BOOST_TEST(audit_rows() == rows + 1);
  BOOST_TEST(events("adjudication.decided") == 1);
  BOOST_TEST(events("task.closed") == 1);
  const auto now = settlement(terms.id);
  BOOST_TEST(now.status == SettlementStatus::approved);
  BOOST_TEST((now.decision == domain::Decision::approved));
  BOOST_TEST(now.terms.advance_amount == terms.terms.advance_amount);
  const auto again = decide(one_person, second, task, "decline");
  BOOST_TEST(refusal_of(again) == ErrorCode::invalid_state);
  BOOST_TEST(detail_of(again.error(), "decision") == "approve");
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
}

BOOST_AUTO_TEST_CASE(a_declined_review_ends_the_settlement_and_frees_the_claim) {
  const auto terms = under_review();
  BOOST_REQUIRE(bool(decide(one_person, first, task_of(terms), "decline")));
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::declined);
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::invalid_state);
  funded("CLM-1");
}

BOOST_AUTO_TEST_CASE(with_two_person_decisions_the_requester_cannot_decide) {
  const auto terms = under_review();
  const auto task = task_of(terms);
  BOOST_TEST(refusal_of(decide(two_persons, first, task, "approve")) == ErrorCode::invalid_state);
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::pending_confirmation);
  BOOST_REQUIRE(bool(decide(two_persons, second, task, "approve")));
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::approved);
}

BOOST_AUTO_TEST_CASE(expired_terms_are_not_approved) {
  const auto terms = under_review();
  clock.advance_days(7);
  BOOST_TEST(refusal_of(decide(one_person, first, task_of(terms), "approve")) == ErrorCode::invalid_state);
}

BOOST_AUTO_TEST_CASE(an_unknown_decision_is_refused_with_the_allowed_ones) {
  const auto terms = under_review();
  const auto refused = decide(one_person, first, task_of(terms), "paid");
  BOOST_TEST(refusal_of(refused) == ErrorCode::validation_error);
  BOOST_REQUIRE(refused.error().lists.size() == 1u);
  BOOST_TEST((refused.error().lists[0].second == std::vector<std::string>{"approve", "decline"}));
  BOOST_TEST(refusal_of(decide(one_person, first, "tsk_nonsense", "approve")) == ErrorCode::not_found);
  const auto task = task_of(terms);
  caller.tenant = domain::TenantId::of({9, 9});
  BOOST_TEST(refusal_of(decide(one_person, first, task, "approve")) == ErrorCode::not_found);
}

BOOST_AUTO_TEST_CASE(a_payment_confirmed_by_a_reviewer_is_booked) {
  const auto terms = in_doubt(true);
  const auto task = task_of(terms);
  const auto decided = decide(one_person, first, task, "paid");
  BOOST_REQUIRE_MESSAGE(decided, tests::why(decided));
  BOOST_TEST(decided->body == "closed paid 1");
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
  BOOST_TEST(attempt(terms.id).state == AttemptState::settled);
  BOOST_TEST(balance("funding_cash") == -terms.terms.advance_amount);
  BOOST_TEST(pending("funding_cash") == Money{});
  BOOST_TEST(events("settlement.funded") == 1);
  BOOST_TEST(events("task.closed") == 1);
  BOOST_TEST(closed(task).decision == "paid");
  BOOST_TEST(same_day.payment_count() == 1);
  BOOST_TEST(try_confirm(terms.id, "k1")->replayed);
}

BOOST_AUTO_TEST_CASE(a_payment_decided_as_not_paid_is_rejected_and_can_be_confirmed_again) {
  const auto terms = in_doubt(false);
  BOOST_REQUIRE(bool(decide(one_person, first, task_of(terms), "not_paid")));
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::rejected);
  BOOST_TEST(attempt(terms.id).reason_code == "not_paid");
  BOOST_TEST(pending("funding_cash") == Money{});
  BOOST_TEST(tasks().empty());
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  BOOST_TEST(attempt(terms.id).number == 2);
  BOOST_TEST(same_day.payment_count() == 1);
}

BOOST_AUTO_TEST_CASE(two_clients_must_agree_on_a_payment) {
  const auto terms = in_doubt(true);
  const auto task = task_of(terms);
  BOOST_TEST(decide(two_persons, first, task, "paid")->body == "open  1");
  BOOST_TEST(decide(two_persons, first, task, "paid")->body == "open  1");       // a repeated vote counts once
  BOOST_TEST(decide(two_persons, second, task, "not_paid")->body == "open  2");  // they differ
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::unknown);
  BOOST_TEST(tasks()[0].votes.size() == 2u);
  const auto agreed = decide(two_persons, third, task, "paid");
  BOOST_REQUIRE_MESSAGE(agreed, tests::why(agreed));
  BOOST_TEST(agreed->body == "closed paid 3");
  BOOST_TEST(settlement(terms.id).status == SettlementStatus::funded);
  BOOST_TEST(closed(task).votes.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_decision_on_another_version_of_the_task_changes_nothing) {
  const auto review = under_review("CLM-2");
  const auto payment = in_doubt(true);
  const auto decided = [&](usecases::DecideTask& decide_task, const domain::Settlement& about,
                           const std::string& decision, std::size_t votes_read) {
    usecases::TaskDecision wanted{decision, "because"};
    wanted.expected = [=](const usecases::TaskView& view) { return view.task.votes.size() == votes_read; };
    auto context = this->context("decide", "");
    context.caller.client = second;
    return decide_task(context, task_of(about), wanted, task_line);
  };
  BOOST_TEST(refusal_of(decided(one_person, review, "approve", 1)) == ErrorCode::version_conflict);
  BOOST_TEST((settlement(review.id).decision == domain::Decision::manual_review));
  BOOST_TEST(refusal_of(decided(one_person, payment, "paid", 1)) == ErrorCode::version_conflict);
  BOOST_REQUIRE(bool(decide(two_persons, first, task_of(payment), "paid")));
  BOOST_TEST(refusal_of(decided(two_persons, payment, "paid", 0)) == ErrorCode::version_conflict);
  BOOST_TEST(settlement(payment.id).funding_status == FundingStatus::unknown);
  BOOST_TEST(closed(task_of(payment)).votes.size() == 1u);
  BOOST_TEST(decided(two_persons, payment, "paid", 1)->body == "closed paid 2");
  BOOST_TEST(decided(one_person, review, "approve", 0)->body == "closed approve 1");
}

BOOST_AUTO_TEST_CASE(concurrent_decisions_count_once) {
  const auto terms = in_doubt(true);
  const auto task = task_of(terms);
  store->before_commit(1, [&] { BOOST_REQUIRE(bool(decide(one_person, second, task, "paid"))); });
  BOOST_TEST(refusal_of(decide(one_person, first, task, "not_paid")) == ErrorCode::conflict);
  BOOST_TEST(attempt(terms.id).state == AttemptState::settled);
  BOOST_TEST(events("settlement.funded") == 1);
}

BOOST_AUTO_TEST_CASE(concurrent_equal_votes_close_the_task_on_retry) {
  const auto terms = in_doubt(true);
  const auto task = task_of(terms);
  store->before_commit(1, [&] { BOOST_TEST(decide(two_persons, second, task, "paid")->body == "open  1"); });
  BOOST_TEST(refusal_of(decide(two_persons, first, task, "paid")) == ErrorCode::conflict);  // the pipeline retries
  BOOST_TEST(closed(task).votes.size() == 1u);
  BOOST_TEST(decide(two_persons, first, task, "paid")->body == "closed paid 2");
}

BOOST_AUTO_TEST_CASE(a_vote_changed_concurrently_does_not_count) {
  const auto terms = in_doubt(true);
  const auto task = task_of(terms);
  BOOST_TEST(decide(two_persons, first, task, "paid")->body == "open  1");
  store->before_commit(1, [&] { BOOST_TEST(decide(two_persons, first, task, "not_paid")->body == "open  1"); });
  BOOST_TEST(refusal_of(decide(two_persons, second, task, "paid")) == ErrorCode::conflict);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::unknown);
  BOOST_TEST(decide(two_persons, second, task, "paid")->body == "open  2");
  BOOST_REQUIRE(bool(decide(two_persons, second, task, "not_paid")));
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::rejected);
}

BOOST_AUTO_TEST_CASE(canceled_terms_close_their_task) {
  const auto terms = under_review();
  const auto task = task_of(terms);
  const auto canceled = cancel(terms);
  BOOST_REQUIRE(bool(canceled));
  BOOST_TEST(canceled->body == "canceled requested");
  BOOST_TEST(events("settlement.canceled") == 1);
  BOOST_TEST(tasks().empty());
  BOOST_TEST(closed(task).decision == "settlement_ended");
  BOOST_TEST(refusal_of(cancel(terms)) == ErrorCode::invalid_state);
  funded("CLM-1");
}

BOOST_AUTO_TEST_CASE(a_funded_or_uncertain_settlement_is_not_canceled) {
  BOOST_TEST(refusal_of(cancel(funded("CLM-0"))) == ErrorCode::invalid_state);
  const auto doubtful = in_doubt(true);
  const auto refused = cancel(doubtful);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(detail_of(refused.error(), "funding_status") == "unknown");
}

BOOST_AUTO_TEST_CASE(terms_expire_by_the_time_of_their_tenant) {
  const auto terms = adjudicate(review(draft("CLM-2")));
  shift_clock_days(6);
  BOOST_TEST(*expire_settlements(10) == 0);
  shift_clock_days(7);
  BOOST_TEST(*expire_settlements(10) == 1);
  BOOST_TEST((settlement(terms.id).status == SettlementStatus::canceled));
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_not_trusted_ends_the_terms_of_moved_tenants_only) {
  const auto terms = adjudicate(review(draft("CLM-2")));
  clock.advance_days(7);
  BOOST_TEST(*expire_settlements(10, ports::Tenants::moved) == 0);
  BOOST_TEST((settlement(terms.id).status == SettlementStatus::pending_confirmation));
  shift_clock_days(1);
  BOOST_TEST(*expire_settlements(10, ports::Tenants::moved) == 1);
}

BOOST_AUTO_TEST_CASE(unconfirmed_terms_expire_in_small_rounds) {
  const auto doubtful = in_doubt(false);
  for (const char* claim : {"CLM-2", "CLM-3", "CLM-4"}) adjudicate(review(draft(claim)));
  under_review("CLM-5");
  clock.advance_s(7 * 86'400 - 1);
  BOOST_TEST(*expire_settlements(10) == 0);
  clock.advance_s(1);
  BOOST_TEST(*expire_settlements(3) == 3);
  BOOST_TEST(*expire_settlements(3) == 1);
  BOOST_TEST(*expire_settlements(3) == 0);
  BOOST_TEST(events("settlement.canceled") == 4);
  BOOST_TEST(tasks("manual_review").empty());
  BOOST_TEST(settlement(doubtful.id).status == SettlementStatus::pending_confirmation);  // its money may be on the way
}

BOOST_AUTO_TEST_CASE(a_failed_expiry_does_not_block_the_others) {
  const auto bad = adjudicate(review(draft("CLM-1"))), good = adjudicate(review(draft("CLM-2")));
  clock.advance_days(7);
  store->lose_commit(1);
  BOOST_TEST(refusal_of(expire_settlements(10)) == ErrorCode::service_unavailable);
  BOOST_TEST(settlement(bad.id).status == SettlementStatus::pending_confirmation);
  BOOST_TEST(settlement(good.id).status == SettlementStatus::canceled);
}

BOOST_AUTO_TEST_CASE(tasks_are_listed_by_status_and_kind) {
  const auto terms = under_review("CLM-9");
  in_doubt(true);
  const usecases::ReadTasks read(*store);
  const auto listed = [&](const char* status, const char* kind) {
    return read.list(caller.tenant, {status, kind, "", {}})->size();
  };
  BOOST_TEST(listed("open", "") == 2u);
  BOOST_TEST(listed("", "manual_review") == 1u);
  BOOST_REQUIRE(bool(decide(one_person, first, task_of(terms), "decline")));
  BOOST_TEST(listed("open", "manual_review") == 0u);
  BOOST_TEST(listed("closed", "") == 1u);
  BOOST_TEST(refusal_of(read.list(caller.tenant, {"ajar", "", "", {}})) == ErrorCode::invalid_parameter);
  BOOST_TEST(refusal_of(read.list(caller.tenant, {"", "chore", "", {}})) == ErrorCode::invalid_parameter);
}

// Two units of work that take the same guards in different order deadlock on MariaDB.
BOOST_AUTO_TEST_CASE(ending_terms_takes_the_matching_guard_first) {
  NotingStore noting(*store);
  const auto terms = under_review("CLM-1");
  usecases::CancelSettlement cancel_noted(noting, ids);
  BOOST_REQUIRE(bool(cancel_noted(context("cancel"), terms.id.text(), settlement_body)));
  BOOST_TEST(noting.asked.front() == "clients");
  BOOST_TEST(std::count(noting.asked.begin(), noting.asked.end(), "claims") == 1);

  under_review("CLM-2");
  clock.advance_days(60);
  BOOST_TEST(*usecases::ExpireSettlements(noting, ids, clock)(10) == 1);
  BOOST_TEST(noting.asked.front() == "clients");
}

BOOST_AUTO_TEST_SUITE_END()
