// tideover backup create|verify|restore: copies of the embedded store, taken while it is served.
#include <fmt/core.h>

#include <algorithm>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/commands/backup_file.hpp"
#include "core/admin/expect.hpp"
#include "core/domain/basics/date.hpp"
#include "core/node/start.hpp"
#include "core/store/private_folder.hpp"
#include "core/store/sql/file_lock.hpp"

namespace tideover::main {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".backup";
constexpr std::int64_t kTellEveryPages = 16 * 1024;

/// "20261120T130501Z" of an instant: sorts by time and is a name on every disk.
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
  throw StartError(
      "Backups of the embedded store are made here; dump a MariaDB with its own tools as packaging/docs/backup.md "
      "shows.");
}

/// What restores need and no backup holds.
std::string left_out(const settings::Settings& settings) {
  return fmt::format(
      "Not in it, keep it apart: the key ring {} - what is encrypted cannot be read and no client can log in without "
      "it.\n"
      "Not in it, and right so: the journal of what was sent to the rails. It stays with the machine and outlives a "
      "restore,\n"
      "so that payments newer than the backup are found and not made again.\n",
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
  else if (file.extension() !=
           kExtension)  // more likely a folder that was not made, or a disk that is not mounted, than a file
    throw StartError(
        fmt::format("There is no folder {}; make it, or name a file that ends in {}.", file.string(), kExtension));
  for (const auto& taken : {file, manifest_of(file)})
    if (fs::exists(taken)) throw StartError(taken.string() + " exists already; a backup overwrites nothing.");

  const fs::path unfinished = file.string() + ".part";
  std::error_code absent;
  // The checkpoints first: the rows, copied after them, only become more.
  if (const auto& checkpoints = context.settings.security.checkpoint_file; fs::exists(checkpoints))
    copy_durably(checkpoints, checkpoints_of(file));
  fs::remove(unfinished, absent);  // of a service that was killed meanwhile
  std::int64_t told = 0;
  const auto status = context.store.copy_to(unfinished, [&](std::int64_t done, std::int64_t all) {
    if (done - told < kTellEveryPages) return request.progress("");
    told = done;
    return request.progress(fmt::format("{} of {} pages", done, all));
  });
  if (!status) {
    fs::remove(checkpoints_of(file), absent);
    throw StartError(status.error().message);
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

/// The settings with the backup in place of the store and its checkpoints in place of those that went on.
settings::Settings with_store_at(settings::Settings settings, const fs::path& file) {
  settings.store.sqlite.path = file;
  settings.security.checkpoint_file = checkpoints_of(file);
  return settings;
}

/// Looks through the copy: digest, the engine's own check and, where this program has its schema, the chains.
AdminReply look_through(const settings::Settings& settings, const fs::path& file, const AdminRequest& request) {
  const auto manifest = read_backup(file);
  auto options = store_options(with_store_at(settings, file));
  options.sqlite_read_only = true;
  const auto status = expect(store::inspect(options));
  if (status.schema.newer_than_program())
    throw StartError(
        fmt::format("The backup has schema {} and this program knows {}: use the program that made it ({}).",
                    status.schema.applied, status.schema.known, manifest.program));
  AdminReply reply;
  if (status.schema.current()) {
    reply = run_on_copy(with_store_at(settings, file), {"db check", {}, request.progress});
  } else {
    const auto damage = expect(store::damage(options));
    for (const auto& sentence : damage) reply.err += sentence + "\n";
    reply.exit_code = damage.empty() ? 0 : 1;
    reply.err += fmt::format(
        "Its schema {} is older than this program's {}: its chains are verified after `tideover db migrate`.\n",
        status.schema.applied, status.schema.known);
  }
  if (status.rows != manifest.rows)
    return {1, reply.out, reply.err + "The rows are not those that the manifest counts.\n"};
  reply.out = fmt::format("backup   {} of {}\n", file.string(), manifest.created_at) + reply.out + rows_of(manifest);
  if (reply.exit_code != 0) reply.err += "The backup is damaged; use another one.\n";
  return reply;
}

AdminReply verify(const settings::Settings& settings, const AdminRequest& request) {
  require_embedded(settings);
  return look_through(settings, request.option("file"), request);
}

/// The checkpoints outside go on beyond the backup; without this note they would say that its tail was cut off.
void note_restored(const settings::Settings& settings, AdminReply& reply) {
  try {
    const auto noted = run_on_store(settings, {"audit restored", {}});
    reply.exit_code = noted.exit_code;
    reply.out += noted.out;
    reply.err += noted.err;
  } catch (const StartError& error) {
    reply.err += std::string(error.what()) + "\nThen run `tideover audit restored`.\n";
  }
}

AdminReply restore(const settings::Settings& settings, const AdminRequest& request) {
  require_embedded(settings);
  const fs::path file = request.option("file");
  const fs::path target = settings.store.sqlite.path;
  // What costs nothing to find out comes before the long look through the backup.
  store::create_private_folder(target.parent_path());
  std::optional<sql::FileLock> lock(target);  // no service runs here, and none starts meanwhile
  const bool is_taken = fs::exists(target) || fs::exists(target.string() + "-wal");
  if (is_taken && request.option("force").empty())
    throw StartError("There is a database at " + target.string() + "; --force moves it aside (it is never deleted).");
  auto reply = look_through(settings, file, request);
  if (reply.exit_code != 0) return reply;
  // First the copy, whole and on disk: whatever goes wrong with it, the database is still in its place.
  const auto staged = stage_copy(file, target, read_backup(file).sha256);
  if (is_taken)
    reply.out +=
        "moved    " + move_aside(target, ".before-restore-" + file_time(clock::SystemClock().now())).string() + "\n";
  put_in_place(staged, target);
  reply.out += "restored " + target.string() + "\n";
  lock.reset();
  note_restored(settings, reply);
  reply.err += left_out(settings) +
               "The next start compares that journal and the rails with the restored books before it sends anything.\n";
  return reply;
}

}  // namespace

std::vector<AdminVerb> backup_verbs() {
  using Kind = AdminOption::Kind;
  const AdminOption backup{"file", "A backup that `backup create` made; its .manifest lies beside it", "", Kind::path};
  return {
      taking_long({"create",
                   "Copy the embedded store while it is served",
                   {{"target", "A folder, which gets a file named after the time, or a new file that ends in .backup",
                     "", Kind::path}},
                   create}),
      {"verify", "Open a backup read-only and check all of it", {backup}, nullptr, verify},
      {"restore",
       "Put a backup in place of the embedded store; the service is stopped",
       {backup, {"--force", "Move an existing database aside", "", Kind::flag}},
       nullptr,
       restore}};
}

}  // namespace tideover::main
