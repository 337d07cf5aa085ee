// One token bucket per key, for a single rate. Memory is bounded: full buckets are removed, and if that leaves too
// many, all of one shard. Thread-safe; threads with different keys rarely wait for each other.
#pragma once
#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

#include "core/http/rates/token_bucket.hpp"

namespace tideover::http {

class KeyedBuckets {
 public:
  explicit KeyedBuckets(Rate rate) : rate_(rate) {}

  const Rate& rate() const { return rate_; }
  TokenBucket::Taken take(const std::string& key, TokenBucket::Time now);
  void give_back(const std::string& key);
  std::size_t size() const;

  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kMostPerShard = 4096;

 private:
  struct Shard {
    mutable std::mutex lock;
    std::unordered_map<std::string, TokenBucket> buckets;
  };
  Shard& shard_of(const std::string& key) { return shards_[std::hash<std::string>{}(key) % kShards]; }
  static void evict(Shard& shard, TokenBucket::Time now);

  const Rate rate_;
  std::array<Shard, kShards> shards_;
};

}  // namespace tideover::http
