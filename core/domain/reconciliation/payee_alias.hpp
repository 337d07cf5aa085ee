// Ids under which payers name a practice other than by its NPI, with the evidence for each.
//
// Threads: pure functions.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/reconciliation/payer_alias.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// npi: of a group or a billing company. tax_id: of the practice. assigned: the payer's own number of the practice.
enum class PayeeIdKind { npi, tax_id, assigned };
inline constexpr std::array<std::string_view, 3> kPayeeIdKindNames{"npi", "tax_id", "assigned"};
inline std::string_view name_of(PayeeIdKind kind) {
  return kPayeeIdKindNames[static_cast<std::size_t>(kind)];
}
inline std::optional<PayeeIdKind> payee_id_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kPayeeIdKindNames.size(); ++i)
    if (kPayeeIdKindNames[i] == name) return static_cast<PayeeIdKind>(i);
  return std::nullopt;
}

struct PayeeId {
  PayeeIdKind kind = PayeeIdKind::npi;
  std::string form;      // in upper case; a tax id without hyphens and blanks
  std::string payer_id;  // of an assigned number, which means nothing to other payers; otherwise empty
  friend bool operator==(const PayeeId&, const PayeeId&) = default;
};

struct PayeeAlias {
  PayeeAliasId id;
  PayeeId names;
  std::string payee_npi;    // the practice
  RemittanceId remittance;  // the evidence: all its claims are of this practice, at least one by its advance
  Timestamp learned_at;
  std::optional<Timestamp> removed_at;  // names no practice any more and is not learned again
};

inline std::string tax_id_form(std::string_view text) {
  auto form = alias_form(text);
  std::erase_if(form, [](char c) { return c == '-' || c == ' '; });
  return form;
}

/// The ids by which the remittance names its payee, the one that says most first.
inline std::vector<PayeeId> payee_ids_of(const RemittanceDraft& remittance) {
  std::vector<PayeeId> ids;
  if (!remittance.payee_npi.empty()) ids.push_back({PayeeIdKind::npi, remittance.payee_npi, ""});
  if (auto form = alias_form(remittance.payee_assigned_id); !form.empty() && !remittance.payer_id.empty())
    ids.push_back({PayeeIdKind::assigned, std::move(form), remittance.payer_id});
  if (auto form = tax_id_form(remittance.payee_tax_id); !form.empty())
    ids.push_back({PayeeIdKind::tax_id, std::move(form), ""});
  return ids;
}

/// The ids that PLB01 may be: it has no qualifier.
inline std::vector<PayeeId> payee_ids_of(const RemittanceDraft& remittance, const ProviderAdjustment& adjustment) {
  if (!adjustment.npi.empty()) return {{PayeeIdKind::npi, adjustment.npi, ""}};
  RemittanceDraft named;
  named.payer_id = remittance.payer_id;
  named.payee_assigned_id = named.payee_tax_id = adjustment.provider_id;
  return payee_ids_of(named);
}

}  // namespace tideover::domain
