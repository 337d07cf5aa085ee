// Claims and their status at the payer.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/claims/claim.hpp"
#include "core/domain/claims/claim_status.hpp"

namespace tideover::ports {

struct StoredClaim {
  domain::Claim claim;
  domain::ClaimStatusRecord status;
  int revision = 0;  // the number of replacements
  domain::Timestamp created_at;
};

/// Empty members match everything.
struct ClaimFilter {
  std::string_view payer_id = {};
  std::optional<domain::ClaimStatus> status = std::nullopt;
};

class ClaimRecords {
 public:
  virtual ~ClaimRecords() = default;
  /// `reference`: the claim_identifier, or else the internal id.
  virtual std::optional<StoredClaim> find(const domain::TenantId& tenant, std::string_view reference) const = 0;
  virtual std::vector<StoredClaim> list(const domain::TenantId& tenant, const ClaimFilter& filter,
                                        const domain::ListPage& page) const = 0;
  /// The statuses that were replaced, by version, without their claim identifier. `after`: the last version of the page
  /// before, in this order; nullopt: the first page.
  virtual std::vector<domain::ClaimStatusRecord> replaced_statuses(const domain::TenantId& tenant,
                                                                   const domain::ClaimId& claim,
                                                                   std::optional<int> after, domain::ListOrder order,
                                                                   std::size_t limit) const = 0;
  /// Claims with another identifier, and this claim's service date and duplicate key.
  virtual int count_duplicates(const domain::TenantId& tenant, const domain::Claim& claim) const = 0;
  /// Inserts a new claim with its first status record.
  virtual void insert(const domain::TenantId& tenant, const StoredClaim& claim) = 0;
  /// Replaces draft and duplicate key of a known claim that still has `known`'s revision and status version, and keeps
  /// the earlier draft. False otherwise.
  virtual bool replace(const domain::TenantId& tenant, const StoredClaim& known, const domain::Claim& claim,
                       domain::Timestamp now) = 0;
  /// The draft at `revision`; nullopt: the earliest one that was kept. Returns nullopt when claim or revision is
  /// missing.
  virtual std::optional<domain::ClaimDraft> draft_of(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                     std::optional<int> revision) const = 0;
  /// Raises the claim's guard: a review, an adjudication and a confirm of one claim never overlap, on any node.
  virtual void guard(const domain::TenantId& tenant, const domain::ClaimId& claim) = 0;
  /// Writes the next status and its history row if the claim still has version `next.version - 1`. False otherwise.
  virtual bool move(const domain::TenantId& tenant, const domain::ClaimStatusRecord& next) = 0;
};

}  // namespace tideover::ports
