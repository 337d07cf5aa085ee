// A world in which residuals of paid claims are paid out to the provider.
#pragma once
#include <chrono>

#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/funding/pay_residual.hpp"
#include "core/usecases/funding/replay_journal.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "tests/usecases/matching/matching_steps_world.hpp"

namespace tideover::tests {

inline domain::Money cents(std::int64_t amount) {
  return domain::Money::cents(amount);
}
inline std::string payout_body(const domain::DisbursementAttempt& payout) {
  return "paid " + format_money(payout.amount) + ' ' + payout.id.text() + ' ' + format_timestamp(payout.created_at);
}
inline std::string refusal_body(const domain::Error& error) {
  return "refused " + std::string(name_of(error.code));
}

/// An advance of 640.00 with a fee of 12.80; the payer's 790.00 leave a residual of 137.20.
struct PayoutWorld : MatchingStepsWorld {
  explicit PayoutWorld(ports::RailRecall recall = ports::RailRecall::dedup) { same_day.description.recall = recall; }

  usecases::PayResidual pay_residual{*store, *disburse, ids, true};
  usecases::PayResiduals pay_residuals{*store, *disburse, ids, cents(500)};
  usecases::DecideTask decide_task{*store, *disburse, payers, ids, false, &rules};
  usecases::FollowUpPayments follow_up_payments{*store, *disburse, rails, clock, ids, {}};
  usecases::ReplayJournal replay() {
    return {*store, *disburse, rails, journal, clock, ids, std::chrono::milliseconds(100)};
  }

  domain::SettlementId paid(const std::string& name = "A", std::int64_t amount = 79'000) {
    fund({name});
    arrives(Cash{"D-" + name, amount, "T-" + name});
    arrives(Remittance{"N-" + name, "T-" + name, {{name, amount}}});
    return settlements.at(name);
  }
  domain::Result<usecases::StoredResponse> pay(const domain::SettlementId& id, const std::string& key = "") {
    return pay_residual(context("pay " + id.text(), key), id.text(), payout_body, refusal_body);
  }
  void take_back(std::int64_t amount) {
    const auto name = std::to_string(amount);
    arrives(
        Remittance{"B" + name, "B" + name, {{"A", -amount, -100'000, std::nullopt, "22"}}, 0, "PAYER", "", -amount});
  }
  int claim_all() {
    const auto claimed = pay_residuals();
    BOOST_REQUIRE_MESSAGE(claimed, "claiming failed: " << why(claimed));
    return *claimed;
  }
  domain::DisbursementAttempt payout(const domain::SettlementId& id) { return attempt(id, domain::Purpose::residual); }
  domain::Money due(const domain::SettlementId& id) { return reconciliation(id).residual_due; }
  domain::Money owed() { return -balance(domain::account::provider_payable(caller.tenant)); }
  /// The sum of payouts at the bank, without advances.
  domain::Money received() {
    domain::Money sum;
    for (const auto& [key, payment] : same_day.payments()) sum += payment.amount;
    for (const auto& [name, id] : settlements) sum -= *settlement(id).funded_amount;
    return sum;
  }
  std::string task_of(std::string_view kind) {
    const auto open = tasks(std::string(kind));
    BOOST_REQUIRE_MESSAGE(open.size() == 1u, open.size() << " tasks of kind " << kind << " are open");
    return open.front().id.text();
  }
  domain::Result<usecases::StoredResponse> decide(std::string_view kind, const std::string& decision) {
    return decide_task(context("decide"), task_of(kind), {decision, "because"}, task_body);
  }
  void check_paid_once(const domain::SettlementId& id) {
    BOOST_TEST(received() == cents(13'720));
    BOOST_TEST(owed() == domain::Money{});
    BOOST_TEST(due(id) == domain::Money{});
    BOOST_TEST(pending("funding_cash") == domain::Money{});
    BOOST_TEST(balance("funding_cash") == cents(-64'000 - 13'720));
    BOOST_TEST(events("payout.paid") == 1);
    BOOST_TEST(is_paid(payout(id).state));
  }
};

}  // namespace tideover::tests
