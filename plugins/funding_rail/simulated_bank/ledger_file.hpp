// The payments of the simulated bank on disk: one line per payment, appended and synced before the answer is sent.
// Several processes may share one file (two nodes with one bank); an advisory lock orders them. Not thread-safe: the
// bank's lock protects it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tideover/plugin.h"

namespace simulated_bank {

/// A payment that the bank accepted or refused. The payout token is not stored.
struct Payment {
  std::string key;
  std::string rail;
  std::int64_t amount = 0;
  std::string fingerprint;  // of the request: the same key with other content is not a retry
  tideover_outcome_kind kind = TIDEOVER_OUTCOME_ACCEPTED;  // accepted or rejected
  std::int64_t taken_ms = 0;
  std::int64_t settles_ms = 0;
  std::int64_t returns_ms = 0;  // when it is returned with reason_code; 0 = never
  std::string reference;
  std::string reason_code;
  std::string reason;
};

/// FNV-1a as 16 hex digits: enough to detect a partial line and to tell requests apart.
std::string checksum(std::string_view text);

class LedgerFile {
 public:
  /// Empty path: no file. Throws Fault(INVALID_CONFIG) when the file cannot be opened or is damaged before its last
  /// line. A partial last line (a crash while writing) is truncated.
  explicit LedgerFile(std::string path);
  ~LedgerFile();
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;

  /// Locks the file for this process during its lifetime.
  class Lock {
   public:
    explicit Lock(LedgerFile& file);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    LedgerFile& file_;
  };

  /// The lines appended since the last call by any process. Requires the lock.
  std::vector<Payment> read_new();
  /// The line is on disk when it returns. On failure throws Fault(UNAVAILABLE) and leaves the file unchanged. Requires
  /// the lock, after read_new().
  void append(const Payment& payment);

 private:
  std::string path_;
  int fd_ = -1;
  std::int64_t end_ = 0;  // offset after the last line read or written
  std::int64_t line_ = 0;
};

}  // namespace simulated_bank
