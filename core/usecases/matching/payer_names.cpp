#include "core/usecases/matching/payer_names.hpp"

#include <optional>

#include "core/usecases/matching/numbered_advances.hpp"

namespace tideover::usecases {
namespace {

using domain::AliasKind;

/// An id or originator under which the remittance names its payer.
struct Name {
  AliasKind kind;
  std::string form;
};

std::vector<Name> names_of(const domain::Remittance& remittance, const std::vector<std::string>& ids) {
  std::vector<Name> names;
  const auto add = [&](AliasKind kind, const std::string& text) {
    if (auto form = domain::alias_form(text); !form.empty()) names.push_back({kind, std::move(form)});
  };
  for (const auto& id : ids) add(AliasKind::id, id);
  add(AliasKind::originator, remittance.draft.originator_id);
  return names;
}

/// The payer that the first known name means; nullopt: none, or an operator removed it.
std::optional<std::string> learned_payer(const UnitOfWork& unit, const std::vector<Name>& names) {
  for (const auto& [kind, form] : names)
    if (const auto alias = unit.records.payer_aliases().find(unit.tenant, kind, form); alias && !alias->removed_at)
      return alias->payer_id;
  return std::nullopt;
}

/// Keeps the names with their evidence. A name of two payers (a bank, a clearinghouse, a payment vendor) means none of
/// them from now on.
void learn(const UnitOfWork& unit, const std::vector<Name>& names, const domain::Remittance& evidence) {
  auto& aliases = unit.records.payer_aliases();
  const auto& payer = evidence.draft.payer_id;
  for (const auto& [kind, form] : names) {
    const auto known = aliases.find(unit.tenant, kind, form);
    if (known && known->payer_id != payer && !known->removed_at) aliases.remove(unit.tenant, known->id, unit.now);
    if (known || form == domain::alias_form(payer)) continue;
    aliases.insert(unit.tenant,
                   {unit.ids.next<domain::PayerAliasId>(), kind, form, payer, evidence.id, unit.now, std::nullopt});
  }
}

}  // namespace

void name_payer(const UnitOfWork& unit, domain::Remittance& remittance, const std::vector<std::string>& ids) {
  auto& payer = remittance.draft.payer_id;
  // A payer of advances that only this tenant's claims name is known, although no directory has it.
  if (!payer.empty() && unit.records.settlements().has_advanced_payer(unit.tenant, payer)) return;
  const auto names = names_of(remittance, ids);
  if (names.empty()) return;  // the sender names no payer: the money or a reviewer does
  const auto learned = learned_payer(unit, names);
  const auto found = payers_of_claims(unit.records, unit.tenant, remittance.draft);
  if (found.payers.size() > 1)
    payer.clear();  // waits for a reviewer as a whole
  else if (found.payers.empty() && learned)
    payer = *learned;
  else if (!found.payers.empty() && (found.are_all_certain || found.payers.front() == learned))
    payer = found.payers.front();
  // A remittance that is held teaches nothing: its sender has to correct it.
  if (found.are_all_certain && found.payers.size() == 1 && balance_of(remittance.draft).balanced())
    learn(unit, names, remittance);
}

bool has_claims_of_several_payers(const ports::Records& records, const domain::TenantId& tenant,
                                  const domain::Remittance& remittance) {
  return remittance.draft.payer_id.empty() && payers_of_claims(records, tenant, remittance.draft).payers.size() > 1;
}

}  // namespace tideover::usecases
