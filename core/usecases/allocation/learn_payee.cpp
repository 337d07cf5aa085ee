#include "core/usecases/allocation/learn_payee.hpp"

#include <set>

namespace tideover::usecases {
namespace {

using domain::ClaimOutcome;
using domain::PayeeIdKind;
using domain::Remittance;

/// What the claims of a remittance say about its payee.
struct PayeeEvidence {
  std::set<std::string> practices;  // of its claims
  bool is_complete = false;         // the practice of each claim is known, and that of one by its advance
};

PayeeEvidence evidence_of(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
                          const GatheredAllocation& gathered, const domain::AllocationPlan& plan) {
  PayeeEvidence evidence;
  bool are_all_known = true;
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto outcome = plan.outcomes[i];
    auto practice = gathered.practices[i];
    const auto& npi = remittance.claims[i].claim.billing_npi;
    if (practice.empty() && !npi.empty() && records.settlements().has_advanced_provider(tenant, npi)) practice = npi;
    const bool is_certain =
        outcome == ClaimOutcome::posted || outcome == ClaimOutcome::duplicate ||
        (outcome == ClaimOutcome::unmatched && gathered.input.claims[i].owner == domain::ClaimOwner::not_advanced);
    if (is_certain && !practice.empty())
      evidence.practices.insert(std::move(practice));
    else
      are_all_known = false;
    evidence.is_complete |= outcome == ClaimOutcome::posted;
  }
  evidence.is_complete &= are_all_known;
  // A practice that the remittance pays, also when none of the claims is known as its own.
  const auto& payee = remittance.draft.payee_npi;
  if (!payee.empty() && !evidence.practices.contains(payee) &&
      records.settlements().has_advanced_provider(tenant, payee))
    evidence.practices.insert(payee);
  return evidence;
}

}  // namespace

bool learn_payee(const UnitOfWork& unit, const Remittance& remittance, const GatheredAllocation& gathered,
                 const domain::AllocationPlan& plan) {
  auto ids = payee_ids_of(remittance.draft);
  if (ids.empty()) return false;
  const auto [practices, is_complete] = evidence_of(unit.records, unit.tenant, remittance, gathered, plan);
  if (practices.empty()) return false;
  bool was_removed = false;
  auto& aliases = unit.records.payee_aliases();
  for (auto& id : ids) {
    if (id.kind == PayeeIdKind::npi && practices.contains(id.form)) continue;
    const auto known = aliases.find(unit.tenant, id);
    const bool is_ambiguous = practices.size() > 1 || (known && known->payee_npi != *practices.begin());
    if (known && !known->removed_at && is_ambiguous) {
      aliases.remove(unit.tenant, known->id, unit.now);
      was_removed = true;
    }
    if (known || !(is_ambiguous || is_complete)) continue;
    aliases.insert(unit.tenant, {unit.ids.next<domain::PayeeAliasId>(), std::move(id), *practices.begin(),
                                 remittance.id, unit.now, is_ambiguous ? std::optional(unit.now) : std::nullopt});
  }
  return was_removed;
}

}  // namespace tideover::usecases
