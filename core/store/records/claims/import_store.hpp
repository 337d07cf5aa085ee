// Import jobs in SQL. A worker owns a job by its epoch: every write names the epoch with which the job was taken. Bound
// to one session and its thread.
#pragma once
#include "core/ports/records/import_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class ImportStore final : public ports::ImportRecords {
 public:
  ImportStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::ClientId& client, const domain::ImportJob& job) override;
  void insert_piece(const domain::TenantId& tenant, const domain::ImportJobId& job, int number,
                    std::string_view bytes) override;
  std::optional<std::string> piece(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                   int number) const override;
  void remove_pieces(const domain::ImportJobId& job) override;
  std::optional<domain::ImportJob> find(const domain::TenantId& tenant, const domain::ImportJobId& id) const override;
  bool is_known(const domain::TenantId& tenant, const domain::ImportJobId& id) const override;
  std::vector<domain::ImportJob> list(const domain::TenantId& tenant, const domain::ListPage& page) const override;
  std::optional<ports::ImportClaim> next_open(domain::Timestamp now) const override;
  std::optional<domain::ImportJob> find_external(const domain::TenantId& tenant,
                                                 std::string_view external_id) const override;
  std::optional<ports::ImportClaim> find_file(const domain::TenantId& tenant,
                                              std::string_view file_digest) const override;
  bool take(const domain::ImportJobId& id, int expected_epoch, domain::Timestamp now, domain::Timestamp lease_end,
            domain::Timestamp started_at) override;
  bool update(const ports::ImportClaim& claim, domain::Timestamp lease_end) override;
  bool cancel(const domain::TenantId& tenant, const domain::ImportJobId& id, domain::Timestamp now) override;
  void add_fault(const domain::TenantId& tenant, const domain::ImportJobId& job,
                 const domain::ImportFault& fault) override;
  void add_row(const domain::TenantId& tenant, const domain::ImportJobId& job, const domain::ImportedRow& row) override;
  std::vector<domain::ImportFault> faults(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                          std::int64_t after, std::size_t limit) const override;
  std::vector<domain::ImportedRow> rows(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                        std::int64_t after, std::size_t limit) const override;

 private:
  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
