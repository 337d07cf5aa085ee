// Preloaded into a service: stands between it and the files below one folder. It fails on wish (DiskWish), and it notes
// what every write replaces until the file is synced, so that after a SIGKILL the test can take back all that a power
// cut would have lost. Creating, renaming and removing files count as durable at once; memory maps are not seen (SQLite
// maps only the index of its log, which it makes again).
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fault/disk/disk_wish.hpp"

namespace {

using tideover::test::DiskFault;
using tideover::test::DiskWish;
using tideover::test::UndoNote;

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

const auto real_write = real<ssize_t(int, const void*, size_t)>("write");
const auto real_pwrite = real<ssize_t(int, const void*, size_t, off_t)>("pwrite64");
const auto real_ftruncate = real<int(int, off_t)>("ftruncate64");
const auto real_fsync = real<int(int)>("fsync");
const auto real_fdatasync = real<int(int)>("fdatasync");

struct Disk {
  std::string root;
  DiskWish* wish = nullptr;
  int undo = -1;
  bool lies = false;
  std::mutex mutex;
  std::uint64_t writes = 0;

  Disk() {
    if (const char* given = std::getenv("TIDEOVER_TEST_DISK_ROOT")) root = given;
    if (const char* file = std::getenv("TIDEOVER_TEST_DISK_WISH")) {
      const int descriptor = ::open(file, O_RDWR | O_CLOEXEC);
      void* mapped = ::mmap(nullptr, sizeof(DiskWish), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
      if (mapped == MAP_FAILED) std::abort();
      wish = static_cast<DiskWish*>(mapped);
      ::close(descriptor);
    }
    if (const char* file = std::getenv("TIDEOVER_TEST_DISK_UNDO")) {
      undo = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      if (undo < 0) std::abort();
    }
    lies = std::getenv("TIDEOVER_TEST_DISK_LIES") != nullptr;
  }
};

Disk& disk() {
  static Disk only;
  return only;
}

/// The path of an open file below the root; empty for all others.
std::string path_of(int descriptor) {
  char path[512];
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  const auto length = ::readlink(link.c_str(), path, sizeof(path));
  if (length <= 0 || disk().root.empty()) return {};
  const std::string_view text(path, static_cast<std::size_t>(length));
  return text.starts_with(disk().root) && !text.ends_with("-shm") ? std::string(text) : std::string();
}

DiskFault fault_for(const std::string& path) {
  auto* wish = disk().wish;
  if (wish == nullptr || path.empty()) return DiskFault::none;
  const auto fault = wish->fault.load();
  if (fault == DiskFault::none || !path.ends_with(wish->name_end)) return DiskFault::none;
  return fault;
}

void put_down(const UndoNote& note, const std::string& path, const std::vector<char>& old) {
  std::string bytes(reinterpret_cast<const char*>(&note), sizeof(note));
  bytes += path;
  bytes.append(old.data(), old.size());
  if (real_write(disk().undo, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
}

/// Call with the mutex held, before what is at `offset` changes.
void note_old(int descriptor, const std::string& path, off_t offset, std::size_t count) {
  struct stat seen {};
  ::fstat(descriptor, &seen);
  std::vector<char> old;
  if (offset < seen.st_size) {
    old.resize(std::min(count, static_cast<std::size_t>(seen.st_size - offset)));
    // The descriptor may be for writing only.
    const int reading = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (reading < 0 || ::pread(reading, old.data(), old.size(), offset) != static_cast<ssize_t>(old.size()))
      std::abort();
    ::close(reading);
  }
  put_down(
      {UndoNote::write, static_cast<std::uint32_t>(path.size()), ++disk().writes, offset, seen.st_size, old.size()},
      path, old);
}

template <class Put>
ssize_t guarded_write(int descriptor, std::size_t count, off_t offset, const Put& put) {
  const auto path = path_of(descriptor);
  if (path.empty()) return put(count);
  switch (fault_for(path)) {
    case DiskFault::none:
    case DiskFault::sync_error:
      break;
    case DiskFault::full:
      ++disk().wish->hits;
      errno = ENOSPC;
      return -1;
    case DiskFault::read_only:
      ++disk().wish->hits;
      errno = EROFS;
      return -1;
    case DiskFault::write_error:
      ++disk().wish->hits;
      errno = EIO;
      return -1;
    case DiskFault::short_write:
      if (disk().wish->hits++ % 2 == 0 && count > 1) {
        count /= 2;
        break;
      }
      errno = ENOSPC;
      return -1;
  }
  if (disk().undo < 0) return put(count);
  const std::lock_guard held(disk().mutex);
  if (offset < 0) {
    struct stat seen {};
    ::fstat(descriptor, &seen);
    offset = (::fcntl(descriptor, F_GETFL) & O_APPEND) != 0 ? seen.st_size : ::lseek(descriptor, 0, SEEK_CUR);
  }
  note_old(descriptor, path, offset, count);
  return put(count);
}

int guarded_sync(int descriptor, int (*sync)(int)) {
  const auto path = path_of(descriptor);
  if (path.empty()) return sync(descriptor);
  const auto fault = fault_for(path);
  if (fault == DiskFault::sync_error || fault == DiskFault::write_error) {
    ++disk().wish->hits;
    errno = EIO;
    return -1;
  }
  if (disk().undo < 0) return sync(descriptor);
  if (disk().lies) return 0;
  std::uint64_t before = 0;
  {
    const std::lock_guard held(disk().mutex);
    before = disk().writes;
  }
  const int done = sync(descriptor);
  if (done == 0) {
    const std::lock_guard held(disk().mutex);
    put_down({UndoNote::sync, static_cast<std::uint32_t>(path.size()), before, 0, 0, 0}, path, {});
  }
  return done;
}

int guarded_truncate(int descriptor, off_t size) {
  const auto path = path_of(descriptor);
  if (path.empty()) return real_ftruncate(descriptor, size);
  if (fault_for(path) == DiskFault::write_error) {
    ++disk().wish->hits;
    errno = EIO;
    return -1;
  }
  if (disk().undo < 0) return real_ftruncate(descriptor, size);
  const std::lock_guard held(disk().mutex);
  struct stat seen {};
  ::fstat(descriptor, &seen);
  note_old(descriptor, path, size, seen.st_size > size ? static_cast<std::size_t>(seen.st_size - size) : 0);
  return real_ftruncate(descriptor, size);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
  return guarded_write(descriptor, count, -1, [&](std::size_t most) { return real_write(descriptor, bytes, most); });
}
ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  return guarded_write(descriptor, count, offset,
                       [&](std::size_t most) { return real_pwrite(descriptor, bytes, most, offset); });
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}
int ftruncate(int descriptor, off_t size) noexcept {
  return guarded_truncate(descriptor, size);
}
int ftruncate64(int descriptor, off_t size) noexcept {
  return guarded_truncate(descriptor, size);
}
int fsync(int descriptor) {
  return guarded_sync(descriptor, real_fsync);
}
int fdatasync(int descriptor) {
  return guarded_sync(descriptor, real_fdatasync);
}

}  // extern "C"
