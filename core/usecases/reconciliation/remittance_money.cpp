#include "core/usecases/reconciliation/remittance_money.hpp"

#include <algorithm>
#include <string>

#include "core/usecases/matching/find_proposals.hpp"

namespace tideover::usecases {
namespace {

using domain::Remittance;

constexpr std::size_t kMostAsked = 100;

/// A task that a reviewer has to decide may change the payer, the claims or the amount: post nothing until then.
bool is_asked_about(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance) {
  const auto open =
      records.tasks().list(tenant, {domain::TaskStatus::open, {}, remittance.id.text()}, {"", kMostAsked});
  return std::any_of(open.begin(), open.end(), [](const domain::Task& task) { return task.kind != "trace_reused"; });
}

bool stands_for_money(const ports::Records& records, const domain::TenantId& id, const Remittance& remittance) {
  // Only a balanced remittance of a known payer is evidence that money moved.
  if (remittance.deposit || remittance.draft.payer_id.empty() || remittance.draft.payment_amount <= domain::Money{} ||
      !balance_of(remittance.draft).balanced())
    return false;
  const auto tenant = records.clients().tenant(id);
  return tenant && tenant->post_on == domain::PostOn::remittance && !is_asked_about(records, id, remittance);
}

domain::Deposit money_of(const Remittance& remittance, ports::IdSource& ids, domain::Timestamp now) {
  domain::Deposit deposit;
  deposit.id = ids.next<domain::DepositId>();
  deposit.payer_id = remittance.draft.payer_id;
  deposit.payer_said = remittance.draft.payer_said;
  deposit.amount = remittance.draft.payment_amount;
  // Without a bank feed the payment date is the best known day of receipt.
  deposit.received_date = remittance.draft.payment_date.value_or(remittance.created_at.utc_date());
  deposit.trace_number = remittance.draft.trace_number;
  deposit.originator = remittance.draft.originator_id;
  deposit.channel = domain::kByRemittance;
  deposit.created_at = now;  // days after the remittance when its payer was assigned later
  return deposit;
}

}  // namespace

domain::Result<std::optional<PostedDeposit>> post_remittance_money(ports::Records& records,
                                                                   const RequestContext& context, ports::IdSource& ids,
                                                                   const Remittance& remittance,
                                                                   ports::RulePolicy* rules, std::size_t at_once) {
  const auto& tenant = context.caller.tenant;
  if (!stands_for_money(records, tenant, remittance)) return std::optional<PostedDeposit>();
  auto deposit = money_of(remittance, ids, context.now);
  // Post the same payment once: a deposit that may be a repeat waits for a reviewer.
  if (records.remittances().names_claims_of_another(tenant, remittance) &&
      !sent_before(records, tenant, deposit).empty())
    deposit.status = domain::MatchState::suspected_duplicate;
  auto taken = take_deposit({records, tenant, context.now, ids, rules}, std::move(deposit), at_once);
  if (!taken) return taken.error();
  leave_audit_row(records, context, ids, taken->deposit.id.text(), "ok");
  return std::optional(std::move(*taken));
}

}  // namespace tideover::usecases
