#include "core/usecases/allocation/learn_payee.hpp"

#include <algorithm>
#include <map>
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

/// A practice that the remittance pays, also when none of the claims is known as its own.
void add_payee(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
               std::set<std::string>& practices) {
  const auto& payee = remittance.draft.payee_npi;
  if (!payee.empty() && !practices.contains(payee) && records.settlements().has_advanced_provider(tenant, payee))
    practices.insert(payee);
}

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
  add_payee(records, tenant, remittance, evidence.practices);
  return evidence;
}

/// Whether the id names none of the practices, or they are several.
bool is_ambiguous(const std::optional<domain::PayeeAlias>& known, const std::set<std::string>& practices) {
  return practices.size() > 1 || (known && known->payee_npi != *practices.begin());
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
    const bool is_doubtful = is_ambiguous(known, practices);
    if (known && !known->removed_at && is_doubtful) {
      aliases.remove(unit.tenant, known->id, unit.now);
      was_removed = true;
    }
    if (known || !(is_doubtful || is_complete)) continue;
    aliases.insert(unit.tenant, {unit.ids.next<domain::PayeeAliasId>(), std::move(id), *practices.begin(),
                                 remittance.id, unit.now, is_doubtful ? std::optional(unit.now) : std::nullopt});
  }
  return was_removed;
}

NamesOfPayee names_of_payee(const ports::Records& records, const domain::TenantId& tenant,
                            const Remittance& remittance) {
  NamesOfPayee names;
  names.is_practice = !PayeeNames(records, tenant).practice(remittance.draft.payee_npi, remittance).empty();
  const auto ids = payee_ids_of(remittance.draft);
  const auto is_learned = [&](const domain::PayeeId& id) {
    const auto alias = records.payee_aliases().find(tenant, id);
    return alias && !alias->removed_at;
  };
  names.is_learned = std::any_of(ids.begin(), ids.end(), is_learned);
  if (!names.is_learned) return names;
  std::map<std::string, bool> advanced;  // NPIs that only the remittance names
  for (const auto& record : remittance.claims) {
    const auto& claim = record.claim;
    if (const auto known = records.claims().find(tenant, claim.claim_identifier)) {
      names.practices.insert(known->claim.draft.billing_npi);
      continue;
    }
    if (claim.billing_npi.empty()) continue;
    const auto [has_advances, is_new] = advanced.try_emplace(claim.billing_npi, false);
    if (is_new) has_advances->second = records.settlements().has_advanced_provider(tenant, claim.billing_npi);
    if (has_advances->second) names.practices.insert(claim.billing_npi);
  }
  add_payee(records, tenant, remittance, names.practices);
  return names;
}

void forget_ambiguous(const UnitOfWork& unit, const Remittance& remittance, const std::set<std::string>& practices) {
  if (practices.empty()) return;
  auto& aliases = unit.records.payee_aliases();
  for (const auto& id : payee_ids_of(remittance.draft)) {
    if (id.kind == PayeeIdKind::npi && practices.contains(id.form)) continue;
    const auto known = aliases.find(unit.tenant, id);
    if (known && !known->removed_at && is_ambiguous(known, practices)) aliases.remove(unit.tenant, known->id, unit.now);
  }
}

}  // namespace tideover::usecases
