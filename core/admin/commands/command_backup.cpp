// tideover backup create|verify|restore: backups of the embedded store, made while the service runs.
#include <fmt/core.h>

#include <algorithm>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/commands/backup_file.hpp"
#include "core/admin/expect.hpp"
#include "core/clock/system_clock.hpp"
#include "core/domain/basics/date.hpp"
#include "core/node/start.hpp"
#include "core/settings/settings.hpp"
#include "core/store/private_folder.hpp"
#include "core/store/sql/file_lock.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::admin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".backup";
constexpr std::int64_t kTellEveryPages = std::int64_t{16} * 1024;

/// "20261120T130501Z": sorts by time and is a valid file name on every file system.
std::string file_time(domain::Timestamp at) {
  std::string text;
  for (const char character : domain::format_timestamp(at)) {
    if (character == '.') break;
    if (character != '-' && character != ':') text += character;
  }
  return text.ends_with('Z') ? text : text + 'Z';
}

void require_embedded(const settings::Settings& settings) {
  if (settings.store.driver == settings::StoreDriver::sqlite) return;
  throw node::StartError(
      "This command backs up the embedded store only. For MariaDB use its own tools; packaging/docs/backup.md "
      "describes how.");
}

/// Files that a restore needs and the backup does not contain.
std::string left_out(const settings::Settings& settings) {
  return fmt::format(
      "Not included: the key ring {}. Keep a copy of it, apart from the backups. Without it, encrypted values cannot "
      "be "
      "read and clients cannot authenticate.\n"
      "Not included: the rail journal. It stays on the machine and is not replaced by a restore, so that payments "
      "newer than the backup are found and not sent again.\n",
      settings.security.key_ring_file.string());
}

std::string rows_of(const BackupManifest& manifest) {
  std::string lines;
  for (const auto& [table, count] : manifest.rows) lines += fmt::format("rows     {:<24}{}\n", table, count);
  return lines;
}

AdminReply create(AdminContext& context, const AdminRequest& request) {
  require_embedded(context.settings);
  const auto now = context.clock.now();
  fs::path file = request.option("target");
  if (fs::is_directory(file))
    file /= "tideover-" + file_time(now) + kExtension;
  else if (file.extension() != kExtension)  // more likely a missing directory or an unmounted disk than a file name
    throw node::StartError(fmt::format("Directory {} not found. Create it, or give a file name that ends in {}.",
                                       file.string(), kExtension));
  for (const auto& taken : {file, manifest_of(file)})
    if (fs::exists(taken))
      throw node::StartError(taken.string() + " already exists. Give another name; a backup does not overwrite files.");

  const fs::path unfinished = file.string() + ".part";
  std::error_code absent;
  // Copy the checkpoints first: the rows, which are copied later, can only grow.
  if (const auto& checkpoints = context.settings.security.checkpoint_file; fs::exists(checkpoints))
    copy_durably(checkpoints, checkpoints_of(file));
  fs::remove(unfinished, absent);  // left by a service that was killed during a backup
  std::int64_t shown = 0;
  const auto status = context.database.copy_to(unfinished, [&](std::int64_t done, std::int64_t all) {
    if (done - shown < kTellEveryPages) return request.progress("");
    shown = done;
    return request.progress(fmt::format("{} of {} pages", done, all));
  });
  if (!status) {
    fs::remove(checkpoints_of(file), absent);
    throw node::StartError(status.error().message);
  }
  const BackupManifest manifest{domain::format_timestamp(now),
                                TIDEOVER_VERSION,
                                status->engine,
                                status->schema.applied,
                                static_cast<std::int64_t>(fs::file_size(unfinished)),
                                sha256_of(unfinished),
                                status->rows};
  publish(unfinished, file, manifest);
  return {0,
          fmt::format("backup   {}\nschema   {}\nsize     {} bytes\nsha256   {}\n", file.string(), manifest.schema,
                      manifest.bytes, manifest.sha256) +
              rows_of(manifest),
          left_out(context.settings)};
}

/// The settings with the backup as the store and with the backup's checkpoints.
settings::Settings with_store_at(settings::Settings settings, const fs::path& file) {
  settings.store.sqlite.path = file;
  settings.security.checkpoint_file = checkpoints_of(file);
  return settings;
}

