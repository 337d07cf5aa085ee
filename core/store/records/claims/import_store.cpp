#include "core/store/records/claims/import_store.hpp"

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

#define JOB_COLUMNS                                                                                         \
  "id, status, format, encoding, mapping, abort_on_error, auto_review, dry_run, file_digest, external_id, " \
  "content_digest, payload_bytes, "                                                                         \
  "bytes_read, total_rows, accepted_rows, rejected_rows, duplicate_rows, errors_truncated, submitted_at, "  \
  "started_at, finished_at, canceled_at"

std::string mapping_column(const std::vector<std::pair<std::string, std::string>>& mapping) {
  RecordWriter out;
  for (const auto& [field, header] : mapping) out.text(field).text(header).end_record();
  return out.take();
}

std::vector<std::pair<std::string, std::string>> mapping_of(const std::string& column) {
  std::vector<std::pair<std::string, std::string>> mapping;
  for (RecordReader in(column); in.next();) {
    auto& [field, header] = mapping.emplace_back();
    field = in.text();
    header = in.text();
  }
  return mapping;
}

/// Without its faults.
domain::ImportJob read_job(ColumnReader& in) {
  domain::ImportJob job;
  job.id = in.id<domain::ImportJobId>();
  job.status = in.named(domain::import_status_named);
  job.format = in.text();
  job.encoding = in.text();
  job.mapping = mapping_of(in.text());
  job.abort_on_error = in.flag();
  job.auto_review = in.flag();
  job.dry_run = in.flag();
  job.file_digest = in.text();
  job.external_id = in.optional_text().value_or("");
  job.content_digest = in.text();
  job.payload_bytes = in.integer();
  job.bytes_read = in.integer();
  job.total_rows = in.integer();
  job.accepted_rows = in.integer();
  job.rejected_rows = in.integer();
  job.duplicate_rows = in.integer();
  job.errors_truncated = in.flag();
  job.submitted_at = in.timestamp();
  job.started_at = in.optional_timestamp();
  job.finished_at = in.optional_timestamp();
  job.canceled_at = in.optional_timestamp();
  return job;
}

ports::ImportClaim read_import_claim(const sql::Row& row) {
  ColumnReader in(row);
  ports::ImportClaim claim;
  claim.tenant = in.id<domain::TenantId>();
  claim.client = in.id<domain::ClientId>();
  claim.rows_done = in.integer();
  claim.epoch = in.number();
  claim.advanced_epoch = in.number();
  claim.job = read_job(in);
  return claim;
}

domain::ImportFault read_fault(const sql::Row& row, const EncryptedCells& cells, const domain::TenantId& tenant,
                               const domain::ImportJobId& job) {
  ColumnReader in(row);
  domain::ImportFault fault;
  fault.row = in.integer();
  fault.line = in.integer();
  fault.field = in.text();
  fault.claim_identifier =
      cells.open(tenant, encrypted::kImportFaultIdentifier, row_name(job.text(), fault.row), in.bytes());
  fault.code = in.named(domain::error_code_named);
  fault.message = in.text();
  return fault;
}

std::vector<domain::ImportFault> faults_behind(sql::Session& session, const EncryptedCells& cells,
                                               const domain::TenantId& tenant, const domain::ImportJobId& job,
                                               std::int64_t after, std::size_t limit) {
  return cells.first_that_open(
      session, [&](const sql::Row& row) { return read_fault(row, cells, tenant, job); }, limit,
      "SELECT claim_row, file_line, field, claim_identifier, code, message FROM import_faults "
      "WHERE job_id = ? AND claim_row > ? AND tenant = ? ORDER BY claim_row LIMIT ? OFFSET ?",
      job.text(), after, tenant.text());
}

/// At most kMaxListedImportErrors, errors of the whole file (row 0) first; one more than that shows that the list is
/// truncated.
void load_faults(sql::Session& session, const EncryptedCells& cells, const domain::TenantId& tenant,
                 domain::ImportJob& job) {
  job.errors = faults_behind(session, cells, tenant, job.id, -1, domain::kMaxListedImportErrors + 1);
  if (job.errors.size() > domain::kMaxListedImportErrors) {
    job.errors.pop_back();
    job.errors_truncated = true;
  }
}

}  // namespace

