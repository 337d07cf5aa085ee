// Remittances and their claims.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/remittance.hpp"

namespace tideover::ports {

class RemittanceRecords {
 public:
  virtual ~RemittanceRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::Remittance& remittance) = 0;
  virtual std::optional<domain::Remittance> find(const domain::TenantId& tenant, const domain::RemittanceId& id) const = 0;
  /// The same notice, seen before.
  virtual std::optional<domain::Remittance> find_content(const domain::TenantId& tenant,
                                                         std::string_view content_sha256) const = 0;
  /// Remittances without a deposit, of exactly this payment amount: with this trace number, or (empty trace) of this
  /// payer.
  virtual std::vector<domain::Remittance> waiting(const domain::TenantId& tenant, std::string_view trace_number,
                                                  std::string_view payer_id, domain::Money amount) const = 0;
  /// Remittances with a claim that waits for this settlement to be funded.
  virtual std::vector<domain::Remittance> waiting_for(const domain::TenantId& tenant,
                                                      const domain::SettlementId& settlement) const = 0;
  virtual void link_deposit(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                            const domain::DepositId& deposit) = 0;
  /// Writes state, settlement and record of one claim.
  virtual void update_claim(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                            const domain::RemittanceClaimRecord& claim) = 0;
};

}  // namespace tideover::ports