/// Checks the copy: digest, the engine's own check and, if this program has the same schema, the hash chains.
AdminReply look_through(const settings::Settings& settings, const fs::path& file, const AdminRequest& request) {
  const auto manifest = read_backup(file);
  auto options = node::store_options(with_store_at(settings, file));
  options.sqlite_read_only = true;
  const auto status = expect(store::inspect(options));
  if (status.schema.newer_than_program())
    throw node::StartError(fmt::format(
        "The backup has schema {}, newer than schema {} of this program. Use version {}, which made the backup.",
        status.schema.applied, status.schema.known, manifest.program));
  AdminReply reply;
  if (status.schema.current()) {
    reply = run_on_copy(with_store_at(settings, file), {"db check", {}, request.progress});
  } else {
    const auto damage = expect(store::damage(options));
    for (const auto& sentence : damage) reply.err += sentence + "\n";
    reply.exit_code = damage.empty() ? 0 : 1;
    reply.err += fmt::format(
        "Schema {} is older than schema {} of this program: run `tideover db migrate` before its chains can be "
        "verified.\n",
        status.schema.applied, status.schema.known);
  }
  if (status.rows != manifest.rows) return {1, reply.out, reply.err + "The row counts differ from the manifest.\n"};
  reply.out = fmt::format("backup   {} of {}\n", file.string(), manifest.created_at) + reply.out + rows_of(manifest);
  if (reply.exit_code != 0) reply.err += "The backup is damaged. Use another one.\n";
  return reply;
}

AdminReply verify(const settings::Settings& settings, const AdminRequest& request) {
  require_embedded(settings);
  return look_through(settings, request.option("file"), request);
}

/// The external checkpoints are newer than the backup. Without this row they would report a truncated chain.
void note_restored(const settings::Settings& settings, AdminReply& reply) {
  try {
    const auto noted = run_on_store(settings, {"audit restored", {}});
    reply.exit_code = noted.exit_code;
    reply.out += noted.out;
    reply.err += noted.err;
  } catch (const node::StartError& error) {
    reply.err += std::string(error.what()) + "\nCorrect this, then run `tideover audit restored`.\n";
  }
}

AdminReply restore(const settings::Settings& settings, const AdminRequest& request) {
  require_embedded(settings);
  const fs::path file = request.option("file");
  const fs::path target = settings.store.sqlite.path;
  // Cheap checks first, before the long verification of the backup.
  store::create_private_folder(target.parent_path());
  std::optional<sql::FileLock> lock(target);  // no service runs here, and none can start meanwhile
  const bool is_taken = fs::exists(target) || fs::exists(target.string() + "-wal");
  if (is_taken && request.option("force").empty())
    throw node::StartError("A database exists at " + target.string() +
                           ". Use --force to move it aside; it is not deleted.");
  auto reply = look_through(settings, file, request);
  if (reply.exit_code != 0) return reply;
  // First write the complete copy to disk: if that fails, the database is unchanged.
  const auto staged = stage_copy(file, target, read_backup(file).sha256);
  if (is_taken)
    reply.out +=
        "moved    " + move_aside(target, ".before-restore-" + file_time(clock::SystemClock().now())).string() + "\n";
  put_in_place(staged, target);
  reply.out += "restored " + target.string() + "\n";
  lock.reset();
  note_restored(settings, reply);
  reply.err +=
      left_out(settings) +
      "The next start compares the journal and the rails with the restored database before it sends payments.\n";
  return reply;
}

}  // namespace

std::vector<AdminVerb> backup_verbs() {
  using Kind = AdminOption::Kind;
  const AdminOption backup{"file", "A backup made by `backup create`, with its .manifest in the same directory", "",
                           Kind::path};
  return {
      taking_long({"create",
                   "Back up the embedded store while the service runs",
                   {{"target", "A directory, for a file named after the time, or a new file name that ends in .backup",
                     "", Kind::path}},
                   create}),
      {"verify", "Verify a backup completely, read-only", {backup}, nullptr, verify},
      {"restore",
       "Replace the embedded store by a backup; stop the service first",
       {backup, {"--force", "Move an existing database aside", "", Kind::flag}},
       nullptr,
       restore}};
}

}  // namespace tideover::admin
