#include "core/usecases/allocation/payee_names.hpp"

#include <algorithm>
#include <vector>

namespace tideover::usecases {
namespace {

using domain::PayeeId;
using domain::PayeeIdKind;
using domain::Remittance;

/// The practice that the ids were learned to mean; nullopt: none, or they disagree. An NPI says more than the other
/// ids: beside one that is not learned they name nothing.
std::optional<NamedPractice> learned_practice(const ports::Records& records, const domain::TenantId& tenant,
                                              const std::vector<PayeeId>& ids) {
  std::optional<NamedPractice> practice;
  for (const auto& id : ids) {
    const auto alias = records.payee_aliases().find(tenant, id);
    if (alias && !alias->removed_at) {
      if (practice && practice->npi != alias->payee_npi) return std::nullopt;
      if (!practice) practice = NamedPractice{alias->payee_npi, alias->id};
    }
    if (id.kind == PayeeIdKind::npi) break;
  }
  return practice;
}

}  // namespace

NamedPractice PayeeNames::payee(const Remittance& remittance) {
  const auto [known, is_new] = payees_.try_emplace(remittance.id);
  if (!is_new) return known->second;
  const auto& npi = remittance.draft.payee_npi;
  known->second = {npi, std::nullopt};
  if (npi.empty() || practice(npi, remittance).empty())
    if (auto learned = learned_practice(records_, tenant_, payee_ids_of(remittance.draft)))
      known->second = std::move(*learned);
  return known->second;
}

std::optional<NamedPractice> PayeeNames::provider(const Remittance& remittance,
                                                  const domain::ProviderAdjustment& adjustment) {
  const auto& npi = adjustment.npi;
  if (!npi.empty() && npi == remittance.draft.payee_npi) return payee(remittance);
  if (!npi.empty() && records_.settlements().has_advanced_provider(tenant_, npi)) return NamedPractice{npi};
  const auto ids = payee_ids_of(remittance.draft, adjustment);
  const auto own = payee_ids_of(remittance.draft);
  const auto is_own = [&](const PayeeId& id) { return std::find(own.begin(), own.end(), id) != own.end(); };
  if (npi.empty() && !ids.empty() && std::any_of(ids.begin(), ids.end(), is_own)) return payee(remittance);
  auto learned = learned_practice(records_, tenant_, ids);
  return learned || npi.empty() ? std::move(learned) : NamedPractice{npi};
}

std::string PayeeNames::practice(const std::string& npi, const Remittance& remittance) {
  if (npi.empty() || npi != remittance.draft.payee_npi) return npi;
  const auto [known, is_new] = known_.try_emplace({npi, remittance.id}, false);
  if (is_new) known->second = is_practice(npi, remittance);
  return known->second ? npi : std::string();
}

/// It has advances, or claims of the remittance.
bool PayeeNames::is_practice(const std::string& npi, const Remittance& remittance) const {
  if (records_.settlements().has_advanced_provider(tenant_, npi)) return true;
  return std::any_of(remittance.claims.begin(), remittance.claims.end(), [&](const auto& record) {
    if (record.claim.billing_npi == npi) return true;
    const auto known = records_.claims().find(tenant_, record.claim.claim_identifier);
    return known && known->claim.draft.billing_npi == npi;
  });
}

}  // namespace tideover::usecases
