// Import jobs. The payload is stored in pieces with the job, so that any node can continue after a crash. A file that a
// command reads from disk has no pieces, and no node takes its job.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/operations/import_job.hpp"

namespace tideover::ports {

struct ImportClaim {
  domain::TenantId tenant;
  domain::ClientId client;  // the submitter: rows are reviewed on its behalf
  domain::ImportJob job;
  std::int64_t rows_done = 0;  // rows whose effect is committed
  int epoch = 0;               // the number of times it was taken
  int advanced_epoch = 0;      // the last epoch that committed rows
};

class ImportRecords {
 public:
  virtual ~ImportRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::ClientId& client, const domain::ImportJob& job) = 0;
  virtual void insert_piece(const domain::TenantId& tenant, const domain::ImportJobId& job, int number,
                            std::string_view bytes) = 0;
  /// nullopt after the last piece.
  virtual std::optional<std::string> piece(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                           int number) const = 0;
  virtual void remove_pieces(const domain::ImportJobId& job) = 0;
  virtual std::optional<domain::ImportJob> find(const domain::TenantId& tenant,
                                                const domain::ImportJobId& id) const = 0;
  virtual bool is_known(const domain::TenantId& tenant, const domain::ImportJobId& id) const = 0;
  /// The bounds of `page` apply to `submitted_at`.
  virtual std::vector<domain::ImportJob> list(const domain::TenantId& tenant, const domain::ListPage& page) const = 0;
  /// The oldest stored job that is queued, or running under an expired lease; all tenants.
  virtual std::optional<ImportClaim> next_open(domain::Timestamp now) const = 0;
  /// The job of a file with this digest that has not failed, under any lease; there is at most one.
  virtual std::optional<ImportClaim> find_file(const domain::TenantId& tenant, std::string_view file_digest) const = 0;
  /// Takes the job over: status running, epoch + 1, lease from `now` until `lease_end`, which are real times. The first
  /// time it starts at `started_at`, a time of the tenant. False when another worker was first.
  virtual bool take(const domain::ImportJobId& id, int expected_epoch, domain::Timestamp now,
                    domain::Timestamp lease_end, domain::Timestamp started_at) = 0;
  /// Writes status, counters, times, position and lease if the epoch is unchanged. False: fenced out.
  virtual bool update(const ImportClaim& claim, domain::Timestamp lease_end) = 0;
  /// Ends an open job and fences its worker out. False when it had ended.
  virtual bool cancel(const domain::TenantId& tenant, const domain::ImportJobId& id, domain::Timestamp now) = 0;
  /// At most one per row; row 0 is the file.
  virtual void add_fault(const domain::TenantId& tenant, const domain::ImportJobId& job,
                         const domain::ImportFault& fault) = 0;
  virtual void add_row(const domain::TenantId& tenant, const domain::ImportJobId& job,
                       const domain::ImportedRow& row) = 0;
  /// Both in file order, after the row `after`; row 0, the fault of the file, is after -1.
  virtual std::vector<domain::ImportFault> faults(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                                  std::int64_t after, std::size_t limit) const = 0;
  virtual std::vector<domain::ImportedRow> rows(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                                std::int64_t after, std::size_t limit) const = 0;
  virtual std::optional<domain::ImportJob> find_external(const domain::TenantId& tenant,
                                                         std::string_view external_id) const = 0;
};

}  // namespace tideover::ports
