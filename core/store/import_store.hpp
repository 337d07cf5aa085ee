// Import jobs in SQL. A worker owns a job by its epoch: every write of a job names the epoch that it was taken with.
// Bound to one session and its thread.
#pragma once
#include "core/ports/import_records.hpp"
#include "core/store/sealed_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class ImportStore final : public ports::ImportRecords {
 public:
  ImportStore(sql::Session& session, const SealedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::ClientId& client, const domain::ImportJob& job) override;
  void insert_piece(const domain::TenantId& tenant, const domain::ImportJobId& job, int number, std::string_view bytes) override;
  std::optional<std::string> piece(const domain::TenantId& tenant, const domain::ImportJobId& job, int number) const override;
  void remove_pieces(const domain::ImportJobId& job) override;
  std::optional<domain::ImportJob> find(const domain::TenantId& tenant, const domain::ImportJobId& id) const override;
  std::optional<ports::ImportClaim> next_open(domain::Timestamp now) const override;
  bool take(const domain::ImportJobId& id, int expected_epoch, domain::Timestamp now,
            domain::Timestamp lease_end) override;
  bool update(const ports::ImportClaim& claim, domain::Timestamp lease_end) override;
  void add_fault(const domain::TenantId& tenant, const domain::ImportJobId& job, const domain::ImportFault& fault) override;

 private:
  sql::Session& session_;
  const SealedCells& cells_;
};

}  // namespace tideover::store
