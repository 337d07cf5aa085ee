// Claims in SQL. The newest status is in the claim's row; a replaced status moves to the history. Bound to one session
// and its thread.
#pragma once
#include "core/ports/records/claim_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class ClaimStore final : public ports::ClaimRecords {
 public:
  ClaimStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  std::optional<ports::StoredClaim> find(const domain::TenantId& tenant, std::string_view reference) const override;
  std::vector<ports::StoredClaim> list(const domain::TenantId& tenant, const ports::ClaimFilter& filter,
                                       const domain::ListPage& page) const override;
  std::vector<domain::ClaimStatusRecord> replaced_statuses(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                           std::optional<int> after, domain::ListOrder order,
                                                           std::size_t limit) const override;
  int count_duplicates(const domain::TenantId& tenant, const domain::Claim& claim) const override;
  void insert(const domain::TenantId& tenant, const ports::StoredClaim& claim) override;
  bool replace(const domain::TenantId& tenant, const ports::StoredClaim& known, const domain::Claim& claim,
               domain::Timestamp now) override;
  std::optional<domain::ClaimDraft> draft_of(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                             std::optional<int> revision) const override;
  void guard(const domain::TenantId& tenant, const domain::ClaimId& claim) override;
  bool move(const domain::TenantId& tenant, const domain::ClaimStatusRecord& next) override;

 private:
  auto reader(const domain::TenantId& tenant) const;

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
