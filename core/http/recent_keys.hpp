// Idempotency keys that this process saw recently, bounded. It may forget a key or confuse two keys: it decides only
// whether the look-up for a stored answer runs before or after the work, never the answer. Thread-safe.
#pragma once
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace tideover::http {

class RecentKeys {
 public:
  /// Adds the key. Returns true if it was not known.
  bool add(std::string_view key) {
    const std::uint64_t hash = std::hash<std::string_view>{}(key);
    const std::lock_guard held(lock_);
    if (young_.contains(hash) || old_.contains(hash)) return false;
    if (young_.size() >= kMostYoung) old_ = std::exchange(young_, {});
    young_.insert(hash);
    return true;
  }

 private:
  static constexpr std::size_t kMostYoung = 65'536;

  std::mutex lock_;
  std::unordered_set<std::uint64_t> young_, old_;
};

}  // namespace tideover::http
