// Bank deposits.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/remittance.hpp"

namespace tideover::ports {

class DepositRecords {
 public:
  virtual ~DepositRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::Deposit& deposit) = 0;
  virtual std::optional<domain::Deposit> find(const domain::TenantId& tenant, const domain::DepositId& id) const = 0;
  virtual std::optional<domain::Deposit> find_external(const domain::TenantId& tenant,
                                                       std::string_view external_id) const = 0;
  /// Still wholly unmatched deposits of exactly this amount: with this trace number, or (empty trace) of this payer.
  virtual std::vector<domain::Deposit> waiting(const domain::TenantId& tenant, std::string_view trace_number,
                                               std::string_view payer_id, domain::Money amount) const = 0;
  /// Writes status and matched_amount.
  virtual void update_match(const domain::TenantId& tenant, const domain::Deposit& deposit) = 0;
};

}  // namespace tideover::ports
