// Keeps a second process (or a second Database in this one) away from a database file. The kernel drops the lock when
// the process ends, however it ends; the lock file stays and means nothing by itself.
#pragma once

#include <filesystem>

namespace tideover::sql {

class FileLock {
 public:
  /// Locks `<file>.lock` or throws SqlError in_use naming the holder.
  explicit FileLock(const std::filesystem::path& file);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  int descriptor_;
};

}  // namespace tideover::sql
