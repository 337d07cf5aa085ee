// The practices that remittances name as payees (core/docs/waterfall.md). A payer names a practice by its NPI, its tax
// id, or a number of its own; a group or a billing company has another NPI. learn_payee() learns what they mean.
//
// Threads: read-only; call inside the caller's transaction, after guard_matching().
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/domain/reconciliation/payee_alias.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// A practice, and the learned id that named it, if one did.
struct NamedPractice {
  std::string npi;  // empty: not known
  std::optional<domain::PayeeAliasId> alias{};
};

/// What the names of the payee mean, as the claims of the remittance say.
struct NamesOfPayee {
  bool is_practice = false;  // its NPI is that of a practice
  bool is_learned = false;   // another id of it names a practice
  /// The practices of the claims, if an id is learned: nothing else asks for them.
  std::set<std::string> practices{};
};

/// Reads each answer once.
class PayeeNames {
 public:
  PayeeNames(const ports::Records& records, const domain::TenantId& tenant) : records_(records), tenant_(tenant) {}

  /// The practice of lines that nothing else names: the payee's NPI if it is that of a practice, else what its ids were
  /// learned to mean, else the NPI as it is.
  NamedPractice payee(const domain::Remittance& remittance);
  /// The practice that PLB01 names; nullopt: it names none.
  std::optional<NamedPractice> provider(const domain::Remittance& remittance,
                                        const domain::ProviderAdjustment& adjustment);
  /// The NPI if it is that of a practice. Empty: it is that of a billing platform or clearinghouse, which payers name
  /// as the payee of a remittance.
  std::string practice(const std::string& npi, const domain::Remittance& remittance);
  /// Answers practice() for the NPI of the payee, which was asked before.
  void assume(const domain::Remittance& remittance, bool is_practice) {
    known_.insert_or_assign({remittance.draft.payee_npi, remittance.id}, is_practice);
  }

 private:
  bool is_practice(const std::string& npi, const domain::Remittance& remittance) const;

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  std::map<std::pair<std::string, domain::RemittanceId>, bool> known_;
  std::map<domain::RemittanceId, NamedPractice> payees_;
};

}  // namespace tideover::usecases
