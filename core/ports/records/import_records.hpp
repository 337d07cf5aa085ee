// Import jobs: the payload is kept in pieces beside the job, so that any node can work on it after any crash. A file
// that a command reads where it lies has no pieces, and no node takes its job.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/operations/import_job.hpp"

namespace tideover::ports {

struct ImportClaim {
  domain::TenantId tenant;
  domain::ClientId client;  // who submitted: rows are reviewed in its name
  domain::ImportJob job;
  std::int64_t rows_done = 0;  // rows whose effect is committed
  int epoch = 0;               // how often it was taken
  int advanced_epoch = 0;      // the last take that committed rows
};

class ImportRecords {
 public:
  virtual ~ImportRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::ClientId& client, const domain::ImportJob& job) = 0;
  virtual void insert_piece(const domain::TenantId& tenant, const domain::ImportJobId& job, int number,
                            std::string_view bytes) = 0;
  /// nullopt behind the last piece.
  virtual std::optional<std::string> piece(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                           int number) const = 0;
  virtual void remove_pieces(const domain::ImportJobId& job) = 0;
  virtual std::optional<domain::ImportJob> find(const domain::TenantId& tenant,
                                                const domain::ImportJobId& id) const = 0;
  virtual bool is_known(const domain::TenantId& tenant, const domain::ImportJobId& id) const = 0;
  /// In the order of their ids, behind `after`.
  virtual std::vector<domain::ImportJob> list(const domain::TenantId& tenant, std::string_view after,
                                              std::size_t limit) const = 0;
  /// The oldest spooled job that is queued, or running under a lease that ended; all tenants.
  virtual std::optional<ImportClaim> next_open(domain::Timestamp now) const = 0;
  /// The job of a file with this digest that has not failed, under whatever lease: there is one at most.
  virtual std::optional<ImportClaim> find_file(const domain::TenantId& tenant, std::string_view file_digest) const = 0;
  /// Takes the job over: status running, epoch + 1, lease until `lease_end`; false when somebody was first.
  virtual bool take(const domain::ImportJobId& id, int expected_epoch, domain::Timestamp now,
                    domain::Timestamp lease_end) = 0;
  /// Writes status, counters, times, how far it is and lease where the epoch still holds; false = fenced out.
  virtual bool update(const ImportClaim& claim, domain::Timestamp lease_end) = 0;
  /// Ends a job that has not ended and fences its worker out; false when it had ended.
  virtual bool cancel(const domain::TenantId& tenant, const domain::ImportJobId& id, domain::Timestamp now) = 0;
  /// One for each row at most; row 0 is the file.
  virtual void add_fault(const domain::TenantId& tenant, const domain::ImportJobId& job,
                         const domain::ImportFault& fault) = 0;
  virtual void add_row(const domain::TenantId& tenant, const domain::ImportJobId& job,
                       const domain::ImportedRow& row) = 0;
  /// Both in the order of the file, behind the row `after`; row 0, the fault of the file, is behind -1.
  virtual std::vector<domain::ImportFault> faults(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                                  std::int64_t after, std::size_t limit) const = 0;
  virtual std::vector<domain::ImportedRow> rows(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                                std::int64_t after, std::size_t limit) const = 0;
  virtual std::optional<domain::ImportJob> find_external(const domain::TenantId& tenant,
                                                         std::string_view external_id) const = 0;
};

}  // namespace tideover::ports
