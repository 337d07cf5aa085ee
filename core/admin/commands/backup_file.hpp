// The files of a backup: the copied database FILE, FILE.checkpoints, and FILE.manifest, which describes it. The
// manifest is written last, so a backup without a manifest is incomplete.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tideover::admin {

struct BackupManifest {
  std::string created_at;  // RFC 3339, UTC
  std::string program;     // version of the program that made it
  std::string engine;
  int schema = 0;
  std::int64_t bytes = 0;
  std::string sha256;  // of FILE, lower-case hex
  std::vector<std::pair<std::string, std::int64_t>> rows;

  std::string text() const;  // "name value" lines
};

std::filesystem::path manifest_of(const std::filesystem::path& file);
/// The checkpoints of the hash chains at the time of the backup.
std::filesystem::path checkpoints_of(const std::filesystem::path& file);
void copy_durably(const std::filesystem::path& from, const std::filesystem::path& to);
std::string sha256_of(const std::filesystem::path& file);

/// Renames the finished copy and writes its manifest, durably. Throws StartError on failure, as all functions here.
void publish(const std::filesystem::path& copy, const std::filesystem::path& file, const BackupManifest& manifest);
/// The manifest of a backup. The size and digest of the backup must match it.
BackupManifest read_backup(const std::filesystem::path& file);

/// Copies `file` next to the future database, durably and with mode 0600, and returns the name of the copy. Checks the
/// digest of the written copy. While the copy exists without a database, no service starts.
std::filesystem::path stage_copy(const std::filesystem::path& file, const std::filesystem::path& target,
                                 const std::string& sha256);
/// Renames a staged copy to the database's name, durably.
void put_in_place(const std::filesystem::path& staged, const std::filesystem::path& target);
/// Moves a database and its log aside and returns the new name. Deletes only the log's index, which SQLite rebuilds.
std::filesystem::path move_aside(const std::filesystem::path& database, const std::string& suffix);

}  // namespace tideover::admin
