// The rail journal in a file of one process (README.md has the format). A caller of append waits for the disk;
// concurrent appends are synced together. Thread-safe; a second process on the same file is refused.
//
// After a failed write the file is truncated to the bytes that are known to be on disk, before anything else is
// written.
#pragma once
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/journal/line.hpp"
#include "core/ports/clock.hpp"

namespace tideover::journal {

struct JournalOptions {
  std::filesystem::path path;       // created with mode 0600, its folder with 0700
  int keep_days = 30;               // entries that ended are kept this long
  std::size_t compact_from = 1000;  // number of removable entries that triggers a rewrite
};

/// Results of opening.
struct OpenReport {
  bool created = false;
  std::uint64_t entries = 0;    // known keys
  std::uint64_t open = 0;       // keys without an outcome
  std::uint64_t cut_bytes = 0;  // damage removed from the end
  std::uint64_t salvaged = 0;   // valid lines after the damage
  std::uint64_t dropped = 0;    // entries that ended long ago
};

class FileJournal final : public ports::RailJournal {
 public:
  /// The Error is a sentence for the operator: damage before the end, or a failing disk. Its code is conflict when
  /// another process uses the file.
  static domain::Result<std::unique_ptr<FileJournal>> open(JournalOptions options, const ports::Clock& clock);
  /// Reads the current content only, also next to the writing process. Entries after a partial line may be missing; the
  /// file is not changed.
  static domain::Result<std::unique_ptr<const FileJournal>> look_at(const std::filesystem::path& path,
                                                                    const ports::Clock& clock);
  ~FileJournal() override;

  domain::Result<ports::Witnessed> append(const ports::JournalledSend& send) override;
  void note(const std::string& key, domain::AttemptState outcome, domain::Timestamp at) override;
  bool may_hold(const std::string& key, domain::Timestamp attempt_created_at) const override;
  domain::Status ready() override;
  domain::Status visit(const std::function<bool(const ports::JournalledSend&)>& look) const override;

  /// Adds the entries of `other` for one rail; returns the number of new keys.
  domain::Result<std::uint64_t> take_over(const FileJournal& other, std::string_view rail);
  /// Entries of existing attempts may be missing here: the rail is asked about them.
  domain::Status distrust();

  const OpenReport& opened() const { return report_; }

 private:
  struct Seen {
    domain::Timestamp at;
    std::optional<domain::AttemptState> outcome;
  };
  /// One entry that is being written.
  struct Ticket {
    Entry entry;
    bool synced = true;  // its writer waits for the disk
    bool done = false;
    std::shared_ptr<const std::string> problem;  // of its batch; empty = written
  };

  FileJournal(JournalOptions options, const ports::Clock& clock) : options_(std::move(options)), clock_(clock) {}
  void recover();
  /// Reads the valid lines; returns whether the end is damaged.
  bool read_lines(int file, std::uint64_t on_disk, std::vector<Entry>& salvaged);
  bool is_old(const Seen& seen, domain::Timestamp now) const;
  void rewrite(domain::Timestamp now, const std::vector<Entry>& salvaged);
  void take_in(const Entry& entry);
  std::string write_and_wait(std::unique_lock<std::mutex>& lock, Entry entry);
  void flush(std::unique_lock<std::mutex>& lock);
  /// Empty, or the reason of the failure. May throw when out of memory: then nothing of the batch counts as written.
  std::string write_batch(std::unique_lock<std::mutex>& lock, const std::vector<std::shared_ptr<Ticket>>& batch);
  /// Empty, or the reason of the failure.
  std::string write_out(const std::string& text, bool sync);
  std::string repair();
  static domain::Error not_writable(const std::string& problem);

  const JournalOptions options_;
  const ports::Clock& clock_;
  OpenReport report_;

  mutable std::mutex mutex_;
  std::condition_variable flushed_;
  std::unordered_map<std::string, Seen> seen_;  // by key
  std::set<std::string> in_flight_;             // keys being written
  std::vector<std::shared_ptr<Ticket>> waiting_;
  bool flushing_ = false;
  domain::Timestamp damaged_at_;  // entries before this time may be lost
  domain::Timestamp newest_;      // of the entries with keys
  std::string trouble_;           // why the last write failed; empty = it succeeded

  // Used only by the thread that flushes, while flushing_ is set.
  int file_ = -1;
  std::uint64_t size_ = 0;  // valid bytes
  std::string last_hash_{kNoLineBefore};
  bool in_doubt_ = false;  // bytes after size_, or a failed sync
};

}  // namespace tideover::journal
