#include "core/usecases/sandbox/simulate_payments.hpp"

#include <optional>

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::size_t kAtOnce = 100;

}  // namespace

domain::Result<domain::Settlement> SimulatePayments::settlement_of(const domain::TenantId& tenant,
                                                                   const std::string& id) const {
  const auto missing = Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
  const auto parsed = domain::SettlementId::parse(id);
  if (!parsed) return missing;
  auto stored = fetch(store_, missing,
                      [&](const ports::Records& records) { return records.settlements().find(tenant, *parsed); });
  if (!stored) return stored.error();
  return std::move(stored->settlement);
}

domain::Result<StoredResponse> SimulatePayments::remittance(const RequestContext& context, const PaymentOrder& order,
                                                            const Render<std::vector<PostedRemittance>>& render) {
  const auto settlement = settlement_of(context.caller.tenant, order.settlement_id);
  if (!settlement) return settlement.error();
  return post_remittance_(context, {simulated_payment(*settlement, order.outcome, context.now.utc_date()).remittance},
                          render);
}

domain::Result<StoredResponse> SimulatePayments::deposit(const RequestContext& context, const PaymentOrder& order,
                                                         const Render<PostedDeposit>& render) {
  const auto settlement = settlement_of(context.caller.tenant, order.settlement_id);
  if (!settlement) return settlement.error();
  const auto made = simulated_payment(*settlement, order.outcome, context.now.utc_date());
  if (!made.deposit) {
    auto refusal = Error::of(ErrorCode::validation_error, "No money arrives with this outcome.");
    refusal.fields.push_back({"outcome", "must be paid, short or overpaid"});
    return refusal;
  }
  return post_deposit_(context, *made.deposit, render);
}

domain::Result<bool> SimulatePayments::send(const domain::TenantId& tenant, const domain::Settlement& settlement,
                                            domain::PaymentOutcome outcome) {
  const auto now = clock_.now();
  const auto made = simulated_payment(settlement, outcome, now.utc_date());
  const auto sent = fetch(store_, [&](const ports::Records& records) {
    return records.remittances().list(tenant, {std::nullopt, "", made.remittance.trace_number}, {"", 1});
  });
  if (!sent) return sent.error();
  if (!sent->empty()) return false;
  RequestContext context;
  context.caller.tenant = tenant;
  context.operation = "sandbox payment";
  context.now = now;
  const auto posted =
      post_remittance_(context, {made.remittance}, [](const std::vector<PostedRemittance>&) { return std::string(); });
  if (!posted) return posted.error();
  if (!made.deposit) return true;
  const auto paid = post_deposit_(context, *made.deposit, [](const PostedDeposit&) { return std::string(); });
  if (!paid) return paid.error();
  return true;
}

domain::Result<int> SimulatePayments::send_due(const std::function<bool()>& stopping) {
  int sent = 0;
  std::optional<Error> first_failure;
  ports::Overdue after;
  for (bool more = true; more && !stopping();) {
    const auto due = fetch(store_, [&](const ports::Records& records) {
      return records.settlements().overdue(clock_.now().utc_date(), after, kAtOnce);
    });
    if (!due) return due.error();
    more = due->size() == kAtOnce;
    if (more) after = due->back();
    for (const auto& open : *due) {
      if (stopping()) break;
      const ports::InTimeOf in_time(clock_, open.tenant);
      if (clock_.now().utc_date() < open.expected) continue;
      const auto settlement = settlement_of(open.tenant, open.settlement.text());
      const auto charge = settlement ? settlement->billed.charge : domain::Money{};
      const auto outcome = magic_outcome(charge);
      if (!outcome) continue;
      auto done = send(open.tenant, *settlement, *outcome);
      sent += done && *done;
      if (done && is_taken_back_later(charge)) {
        done = send(open.tenant, *settlement, domain::PaymentOutcome::taken_back);
        sent += done && *done;
      }
      if (!done && !first_failure) first_failure = done.error();
    }
  }
  if (first_failure) return *first_failure;
  return sent;
}

}  // namespace tideover::usecases
