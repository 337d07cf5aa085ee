// Confirming: at most one payment per settlement, and none forgotten (core/docs/reliability.md#protocol-steps).
#include <atomic>
#include <new>
#include <thread>
#include <vector>

#include "core/usecases/funding/book_outcome.hpp"
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

namespace {

/// Counts reads, and throws from the n-th one on demand.
class ThrowingStore final : public ports::Store {
 public:
  explicit ThrowingStore(ports::Store& real) : real_(real) {}
  int reads = 0;
  int throws_at = 0;  // 0: never

  domain::Status read(const std::function<void(const ports::Records&)>& look) override {
    if (++reads == throws_at) throw std::bad_alloc();
    return real_.read(look);
  }
  domain::Status commit(const Unit& unit, ports::Priority priority) override { return real_.commit(unit, priority); }

 private:
  ports::Store& real_;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(funding, FundingWorld)

BOOST_AUTO_TEST_CASE(confirming_pays_books_and_stores_answer_and_event) {
  const auto terms = ready();
  BOOST_TEST(terms.terms.advance_amount == Money::cents(64'000));
  const auto confirmed = try_confirm(terms.id, "k1");
  BOOST_REQUIRE(confirmed);
  BOOST_TEST(!confirmed->replayed);
  check_funded_once(terms);
  BOOST_TEST(same_day.payments().begin()->first == attempt(terms.id).rail_key);
  BOOST_TEST(same_day.payments().begin()->second.payout_account_token == "tok_ok");
  BOOST_TEST(attempt(terms.id).rail_reference == "bank-1");
  BOOST_TEST(*settlement(terms.id).funded_at == clock.now());
  const auto kept = answer_under("confirm " + terms.id.text(), "k1");
  BOOST_REQUIRE(kept.has_value());
  BOOST_TEST(kept->body == confirmed->body);
  BOOST_TEST(kept->outcome == "ok");
}

BOOST_AUTO_TEST_CASE(money_is_pending_during_the_rail_call) {
  const auto terms = ready();
  same_day.during_submit = [&] {
    BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::pending_submission);
    BOOST_TEST(attempt(terms.id).state == AttemptState::submitting);
    BOOST_TEST(pending("funding_cash") == Money::cents(-64'000));
    BOOST_TEST(balance("funding_cash") == Money{});
  };
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_confirm_that_ends_by_an_exception_leaves_its_place_to_the_next) {
  ThrowingStore throwing(*store);
  usecases::ConfirmSettlement confirm(throwing, rules, *disburse, ids, {std::chrono::milliseconds(40), 1});
  const auto terms = ready();
  const auto confirm_again = [&] {
    return confirm(
        context("confirm " + terms.id.text()), terms.id.text(), [](const auto&) { return std::string(); },
        [](const auto&) { return std::string(); });
  };
  // Two more confirms while the first one is at the rail.
  same_day.during_submit = [&] {
    throwing.throws_at = 2;  // the first read of the wait
    BOOST_CHECK_THROW((void)confirm_again(), std::bad_alloc);
    throwing.reads = throwing.throws_at = 0;
    BOOST_TEST(refusal_of(confirm_again()) == ErrorCode::idempotency_in_progress);
    BOOST_TEST(throwing.reads > 2);  // it waited, so the place was free
  };
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(confirming_again_with_the_same_or_no_key_returns_the_same_answer) {
  const auto terms = ready();
  const auto first = try_confirm(terms.id, "k1");
  BOOST_REQUIRE(first);
  clock.advance_s(5);
  for (const char* key : {"k1", ""}) {
    const auto again = try_confirm(terms.id, key);
    BOOST_REQUIRE(again);
    BOOST_TEST(again->body == first->body);
    BOOST_TEST(again->replayed);
  }
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(confirming_again_under_another_key_is_refused) {
  const auto terms = ready();
  BOOST_REQUIRE(bool(try_confirm(terms.id, "k1")));
  const auto other = try_confirm(terms.id, "k2");
  BOOST_TEST(refusal_of(other) == ErrorCode::settlement_already_funded);
  BOOST_TEST(detail_of(other.error(), "settlement_id") == terms.id.text());
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(an_unknown_or_foreign_settlement_is_not_found) {
  const auto terms = ready();
  BOOST_TEST(refusal_of(try_confirm(domain::SettlementId::of({9, 9}))) == ErrorCode::settlement_not_found);
  caller.tenant = domain::TenantId::of({9, 9});
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::settlement_not_found);
  BOOST_TEST(same_day.payment_count() == 0);
}

BOOST_AUTO_TEST_CASE(a_rail_rejection_is_stored_and_a_new_key_can_retry) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  const auto refused = try_confirm(terms.id, "k1");
  BOOST_TEST(refusal_of(refused) == ErrorCode::rail_rejected);
  BOOST_TEST(detail_of(refused.error(), "code") == "R03");
  const auto after = settlement(terms.id);
  BOOST_TEST(after.status == SettlementStatus::pending_confirmation);
  BOOST_TEST(after.funding_status == FundingStatus::rejected);
  BOOST_TEST(pending("funding_cash") == Money{});
  BOOST_TEST(balance("funding_cash") == Money{});
  BOOST_TEST(events("funding.rejected") == 1);
  BOOST_TEST(audit_rows("rail_rejected") == 1);
  BOOST_TEST(answer_under("confirm " + terms.id.text(), "k1")->body == "refused rail_rejected");
  const auto first = attempt(terms.id);
  BOOST_TEST(first.number == 1);
  BOOST_TEST(first.reason_code == "R03");

  BOOST_REQUIRE(bool(try_confirm(terms.id, "k2")));
  const auto second = attempt(terms.id);
  BOOST_TEST(second.number == 2);
  BOOST_TEST(second.rail_key != first.rail_key);
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_key_with_a_stored_answer_starts_no_second_attempt) {
  const auto terms = ready();
  same_day.script = {{FakeRail::Answer::reject, "R03"}};
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::rail_rejected);
  // A node that looked for the answer too early retries and finds it.
  BOOST_TEST(refusal_of(try_confirm(terms.id, "k1")) == ErrorCode::conflict);
  BOOST_TEST(attempt(terms.id).number == 1);
  BOOST_TEST(same_day.calls().size() == 1u);
}

BOOST_AUTO_TEST_CASE(sixteen_threads_confirming_one_settlement_pay_once) {
  for (const bool with_key : {false, true}) {
    FundingWorld world;
    const auto terms = world.ready();
    const int audit_before = world.audit_rows();
    std::vector<usecases::RequestContext> acts;
    for (int i = 0; i < 16; ++i) acts.push_back(world.context("confirm", with_key ? "k" + std::to_string(i) : ""));
    std::atomic<int> succeeded{0}, refused{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
      threads.emplace_back([&, i] {
        const auto confirm = [&] {
          return (*world.confirm_settlement)(
              acts[i], terms.id.text(), [](const usecases::Confirmation&) { return std::string("body"); },
              [](const domain::Error&) { return std::string(); });
        };
        auto answer = confirm();
        if (!answer && answer.error().code == ErrorCode::conflict) answer = confirm();  // as the pipeline retries
        if (answer)
          ++succeeded;
        else if (answer.error().code == ErrorCode::idempotency_in_progress ||
                 answer.error().code == ErrorCode::settlement_already_funded)
          ++refused;
      });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(succeeded >= 1);
    if (with_key) BOOST_TEST(succeeded == 1);
    BOOST_TEST(succeeded + refused == 16);
    BOOST_TEST(world.audit_rows() - audit_before == 1);
    world.check_funded_once(terms);
    world.teardown();
  }
}

BOOST_AUTO_TEST_CASE(a_conflicting_confirm_returns_the_stored_funding) {
  const auto terms = ready();
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  BOOST_TEST(refusal_of(disburse->claim(context("confirm"), terms)) == ErrorCode::conflict);
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_settlement_in_manual_review_cannot_be_confirmed) {
  rules.proposal.decision = domain::Decision::manual_review;
  const auto terms = ready();
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::manual_review_pending);
  BOOST_TEST(same_day.calls().empty());
}

BOOST_AUTO_TEST_CASE(declined_and_expired_settlements_cannot_be_confirmed) {
  rules.proposal.decision = domain::Decision::declined;
  const auto declined = ready("CLM-1");
  const auto refused = try_confirm(declined.id);
  BOOST_TEST(refusal_of(refused) == ErrorCode::invalid_state);
  BOOST_TEST(detail_of(refused.error(), "status") == "declined");
  rules.proposal.decision = domain::Decision::approved;
  const auto lapsed = ready("CLM-2");
  clock.advance_days(7);
  BOOST_TEST(refusal_of(try_confirm(lapsed.id)) == ErrorCode::invalid_state);
  BOOST_TEST(same_day.calls().empty());
}

BOOST_AUTO_TEST_CASE(a_later_confirm_pays_on_its_current_date) {
  const auto terms = ready();
  clock.advance_s(3 * 86'400);
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  const auto now = settlement(terms.id);
  BOOST_TEST((now.funding.effective_date == clock.now().utc_date()));
  BOOST_TEST(now.funding.adjusted);
  BOOST_TEST((same_day.payments().begin()->second.effective_date == clock.now().utc_date()));
}

BOOST_AUTO_TEST_CASE(a_past_date_is_refused_for_a_strict_tenant) {
  const auto terms = ready();
  caller.profile = domain::ValidationProfile::strict;
  clock.advance_s(3 * 86'400);
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::invalid_desired_date);
  BOOST_TEST(same_day.payment_count() == 0);
}

BOOST_AUTO_TEST_CASE(a_suspended_rail_moves_nothing) {
  const auto terms = ready();
  same_day.description.status = "suspended";
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_unavailable);
  BOOST_TEST(refusal_of(try_adjudicate(review(draft("CLM-2")).authorization_id.text())) == ErrorCode::rail_unavailable);
  same_day.description.status = "operational";
  BOOST_REQUIRE(bool(try_confirm(terms.id)));
  check_funded_once(terms);
}

BOOST_AUTO_TEST_CASE(a_finalized_claim_is_not_advanced) {
  for (const auto status : {domain::ClaimStatus::voided, domain::ClaimStatus::denied, domain::ClaimStatus::paid,
                            domain::ClaimStatus::closed}) {
    const std::string identifier = "CLM-" + std::string(name_of(status));
    const auto reviewed = review(draft(identifier));
    const auto terms = adjudicate(reviewed);
    usecases::StatusUpdate update;
    update.status = status;
    const auto moved = (*update_claim_status)(context("status"), identifier, update,
                                              [](const domain::ClaimStatusRecord&) { return std::string(); });
    BOOST_REQUIRE(bool(moved));
    BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::invalid_state);
    const auto again = review(draft(identifier));
    BOOST_TEST(refusal_of(try_adjudicate(again.authorization_id.text())) == ErrorCode::invalid_state);
  }
  BOOST_TEST(same_day.payment_count() == 0);
}

BOOST_AUTO_TEST_CASE(an_unavailable_rail_frees_the_settlement) {
  const auto terms = ready();
  rails.remove_all();
  BOOST_TEST(refusal_of(try_confirm(terms.id)) == ErrorCode::rail_unavailable);
  BOOST_TEST(settlement(terms.id).funding_status == FundingStatus::none);
  BOOST_TEST(pending("funding_cash") == Money{});
}

BOOST_AUTO_TEST_CASE(each_state_of_an_attempt_has_the_funding_status_of_the_contract) {
  const std::vector<std::pair<AttemptState, std::string>> table{
      {AttemptState::intent, "pending_submission"}, {AttemptState::submitting, "pending_submission"},
      {AttemptState::unknown, "unknown"},           {AttemptState::manual, "unknown"},
      {AttemptState::rejected, "rejected"},         {AttemptState::accepted, "submitted"},
      {AttemptState::settled, "settled"},           {AttemptState::returned, "returned"}};
  BOOST_TEST(table.size() == std::size_t{domain::kAttemptStateCount});
  for (const auto& [state, status] : table) BOOST_TEST(name_of(usecases::funding_status_of(state)) == status);
}

BOOST_AUTO_TEST_SUITE_END()
