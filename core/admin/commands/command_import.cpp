// tideover import FILE: imports a file of claims that is too large for one request.
#include <fmt/core.h>

#include <limits>
#include <thread>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/commands/disk_file.hpp"
#include "core/admin/progress_bar.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/http/wire/reviews/import_json.hpp"
#include "core/jobs/payload_decoder.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/node/own_trail.hpp"
#include "core/node/start.hpp"
#include "core/ports/clock.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/imports/import_file.hpp"
#include "core/usecases/imports/read_imports.hpp"
#include "core/usecases/imports/run_import.hpp"

namespace tideover::admin {
namespace {

namespace fs = std::filesystem;

/// Short, so that the command can soon be repeated after it was killed. Each chunk renews the lease.
constexpr int kLeaseSeconds = 10;
constexpr auto kLeasePause = std::chrono::milliseconds(500);
/// No size limit for a file of the operator, but protection against decompression bombs.
constexpr int kRatio = 1000;
constexpr std::size_t kErrorsAtOnce = 1000;

std::string format_of(const AdminRequest& request, const fs::path& file) {
  if (const auto named = request.option("format"); !named.empty()) return named;
  const auto ending = unpacked_name(file).extension();
  if (ending == ".csv") return "csv";
  if (ending == ".ndjson" || ending == ".jsonl") return "ndjson";
  if (ending == ".837" || ending == ".edi" || ending == ".x12") return "x12_837";
  throw node::StartError(
      "The file name does not show the format. Give --format: csv, ndjson, x12_837 or another configured format.");
}

usecases::FileToImport file_of(const AdminRequest& request, const fs::path& path, domain::Timestamp now) {
  usecases::FileToImport file;
  file.format = format_of(request, path);
  file.encoding = coding_of(path);
  file.mapping = mapping_of(request.option("map"));
  file.abort_on_error = !request.option("abort-on-error").empty();
  file.auto_review = request.option("no-review").empty();
  file.dry_run = !request.option("dry-run").empty();
  file.bytes = DiskFile(path).size();
  std::string identity = node::digest_of(path) + '\n' + file.format + '\n' + (file.abort_on_error ? "abort" : "") +
                         '\n' + (file.auto_review ? "review" : "") + '\n' + (file.dry_run ? "dry" : "") + '\n';
  for (const auto& [field, header] : file.mapping) identity += field + '=' + header + '\n';
  if (!request.option("again").empty()) identity += std::to_string(now.ms());
  file.digest = crypto::hex_encode(crypto::sha256(identity));
  return file;
}

/// All errors, including those of earlier runs over the same file.
void write_errors(AdminContext& context, const domain::TenantId& tenant, const domain::ImportJobId& job,
                  const fs::path& path) {
  auto out = private_file(path);
  const usecases::ReadImports imports(context.store);
  std::int64_t after = -1;
  for (bool more = true; more;) {
    const auto page = imports.errors(tenant, job.text(), after, kErrorsAtOnce);
    if (!page) throw node::StartError(page.error().message);
    out << wire::encode_import_errors(page->items);
    if (!page->items.empty()) after = page->items.back().row;
    more = page->has_more;
  }
  if (!out.flush()) throw node::StartError("Cannot write the errors to " + path.string() + ".");
}

AdminReply reply_of(const domain::ImportJob& job, std::int64_t rows_before, double seconds) {
  AdminReply reply;
  reply.out =
      fmt::format("import     {}{}\nstatus     {}\nrows       {}\naccepted   {}\nrejected   {}\nduplicate  {}\n",
                  job.id.text(), job.dry_run ? " (dry run: nothing was stored)" : "", name_of(job.status),
                  job.total_rows, job.accepted_rows, job.rejected_rows, job.duplicate_rows);
  if (const auto rows = job.total_rows - rows_before; rows > 0)
    reply.out += fmt::format("rate       {:.0f} rows/s\n", static_cast<double>(rows) / std::max(seconds, 0.001));
  else if (rows_before > 0)
    reply.out += "           this file was imported before and was not read again\n";
  if (job.status == domain::ImportStatus::running) {
    reply.err = "The import was stopped. Repeat the command to continue.\n";
  } else if (job.status == domain::ImportStatus::failed) {
    reply.err =
        job.canceled_at ? "The import was canceled.\n" : "The import failed. Use --errors FILE to get the reasons.\n";
    for (const auto& fault : job.errors)
      if (fault.row == 0) reply.err = "The import failed: " + fault.message + "\n";
  }
  reply.exit_code = job.status == domain::ImportStatus::succeeded ? 0 : 1;
  return reply;
}

/// Checks that would otherwise fail only after the job was created: an unknown format, a mapping that does not fit.
void check(ports::ImportFormats& formats, ports::PayloadDecoder& decoder, const usecases::FileToImport& file,
           const fs::path& path) {
  auto* format = formats.find(file.format);
  if (!format) {
    std::string names;
    for (const auto& name : formats.names()) names += (names.empty() ? "" : ", ") + name;
    throw node::StartError("Import format " + file.format + " is not configured. The formats are: " + names + ".");
  }
  DiskFile bytes(path);
  const auto decoded = decoder.decode(file.encoding, bytes);
  if (!decoded) throw node::StartError("The import did not start: " + decoded.error().message);
  if (const auto reader = format->open(**decoded, file.mapping); !reader)
    throw node::StartError("The import did not start: " + reader.error().message);
}

AdminReply import_file(AdminContext& context, const AdminRequest& request) {
  const fs::path path = request.option("file");
  const auto file = file_of(request, path, context.clock.now());
  const auto request_context = request_context_for(context, request.option("tenant"), "tideover import");
  StoreAdminContext parts(context);
  const auto reason_codes = node::load_reason_codes(context.settings);
  const auto limits = node::rule_options(context.settings, reason_codes);
  lua::Engine rules(ruleset_in_force(context, limits), limits.limits);
  usecases::ReviewClaim review(context.store, parts.payers(), rules, parts.digests(), context.ids, reason_codes,
                               context.settings.funding.authorization_days);
  jobs::PayloadDecoder decoder({std::numeric_limits<std::int64_t>::max(), kRatio});

  check(parts.imports(), decoder, file, path);
  DiskFile bytes(path);
  ProgressBar bar(bytes.size());
  std::int64_t accepted = 0, rejected = 0;
  bool is_wanted = true;
  const auto tell = [&] {
    is_wanted = is_wanted &&
                request.progress(bar.line(bytes.taken(), fmt::format("{} accepted, {} rejected", accepted, rejected)));
  };
  usecases::RunImport run(
      context.store, review, parts.imports(), decoder, context.clock, context.ids,
      {context.settings.environment, context.settings.imports.chunk_rows, std::numeric_limits<std::int64_t>::max(),
       kLeaseSeconds, [&](std::int64_t more_accepted, std::int64_t more_rejected) {
         accepted += more_accepted;
         rejected += more_rejected;
       }});
  const auto stopping = [&] {
    tell();
    return !is_wanted;
  };

  const auto started = std::chrono::steady_clock::now();
  for (bool shown = false;;) {
    auto claim = usecases::ImportFile(context.store, context.ids).open(request_context, file);
    if (!claim) throw node::StartError(claim.error().message);
    const auto id = claim->job.id;
    const auto rows_before = claim->job.total_rows;
    const bool is_done = claim->job.status == domain::ImportStatus::succeeded;
    if (is_done && !shown)
      request.progress("This file was imported before. Its result follows; use --again to import it again.");
    if (!is_done && rows_before > 0 && !shown)
      request.progress(fmt::format("Continuing an earlier import of this file after {} rows.", rows_before));
    shown = true;
    auto worked = domain::Result<std::optional<domain::ImportJob>>(std::nullopt);
    if (!is_done) worked = run.work_on(std::move(*claim), bytes, stopping);
    if (!worked) throw node::StartError(worked.error().message + " Repeat the command to continue.");
    if (is_done || *worked) {
      const auto job = usecases::ReadImports(context.store).one(request_context.caller.tenant, id.text());
      if (!job) throw node::StartError(job.error().message);
      if (const auto errors = request.option("errors"); !errors.empty())
        write_errors(context, request_context.caller.tenant, id, errors);
      return reply_of(*job, rows_before,
                      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    }
    // The process that started it may have just died; its lease then expires soon.
    if (stopping()) return {1, "", "Stopped: another process is importing this file.\n"};
    std::this_thread::sleep_for(kLeasePause);
  }
}

}  // namespace

std::vector<AdminVerb> import_verbs() {
  using Kind = AdminOption::Kind;
  return {taking_long({"",
                       "Import a file of claims; repeat the command to continue after a stop",
                       {{"file", "The file, plain, gzip or zstd", "", Kind::path},
                        {"--format", "csv, ndjson, x12_837 or another configured format (default: by file name)"},
                        {"--map",
                         "FIELD=HEADER[,FIELD=HEADER...]: headers of the columns; file.dates, file.amounts and "
                         "file.encoding describe a csv"},
                        {"--tenant", "Tenant by name (default: `default`, else the only tenant)"},
                        {"--errors", "Write every rejected row to this file, as JSON Lines", "", Kind::path},
                        {"--dry-run", "Check every row and store nothing", "", Kind::flag},
                        {"--again", "Import the file again even if it was imported before", "", Kind::flag},
                        {"--no-review", "Store the claims without a review", "", Kind::flag},
                        {"--abort-on-error", "Stop at the first invalid row", "", Kind::flag}},
                       import_file})};
}

}  // namespace tideover::admin
