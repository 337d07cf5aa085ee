// Requests in progress per key. Memory is bounded by the number of requests in progress. Thread-safe.
#pragma once
#include <array>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tideover::http {

class InFlight {
 public:
  /// `most`: requests of one key at the same time; 0 = no limit.
  explicit InFlight(int most) : most_(most) {}

  /// False when the key has `most` requests in progress. Each success needs one `leave`.
  bool enter(const std::string& key) {
    if (most_ == 0) return true;
    Shard& shard = shard_of(key);
    const std::lock_guard held(shard.lock);
    int& running = shard.running[key];
    if (running >= most_) return false;
    ++running;
    return true;
  }
  void leave(const std::string& key) {
    if (most_ == 0) return;
    Shard& shard = shard_of(key);
    const std::lock_guard held(shard.lock);
    const auto running = shard.running.find(key);
    if (running != shard.running.end() && --running->second == 0) shard.running.erase(running);
  }

 private:
  static constexpr std::size_t kShards = 16;
  struct Shard {
    std::mutex lock;
    std::unordered_map<std::string, int> running;
  };
  Shard& shard_of(const std::string& key) { return shards_[std::hash<std::string>{}(key) % kShards]; }

  const int most_;
  std::array<Shard, kShards> shards_;
};

}  // namespace tideover::http
