// Reviews in SQL. Findings, warnings and rule faults are lists in text columns, because they are not searched. Bound to
// one session and its thread.
#pragma once
#include "core/ports/records/review_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class ReviewStore final : public ports::ReviewRecords {
 public:
  ReviewStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::Review& review) override;
  std::optional<domain::Review> find(const domain::TenantId& tenant,
                                     const domain::AuthorizationId& authorization) const override;
  std::optional<domain::Review> find(const domain::TenantId& tenant, const domain::ReviewId& id) const override;
  std::optional<domain::Review> latest_of(const domain::TenantId& tenant, const domain::ClaimId& claim) const override;
  std::vector<domain::AuthorizationId> observed(const domain::TenantId& tenant, const domain::AuthorizationId& after,
                                                const domain::AuthorizationId& until, std::size_t limit) const override;
  std::vector<domain::Review> list(const domain::TenantId& tenant, const ports::ReviewFilter& filter,
                                   const domain::ListPage& page) const override;

 private:
  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
