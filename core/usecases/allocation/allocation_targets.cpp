#include "core/usecases/allocation/allocation_targets.hpp"

#include <algorithm>

#include "core/domain/reconciliation/answer.hpp"

namespace tideover::usecases {
namespace {

using domain::Money;
using domain::PaymentKind;
using domain::Remittance;
using State = domain::RemittanceClaimRecord::State;

}  // namespace

std::optional<PaymentKind> kind_as_decided(const domain::RemittanceClaim& claim) {
  const auto answer = domain::answer_of(claim);
  const bool takes_back = answer.paid < Money{};
  switch (answer.kind) {
    // A negative payment is a takeback, whichever status the payer gives it.
    case domain::AnswerKind::processed:
      return takes_back ? PaymentKind::taken_back : PaymentKind::processed;
    case domain::AnswerKind::denied:
      return takes_back ? PaymentKind::taken_back : PaymentKind::denied;
    case domain::AnswerKind::taken_back:
      return takes_back ? std::optional(PaymentKind::taken_back) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<PaymentKind> automatic_kind(const domain::RemittanceClaim& claim) {
  return domain::answer_of(claim).contradiction.empty() ? kind_as_decided(claim) : std::nullopt;
}

bool moves_nothing(const domain::RemittanceClaim& claim) {
  using Kind = domain::AnswerKind;
  const auto answer = domain::answer_of(claim);
  return answer.contradiction.empty() &&
         (answer.kind == Kind::taken_back || answer.kind == Kind::forwarded || answer.kind == Kind::predetermined);
}

bool is_funded(const AllocationTarget& target) {
  return target.settlement.status == domain::SettlementStatus::funded;
}
bool is_funded(const std::optional<AllocationTarget>& target) {
  return target && is_funded(*target);
}

domain::Position position_of(const ports::Records& records, const domain::TenantId& tenant,
                             const AllocationTarget& target) {
  return domain::position_of(records.reconciliations().of(tenant, target.settlement.id));
}

Money advance_of(const domain::Settlement& settlement) {
  return settlement.funded_amount.value_or(settlement.terms.advance_amount);
}

Money fee_on(domain::Date day, const ports::Records& records, const domain::TenantId& tenant,
             const domain::Settlement& settlement, const std::vector<domain::ReconciliationRecord>& known) {
  const auto& terms = settlement.terms;
  if (terms.fee_steps.empty() || !settlement.funded_at) return terms.fee_estimate;
  // A takeback may undo the recovery; then the day of the next one counts.
  const domain::ReconciliationRecord* recovering = nullptr;
  Money paid;
  const auto left = standing(known);
  for (const auto& record : left) {
    paid += record.payer_payment;
    if (paid < advance_of(settlement))
      recovering = nullptr;
    else if (recovering == nullptr)
      recovering = &record;
  }
  if (recovering != nullptr) {
    // The day on which the bank had the money: a decision that comes later makes no fee.
    const auto deposit =
        recovering->deposit ? records.deposits().find(tenant, *recovering->deposit) : std::optional<domain::Deposit>();
    day = deposit ? deposit->received_date : recovering->posted_at.utc_date();
  }
  return fee_after(terms, std::max(days_between(settlement.funded_at->utc_date(), day), 0));
}

bool awaits_funding(const Remittance& remittance, const AllocationTargets& targets) {
  for (std::size_t i = 0; i < targets.of.size(); ++i)
    if (targets[i] && remittance.claims[i].state == State::waiting && !is_funded(targets[i])) return true;
  return false;
}

Money above_charge(const ports::Records& records, const domain::TenantId& tenant, const domain::Settlement& settlement,
                   Money amount) {
  return domain::above_charge(domain::position_of(records.reconciliations().of(tenant, settlement.id)), amount,
                              settlement.billed.charge);
}

}  // namespace tideover::usecases
