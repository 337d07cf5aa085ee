// What a test wishes of the disk under a service: a few words in a file that both map. Header of the test programs and
// of the library that is preloaded into the service.
#pragma once
#include <atomic>
#include <cstdint>

namespace tideover::test {

enum class DiskFault : std::uint32_t {
  none,
  full,         // a write finds no space (ENOSPC)
  read_only,    // EROFS
  write_error,  // EIO
  sync_error,   // the bytes go, making them durable fails (EIO)
  short_write   // half of the bytes go, then there is no space
};

struct DiskWish {
  std::atomic<DiskFault> fault;
  std::atomic<std::uint64_t> hits;  // calls that the fault met
  char name_end[120];               // of the files that are meant: "tideover.db-wal"
};

// The preloaded library reads from the environment of the service:
//   TIDEOVER_TEST_DISK_WISH=file   a DiskWish
//   TIDEOVER_TEST_DISK_UNDO=file   where it notes what every unsynced write replaced
//   TIDEOVER_TEST_DISK_ROOT=path   the only files it looks at lie below
//   TIDEOVER_TEST_DISK_LIES=1      fsync says yes and makes nothing durable

/// One note of the undo file: this head, the path, then the old bytes.
struct UndoNote {
  enum Kind : std::uint32_t { write, sync } kind;
  std::uint32_t path_bytes;
  std::uint64_t number;  // of a write: its own, counted from 1; of a sync: all writes up to here are durable
  std::int64_t offset;
  std::int64_t old_size;    // of the file
  std::uint64_t old_bytes;  // how many follow: what lay at `offset` and was overwritten or cut off
};

}  // namespace tideover::test