void ImportStore::insert(const domain::TenantId& tenant, const domain::ClientId& client, const domain::ImportJob& job) {
  insert_row<
      "import_jobs",
      "tenant, client_id, rows_done = 0, epoch = 0, advanced_epoch = 0, lease_end = 0, live_digest, " JOB_COLUMNS>(
      session_, tenant.text(), client.text(), text_or_null(job.file_digest), job.id.text(), domain::name_of(job.status),
      job.format, job.encoding, mapping_column(job.mapping), job.abort_on_error, job.auto_review, job.dry_run,
      job.file_digest, text_or_null(job.external_id), job.content_digest, job.payload_bytes, job.bytes_read,
      job.total_rows, job.accepted_rows, job.rejected_rows, job.duplicate_rows, job.errors_truncated,
      job.submitted_at.ms(), ms(job.started_at), ms(job.finished_at), ms(job.canceled_at));
}

void ImportStore::insert_piece(const domain::TenantId& tenant, const domain::ImportJobId& job, int number,
                               std::string_view bytes) {
  insert_row<"import_pieces", "tenant, job_id, number, bytes">(
      session_, tenant.text(), job.text(), number,
      cells_.seal(tenant, encrypted::kImportPiece, row_name(job.text(), number), bytes));
}

std::optional<std::string> ImportStore::piece(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                              int number) const {
  return session_.first(
      [&](const sql::Row& row) {
        return cells_.open(tenant, encrypted::kImportPiece, row_name(job.text(), number), ColumnReader(row).bytes());
      },
      "SELECT bytes FROM import_pieces WHERE job_id = ? AND number = ?", job.text(), number);
}

void ImportStore::remove_pieces(const domain::ImportJobId& job) {
  session_.run("DELETE FROM import_pieces WHERE job_id = ?", job.text());
}

std::optional<domain::ImportJob> ImportStore::find(const domain::TenantId& tenant,
                                                   const domain::ImportJobId& id) const {
  auto found = session_.first(
      [](const sql::Row& row) {
        ColumnReader in(row);
        return read_job(in);
      },
      "SELECT " JOB_COLUMNS " FROM import_jobs WHERE id = ? AND tenant = ?", id.text(), tenant.text());
  if (found) load_faults(session_, cells_, tenant, *found);
  return found;
}

bool ImportStore::is_known(const domain::TenantId& tenant, const domain::ImportJobId& id) const {
  return session_
      .first([](const sql::Row&) { return true; }, "SELECT 1 FROM import_jobs WHERE id = ? AND tenant = ?", id.text(),
             tenant.text())
      .has_value();
}

#define JOBS \
  "SELECT " JOB_COLUMNS " FROM import_jobs WHERE tenant = ? AND " IN_PAGE("id", "submitted_at") " ORDER BY id"

/// Without their faults.
std::vector<domain::ImportJob> ImportStore::list(const domain::TenantId& tenant, const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::ImportJob>(session_, tenant, page);
  const auto read = [](const sql::Row& row) {
    ColumnReader columns(row);
    return read_job(columns);
  };
  return all(session_, read, in_order<JOBS>(page.order), tenant.text(), in.above, in.below, in.from, in.before,
             store::rows(page.limit));
}

std::optional<ports::ImportClaim> ImportStore::next_open(domain::Timestamp now) const {
  auto found =
      session_.first(read_import_claim,
                     "SELECT tenant, client_id, rows_done, epoch, advanced_epoch, " JOB_COLUMNS
                     " FROM import_jobs WHERE status IN ('queued', 'running') AND lease_end <= ? AND file_digest = '' "
                     "ORDER BY id LIMIT 1",
                     now.ms());
  if (found) load_faults(session_, cells_, found->tenant, found->job);
  return found;
}

std::optional<domain::ImportJob> ImportStore::find_external(const domain::TenantId& tenant,
                                                            std::string_view external_id) const {
  auto found = session_.first(
      [](const sql::Row& row) {
        ColumnReader in(row);
        return read_job(in);
      },
      "SELECT " JOB_COLUMNS " FROM import_jobs WHERE tenant = ? AND external_id = ?", tenant.text(), external_id);
  if (found) load_faults(session_, cells_, tenant, *found);
  return found;
}

