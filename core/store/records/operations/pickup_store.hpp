// PickupRecords over one session.
#pragma once
#include "core/ports/records/files/pickup_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class PickupStore final : public ports::PickupRecords {
 public:
  PickupStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::PickupFile& file) override;
  void update(const domain::TenantId& tenant, const domain::PickupFile& file) override;
  std::optional<domain::PickupFile> find(const domain::TenantId& tenant, const domain::PickupFileId& id) const override;
  std::optional<domain::PickupFile> owner(const domain::TenantId& tenant, std::string_view sha256) const override;
  std::vector<domain::PickupFile> open_files(const domain::TenantId& tenant, std::string_view folder,
                                             std::size_t limit) const override;
  std::vector<domain::PickupFile> list(const domain::TenantId& tenant, const ports::PickupFilter& filter,
                                       const domain::ListPage& page) const override;
  void insert_acknowledgment(const domain::TenantId& tenant, const domain::ImportJobId& job,
                             const domain::Acknowledgment& acknowledgment) override;
  std::optional<domain::Acknowledgment> acknowledgment(const domain::TenantId& tenant,
                                                       const domain::ImportJobId& job) const override;
  std::int64_t last_control_number(const domain::TenantId& tenant) const override;
  bool use_control_numbers(const domain::TenantId& tenant, std::int64_t last, std::int64_t new_last) override;

 private:
  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
