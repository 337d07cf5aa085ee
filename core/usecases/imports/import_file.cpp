#include "core/usecases/imports/import_file.hpp"

namespace tideover::usecases {

domain::Result<ports::ImportClaim> ImportFile::open(const RequestContext& context, const FileToImport& file) {
  const auto& tenant = context.caller.tenant;
  auto begun = fetch_one(
      store_, [&](const ports::Records& records) { return records.imports().find_file(tenant, file.digest); });
  if (!begun) return begun.error();
  if (*begun) return std::move(**begun);

  ports::ImportClaim fresh;
  fresh.tenant = tenant;
  fresh.client = context.caller.client;
  auto& job = fresh.job;
  job.id = ids_.next<domain::ImportJobId>();
  job.format = file.format;
  job.encoding = file.encoding;
  job.mapping = file.mapping;
  job.abort_on_error = file.abort_on_error;
  job.auto_review = file.auto_review;
  job.dry_run = file.dry_run;
  job.file_digest = file.digest;
  job.payload_bytes = file.bytes;
  job.submitted_at = context.now;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.imports().insert(tenant, context.caller.client, job);
    leave_audit_row(records, context, ids_, job.id.text(), "ok");
    return {};
  });
  if (!done) return done.error();
  return fresh;
}

}  // namespace tideover::usecases