std::optional<ports::ImportClaim> ImportStore::find_file(const domain::TenantId& tenant,
                                                         std::string_view file_digest) const {
  return session_.first(read_import_claim,
                        "SELECT tenant, client_id, rows_done, epoch, advanced_epoch, " JOB_COLUMNS
                        " FROM import_jobs WHERE tenant = ? AND live_digest = ?",
                        tenant.text(), file_digest);
}

bool ImportStore::take(const domain::ImportJobId& id, int expected_epoch, domain::Timestamp now,
                       domain::Timestamp lease_end, domain::Timestamp started_at) {
  return session_.run(
             "UPDATE import_jobs SET status = 'running', epoch = epoch + 1, lease_end = ?, "
             "started_at = COALESCE(started_at, ?) "
             "WHERE id = ? AND epoch = ? AND status IN ('queued', 'running') AND lease_end <= ?",
             lease_end.ms(), started_at.ms(), id.text(), expected_epoch, now.ms()) > 0;
}

bool ImportStore::update(const ports::ImportClaim& claim, domain::Timestamp lease_end) {
  const auto& job = claim.job;
  return session_.run(
             "UPDATE import_jobs SET status = ?, bytes_read = ?, total_rows = ?, accepted_rows = ?, rejected_rows = ?, "
             "duplicate_rows = ?, errors_truncated = ?, started_at = ?, finished_at = ?, rows_done = ?, "
             "advanced_epoch = ?, lease_end = ?, live_digest = CASE WHEN ? = 'failed' THEN NULL ELSE live_digest END "
             "WHERE id = ? AND epoch = ?",
             domain::name_of(job.status), job.bytes_read, job.total_rows, job.accepted_rows, job.rejected_rows,
             job.duplicate_rows, job.errors_truncated, ms(job.started_at), ms(job.finished_at), claim.rows_done,
             claim.advanced_epoch, lease_end.ms(), domain::name_of(job.status), job.id.text(), claim.epoch) > 0;
}

bool ImportStore::cancel(const domain::TenantId& tenant, const domain::ImportJobId& id, domain::Timestamp now) {
  return session_.run(
             "UPDATE import_jobs SET status = 'failed', finished_at = ?, canceled_at = ?, epoch = epoch + 1, lease_end "
             "= 0, live_digest = NULL "
             "WHERE id = ? AND tenant = ? AND status IN ('queued', 'running')",
             now.ms(), now.ms(), id.text(), tenant.text()) > 0;
}

void ImportStore::add_fault(const domain::TenantId& tenant, const domain::ImportJobId& job,
                            const domain::ImportFault& fault) {
  insert_row<"import_faults", "tenant, job_id, claim_row, file_line, field, claim_identifier, code, message">(
      session_, tenant.text(), job.text(), fault.row, fault.line, fault.field,
      cells_.seal(tenant, encrypted::kImportFaultIdentifier, row_name(job.text(), fault.row), fault.claim_identifier),
      domain::name_of(fault.code), fault.message);
}

void ImportStore::add_row(const domain::TenantId& tenant, const domain::ImportJobId& job,
                          const domain::ImportedRow& row) {
  insert_row<"import_rows", "tenant, job_id, claim_row, file_line, outcome, claim_id, authorization_id">(
      session_, tenant.text(), job.text(), row.row, row.line, domain::name_of(row.outcome), text(row.claim),
      text(row.authorization));
}

std::vector<domain::ImportFault> ImportStore::faults(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                                     std::int64_t after, std::size_t limit) const {
  return faults_behind(session_, cells_, tenant, job, after, limit);
}

std::vector<domain::ImportedRow> ImportStore::rows(const domain::TenantId& tenant, const domain::ImportJobId& job,
                                                   std::int64_t after, std::size_t limit) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        domain::ImportedRow read;
        read.row = in.integer();
        read.line = in.integer();
        read.outcome = in.named(domain::row_outcome_named);
        read.claim = in.optional_id<domain::ClaimId>();
        read.authorization = in.optional_id<domain::AuthorizationId>();
        return read;
      },
      "SELECT claim_row, file_line, outcome, claim_id, authorization_id FROM import_rows "
      "WHERE job_id = ? AND claim_row > ? AND tenant = ? ORDER BY claim_row LIMIT ?",
      job.text(), after, tenant.text(), store::rows(limit));
}

}  // namespace tideover::store
