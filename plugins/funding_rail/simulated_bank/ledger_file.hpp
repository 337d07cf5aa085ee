// The bank's memory on disk: one line per payment, appended and synced before the answer leaves. Several processes may
// share one file (two nodes before one bank); an advisory lock orders them. Not thread-safe: the bank's lock guards it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tideover/plugin.h"

namespace simulated_bank {

/// A payment as the bank took it, or refused it. The payout token is not kept.
struct Payment {
  std::string key;
  std::string rail;
  std::int64_t amount = 0;
  std::string fingerprint;  // of what was asked: the same key with another content is no retry
  tideover_outcome_kind kind = TIDEOVER_OUTCOME_ACCEPTED;  // accepted or rejected
  std::int64_t taken_ms = 0;
  std::int64_t settles_ms = 0;
  std::int64_t returns_ms = 0;  // when it comes back, for reason_code; 0 = never
  std::string reference;
  std::string reason_code;
  std::string reason;
};

/// FNV-1a as 16 hex digits: enough to tell a torn line from a whole one and one request from another.
std::string checksum(std::string_view text);

class LedgerFile {
 public:
  /// Empty path: a bank without memory. Throws Fault(INVALID_CONFIG) when the file cannot be opened or is damaged
  /// before its last line. A torn last line (a crash while writing) is cut off.
  explicit LedgerFile(std::string path);
  ~LedgerFile();
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;

  /// Holds the file for this process while alive.
  class Lock {
   public:
    explicit Lock(LedgerFile& file);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    LedgerFile& file_;
  };

  /// What was appended since the last call, by any process. Needs the lock.
  std::vector<Payment> read_new();
  /// On disk when it returns; throws Fault(UNAVAILABLE) and leaves no trace otherwise. Needs the lock, after
  /// read_new().
  void append(const Payment& payment);

 private:
  std::string path_;
  int fd_ = -1;
  std::int64_t end_ = 0;  // offset behind the last line read or written
  std::int64_t line_ = 0;
};

}  // namespace simulated_bank
