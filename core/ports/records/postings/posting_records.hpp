// Remittances that are being posted in chunks.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "core/domain/basics/tenant.hpp"
#include "core/domain/reconciliation/posting.hpp"

namespace tideover::ports {

class PostingRecords {
 public:
  virtual ~PostingRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::RemittancePosting& posting) = 0;
  /// nullopt: the remittance is not being posted.
  virtual std::optional<domain::RemittancePosting> find(const domain::TenantId& tenant,
                                                        const domain::RemittanceId& remittance) const = 0;
  /// Whether a remittance that this deposit pays is being posted.
  virtual bool is_open(const domain::TenantId& tenant, const domain::DepositId& deposit) const = 0;
  /// Whether a remittance of this payer is being posted.
  virtual bool is_payer_open(const domain::TenantId& tenant, std::string_view payer_id) const = 0;
  /// The remittances of the tenant that are being posted.
  virtual std::vector<domain::RemittanceId> of(const domain::TenantId& tenant) const = 0;
  /// Writes all but `again`.
  virtual void move(const domain::TenantId& tenant, const domain::RemittancePosting& posting) = 0;
  /// Returns false when the remittance is not being posted.
  virtual bool set_again(const domain::TenantId& tenant, const domain::RemittanceId& remittance, bool again) = 0;
  /// Another transaction changed claims of the remittance: its posting reads them again.
  virtual void note_change(const domain::TenantId& tenant, const domain::RemittanceId& remittance) = 0;
  virtual void remove(const domain::TenantId& tenant, const domain::RemittanceId& remittance) = 0;
  /// Its next attempt comes after those of the other stalled postings.
  virtual void postpone(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                        domain::Timestamp now) = 0;
  /// Postings of all tenants without a chunk or attempt since `latest`, the one that waits longest first.
  virtual std::vector<std::pair<domain::TenantId, domain::RemittanceId>> stalled(domain::Timestamp latest,
                                                                                 std::size_t limit) const = 0;
};

}  // namespace tideover::ports
