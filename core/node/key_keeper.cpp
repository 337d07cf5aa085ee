#include "core/node/key_keeper.hpp"

#include <algorithm>
#include <numeric>

namespace tideover::node {
namespace {

constexpr std::int64_t kMarkEveryMs = 60'000;

std::int64_t sum_of(const std::vector<store::SealCount>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0},
                         [](std::int64_t sum, const store::SealCount& count) { return sum + count.rows; });
}

}  // namespace

bool KeyKeeper::look() {
  const auto reloaded = keys_.reload();
  if (const auto* error = std::get_if<crypto::KeyRingError>(&reloaded)) {
    if (error->message != logged_problem_) log_.error("key_ring_refused", {{"problem", error->message}});
    logged_problem_ = error->message;
    return false;
  }
  logged_problem_.clear();
  const bool changed = std::get<bool>(reloaded);
  if (changed) log_.info("key_ring_changed", {{"current", keys_.current()->kid()}, {"keys", keys_.kids().size()}});
  const auto now = clock_.now();
  if (!changed && marked_at_ && now.ms() - marked_at_->ms() < kMarkEveryMs && now >= *marked_at_) return false;
  for (const auto& [key_id, count] : cipher_.take_seals()) seals_[key_id] += count;
  std::vector<store::KeyRecord> records;
  const auto kept = store_.write_keys([&](store::KeyStore& known) {
    known.keep(now, seals_);
    if (changed) known.restart_reencryption();
    records = known.records();
  });
  if (!kept) return false;
  marked_at_ = now;
  seals_.clear();
  tell_worn(records, now);
  return false;
}

void KeyKeeper::tell_worn(const std::vector<store::KeyRecord>& known, domain::Timestamp now) {
  const auto current = keys_.current()->kid();
  const auto record =
      std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.key_id == current; });
  const bool worn = record != known.end() && store::is_worn(*record, now);
  metrics_.key_worn(worn);
  if (worn && logged_worn_key_ != current)
    log_.warning("key_worn", {{"key", current}, {"seals", record->seals}, {"remedy", "tideover keys rotate"}});
  logged_worn_key_ = worn ? current : "";
}

bool KeyKeeper::reseal(const jobs::Periodic& self) {
  if (self.stopping()) return false;
  bool due = walking_;  // a cheap round that does not block writers
  if (!due && !store_.read_keys([&](const store::KeyStore& known) { due = known.has_more_to_reseal(); })) return false;
  if (!due) return false;
  store::KeyStore::Step step;
  const auto done = store_.write_keys([&](store::KeyStore& known) { step = known.reseal_page(); });
  if (!done) return false;
  if (step.more && !walking_) {
    walking_ = true;
    if (!count_left()) return false;
  }
  for (const auto& sealed : step.resealed) {
    const auto left = std::find_if(left_.begin(), left_.end(), [&](const auto& count) {
      return count.table == sealed.table && count.key_id == sealed.key_id;
    });
    if (left != left_.end() && left->rows > 0) left->rows -= sealed.rows;
  }
  if (!step.resealed.empty()) show_left();
  if (step.more || !walking_) return step.more;

  walking_ = false;
  if (!count_left()) return false;
  const auto behind = sum_of(left_);
  log_.info("resealing_done", {{"current", keys_.current()->kid()}, {"rows_left", behind}});
  // Few values were written under an older key during the walk: repeat until a walk changes nothing.
  if (behind == 0 || behind == left_behind_) return false;
  left_behind_ = behind;
  return static_cast<bool>(store_.write_keys([](store::KeyStore& known) { known.restart_reencryption(); }));
}

bool KeyKeeper::count_left() {
  std::vector<store::SealCount> counts;
  if (!store_.read_keys([&](const store::KeyStore& known) { counts = known.count(); })) return false;
  std::erase_if(counts, [current = keys_.current()->kid()](const auto& count) { return count.key_id == current; });
  left_ = std::move(counts);
  show_left();
  return true;
}

void KeyKeeper::show_left() {
  std::vector<ops::Metrics::SealedRows> shown;
  for (const auto& count : left_) shown.push_back({count.table, count.key_id, count.rows});
  metrics_.sealed_rows_left(shown);
}

}  // namespace tideover::node
