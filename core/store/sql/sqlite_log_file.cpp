#include "core/store/sql/sqlite_log_file.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include "core/store/sql/error.hpp"

namespace tideover::sql {
namespace {

constexpr std::size_t kMostGathered = std::size_t{64} * 1024;  // the VFS of the system takes less than 128 kB at once
constexpr std::size_t kAlignment = alignof(std::max_align_t);

/// SQLite allocates the memory (szOsFile of this VFS); the file object of the system follows this one.
struct LogFile {
  sqlite3_file base;
  sqlite3_int64 start;  // file offset of the gathered bytes
  std::vector<unsigned char> bytes;
};

constexpr std::size_t kOwnSize = (sizeof(LogFile) + kAlignment - 1) / kAlignment * kAlignment;

LogFile& own(sqlite3_file* file) {
  return *reinterpret_cast<LogFile*>(file);
}
sqlite3_file* system_file(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<unsigned char*>(file) + kOwnSize);
}

/// Bytes that could not be written are discarded, as after a failed write of a page: SQLite starts again at the same
/// offset.
int flush(sqlite3_file* file) {
  auto& log = own(file);
  if (log.bytes.empty()) return SQLITE_OK;
  auto* const system = system_file(file);
  const int code = system->pMethods->xWrite(system, log.bytes.data(), static_cast<int>(log.bytes.size()), log.start);
  log.bytes.clear();
  return code;
}

/// Calls the file of the system after all gathered bytes were written.
template <class Call>
int flushed(sqlite3_file* file, Call call) {
  if (const int code = flush(file); code != SQLITE_OK) return code;
  auto* const system = system_file(file);
  return call(*system->pMethods, system);
}

int close(sqlite3_file* file) {
  const int flushing = flush(file);
  auto* const system = system_file(file);
  const int code = system->pMethods->xClose(system);
  own(file).~LogFile();
  return flushing == SQLITE_OK ? code : flushing;
}

int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  auto& log = own(file);
  const auto count = static_cast<std::size_t>(size);
  const bool follows = !log.bytes.empty() && offset == log.start + static_cast<sqlite3_int64>(log.bytes.size());
  if (!follows || log.bytes.size() + count > kMostGathered) {
    if (const int code = flush(file); code != SQLITE_OK) return code;
    log.start = offset;
  }
  try {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    log.bytes.insert(log.bytes.end(), bytes, bytes + count);
    return SQLITE_OK;
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
}

int read(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
  return flushed(file, [&](const auto& methods, auto* system) { return methods.xRead(system, into, size, offset); });
}
int truncate(sqlite3_file* file, sqlite3_int64 size) {
  return flushed(file, [&](const auto& methods, auto* system) { return methods.xTruncate(system, size); });
}
int sync(sqlite3_file* file, int flags) {
  return flushed(file, [&](const auto& methods, auto* system) { return methods.xSync(system, flags); });
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return flushed(file, [&](const auto& methods, auto* system) { return methods.xFileSize(system, size); });
}

// Rarely called for the log, and independent of its bytes.
int lock(sqlite3_file* file, int level) {
  return system_file(file)->pMethods->xLock(system_file(file), level);
}
int unlock(sqlite3_file* file, int level) {
  return system_file(file)->pMethods->xUnlock(system_file(file), level);
}
int check_lock(sqlite3_file* file, int* out) {
  return system_file(file)->pMethods->xCheckReservedLock(system_file(file), out);
}
int control(sqlite3_file* file, int what, void* argument) {
  return system_file(file)->pMethods->xFileControl(system_file(file), what, argument);
}
int sector_size(sqlite3_file* file) {
  return system_file(file)->pMethods->xSectorSize(system_file(file));
}
int characteristics(sqlite3_file* file) {
  return system_file(file)->pMethods->xDeviceCharacteristics(system_file(file));
}

sqlite3_vfs* system_vfs() {
  static sqlite3_vfs* const found = sqlite3_vfs_find(nullptr);
  return found;
}

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods made{};
    made.iVersion = 1;
    made.xClose = close;
    made.xRead = read;
    made.xWrite = write;
    made.xTruncate = truncate;
    made.xSync = sync;
    made.xFileSize = file_size;
    made.xLock = lock;
    made.xUnlock = unlock;
    made.xCheckReservedLock = check_lock;
    made.xFileControl = control;
    made.xSectorSize = sector_size;
    made.xDeviceCharacteristics = characteristics;
    return made;
  }();
  auto* const system = system_vfs();
  if ((flags & SQLITE_OPEN_WAL) == 0) return system->xOpen(system, name, file, flags, flags_out);
  file->pMethods = nullptr;
  auto* const behind = system_file(file);
  behind->pMethods = nullptr;
  if (const int code = system->xOpen(system, name, behind, flags, flags_out); code != SQLITE_OK) {
    if (behind->pMethods != nullptr) behind->pMethods->xClose(behind);
    return code;
  }
  new (file) LogFile{{&methods}, 0, {}};
  return SQLITE_OK;
}

}  // namespace

const char* gathering_log_vfs() {
  static constexpr char kName[] = "gathering-log";
  static sqlite3_vfs vfs = [] {
    if (system_vfs() == nullptr) throw SqlError(SqlError::Kind::misuse, 0, "SQLite has no VFS for this system");
    sqlite3_vfs made = *system_vfs();
    made.szOsFile += static_cast<int>(kOwnSize);
    made.zName = kName;
    made.pNext = nullptr;
    made.xOpen = open;
    return made;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  if (registered != SQLITE_OK) throw SqlError(SqlError::Kind::misuse, registered, "SQLite refused the VFS");
  return kName;
}

}  // namespace tideover::sql
