// Prevents a second process (or a second Database in this one) from opening a database file. The kernel releases the
// lock when the process ends, for any reason; the remaining lock file has no effect.
#pragma once

#include <filesystem>

namespace tideover::sql {

class FileLock {
 public:
  /// Locks `<file>.lock`, or throws SqlError in_use with the process that holds it.
  explicit FileLock(const std::filesystem::path& file);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  int descriptor_;
};

}  // namespace tideover::sql
