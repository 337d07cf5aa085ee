// PostingRecords over one session.
#pragma once
#include "core/ports/records/postings/posting_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class PostingStore final : public ports::PostingRecords {
 public:
  explicit PostingStore(sql::Session& session) : session_(session) {}

  void insert(const domain::TenantId& tenant, const domain::RemittancePosting& posting) override;
  std::optional<domain::RemittancePosting> find(const domain::TenantId& tenant,
                                                const domain::RemittanceId& remittance) const override;
  bool is_open(const domain::TenantId& tenant, const domain::DepositId& deposit) const override;
  bool is_payer_open(const domain::TenantId& tenant, std::string_view payer_id) const override;
  std::vector<domain::RemittanceId> of(const domain::TenantId& tenant) const override;
  void postpone(const domain::TenantId& tenant, const domain::RemittanceId& remittance, domain::Timestamp now) override;
  void move(const domain::TenantId& tenant, const domain::RemittancePosting& posting) override;
  bool set_again(const domain::TenantId& tenant, const domain::RemittanceId& remittance, bool again) override;
  void note_change(const domain::TenantId& tenant, const domain::RemittanceId& remittance) override;
  void remove(const domain::TenantId& tenant, const domain::RemittanceId& remittance) override;
  std::vector<std::pair<domain::TenantId, domain::RemittanceId>> stalled(domain::Timestamp latest,
                                                                         std::size_t limit) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
