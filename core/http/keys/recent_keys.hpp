// A bounded set of idempotency keys that this process has used recently. It may forget a key, or confuse two keys: it
// only decides whether the store is read for an answer before or after the work, never the answer itself. Thread-safe.
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
  /// Adds the key; true when it was new.
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
