// A rail journal that survives its process and can be told to fail, or to have been damaged. Thread-safe.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/ports/rail_journal.hpp"

namespace tideover::fakes {

class MemoryJournal final : public ports::RailJournal {
 public:
  /// Writing fails while set.
  std::atomic<bool> disk_full{false};
  /// Whether ready() reports a full disk; otherwise only the write does.
  std::atomic<bool> ready_checks_disk{true};
  /// The key of the next append is written by somebody else a moment before.
  std::atomic<bool> overtaken{false};
  /// Runs behind the next append that writes: what befalls the worker before it gets to the rail.
  std::function<void()> behind_append;
  /// Entries of attempts that were created until then may have been lost.
  std::atomic<std::int64_t> damaged_until_ms{0};

  domain::Result<ports::Witnessed> append(const ports::JournalledSend& send) override {
    std::unique_lock lock(mutex_);
    if (disk_full) return full();
    if (overtaken.exchange(false) && sends_.emplace(send.key, send).second) order_.push_back(send.key);
    const bool known = !sends_.emplace(send.key, send).second;
    if (!known) order_.push_back(send.key);
    const auto meanwhile = known ? nullptr : std::exchange(behind_append, nullptr);
    lock.unlock();
    if (meanwhile) meanwhile();
    return known ? ports::Witnessed::before : ports::Witnessed::now;
  }
  void note(const std::string& key, domain::AttemptState outcome, domain::Timestamp) override {
    const std::lock_guard lock(mutex_);
    if (const auto send = sends_.find(key); send != sends_.end()) send->second.outcome = outcome;
  }
  bool may_hold(const std::string& key, domain::Timestamp attempt_created_at) const override {
    const std::lock_guard lock(mutex_);
    return sends_.contains(key) || attempt_created_at.ms() <= damaged_until_ms;
  }
  domain::Status ready() override { return disk_full && ready_checks_disk ? domain::Status(full()) : domain::Status(); }
  domain::Status visit(const std::function<bool(const ports::JournalledSend&)>& look) const override {
    for (const auto& send : entries())
      if (!look(send)) break;
    return {};
  }
  std::vector<ports::JournalledSend> entries() const {
    const std::lock_guard lock(mutex_);
    std::vector<ports::JournalledSend> all;
    for (const auto& key : order_) all.push_back(sends_.at(key));
    return all;
  }

 private:
  static domain::Error full() {
    return domain::Error::of(domain::ErrorCode::service_unavailable, "The rail journal cannot be written.");
  }

  mutable std::mutex mutex_;
  std::map<std::string, ports::JournalledSend> sends_;
  std::vector<std::string> order_;
};

}  // namespace tideover::fakes
