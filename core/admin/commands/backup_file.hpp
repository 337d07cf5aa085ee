// The files of a backup: the copied database FILE, FILE.checkpoints, and FILE.manifest with its description. The
// manifest is written last, so a backup without manifest is not complete. All functions throw StartError with a
// sentence.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/store/maintenance.hpp"

namespace tideover::main {

struct BackupManifest {
  std::string created_at;  // RFC 3339, UTC
  std::string program;     // the program version that made it
  std::string engine;
  int schema = 0;
  std::int64_t bytes = 0;
  std::string sha256;  // of FILE, lower-case hex
  std::vector<std::pair<std::string, std::int64_t>> rows;

  std::string text() const;  // "name value" lines
};

std::filesystem::path manifest_of(const std::filesystem::path& file);
/// The file with the checkpoints of the hash chains at the time of the backup.
std::filesystem::path checkpoints_of(const std::filesystem::path& file);
void copy_durably(const std::filesystem::path& from, const std::filesystem::path& to);
std::string sha256_of(const std::filesystem::path& file);

/// Renames the finished copy and writes its manifest, durably.
void publish(const std::filesystem::path& copy, const std::filesystem::path& file, const BackupManifest& manifest);
/// The manifest of a backup, after its digest was compared with the file.
BackupManifest read_backup(const std::filesystem::path& file);

/// Copies `file` next to the database path, durably and with mode 0600, and returns the name of the copy. The digest
/// of the written copy is checked. While the copy exists without a database, no service starts.
std::filesystem::path stage_copy(const std::filesystem::path& file, const std::filesystem::path& target,
                                 const std::string& sha256);
/// Renames a staged copy to the database path, durably.
void put_in_place(const std::filesystem::path& staged, const std::filesystem::path& target);
/// Renames a database and its log and returns the new name. Nothing is deleted except the index of the log, which
/// SQLite creates again.
std::filesystem::path move_aside(const std::filesystem::path& database, const std::string& suffix);

}  // namespace tideover::main
