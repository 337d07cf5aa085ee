// A backup as files: the copied database FILE, FILE.checkpoints, and FILE.manifest, which says what it is. The manifest
// is written last, so that a backup without one was never finished.
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
  std::string program;     // the version that made it
  std::string engine;
  int schema = 0;
  std::int64_t bytes = 0;
  std::string sha256;  // of FILE, lower-case hex
  std::vector<std::pair<std::string, std::int64_t>> rows;

  std::string text() const;  // "name value" lines
};

std::filesystem::path manifest_of(const std::filesystem::path& file);
/// The checkpoints of the hash chains as they stood when the backup was made.
std::filesystem::path checkpoints_of(const std::filesystem::path& file);
void copy_durably(const std::filesystem::path& from, const std::filesystem::path& to);
std::string sha256_of(const std::filesystem::path& file);

/// Gives the finished copy its name and its manifest, durably. Throws StartError with a sentence, as all here.
void publish(const std::filesystem::path& copy, const std::filesystem::path& file, const BackupManifest& manifest);
/// The manifest of a backup whose bytes are those that it names.
BackupManifest read_backup(const std::filesystem::path& file);

/// Makes a copy of `file` beside where a database is to be, durably and with mode 0600, and returns its name. The
/// digest is checked on what was written. While it lies there without a database, no service starts.
std::filesystem::path stage_copy(const std::filesystem::path& file, const std::filesystem::path& target,
                                 const std::string& sha256);
/// Gives a staged copy the database's name, durably.
void put_in_place(const std::filesystem::path& staged, const std::filesystem::path& target);
/// Renames a database with its log out of the way and returns its new name; nothing is deleted but the log's index,
/// which SQLite makes anew.
std::filesystem::path move_aside(const std::filesystem::path& database, const std::string& suffix);

}  // namespace tideover::main
