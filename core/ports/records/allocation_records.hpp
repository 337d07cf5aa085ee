// The stored allocation of remittances: which account each of their lines went to.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/tenant.hpp"
#include "core/domain/reconciliation/allocation.hpp"

namespace tideover::ports {

/// A forward balance that is not used up: what its payer still withholds from its practice.
struct OpenBalance {
  domain::AllocationRef row;
  domain::AllocationLine line = domain::AllocationLine::payment;  // of its remittance
  int index = 0;
  std::string payee_npi{};
  domain::Money left{};
};

class AllocationRecords {
 public:
  virtual ~AllocationRecords() = default;
  /// A repeated number is a conflict: another writer was first.
  virtual void append(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                      const domain::AllocationRow& row) = 0;
  /// In order of their numbers.
  virtual std::vector<domain::AllocationRow> of(const domain::TenantId& tenant,
                                                const domain::RemittanceId& remittance) const = 0;
  /// The open forward balances of this payer, oldest first.
  virtual std::vector<OpenBalance> open_balances(const domain::TenantId& tenant, std::string_view payer_id,
                                                 std::size_t limit) const = 0;
  /// Whether another remittance uses this forward balance.
  virtual bool is_used(const domain::TenantId& tenant, const domain::AllocationRef& balance) const = 0;
  /// Remittances of this payer with a recovery that was charged to its practice because no balance was known: those
  /// after `after`, oldest first.
  virtual std::vector<domain::RemittanceId> charged_recoveries(const domain::TenantId& tenant,
                                                               std::string_view payer_id,
                                                               const domain::RemittanceId& after,
                                                               std::size_t limit) const = 0;
  /// What remittances withheld for the claim of this advance and no takeback announced. Recoveries of `except` do not
  /// count.
  virtual domain::Money recovered_of(const domain::TenantId& tenant, const domain::SettlementId& settlement,
                                     const domain::RemittanceId& except) const = 0;
};

}  // namespace tideover::ports
