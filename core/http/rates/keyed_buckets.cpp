#include "core/http/rates/keyed_buckets.hpp"

namespace tideover::http {

TokenBucket::Taken KeyedBuckets::take(const std::string& key, TokenBucket::Time now) {
  Shard& shard = shard_of(key);
  const std::lock_guard held(shard.lock);
  auto bucket = shard.buckets.find(key);
  if (bucket == shard.buckets.end()) {
    if (shard.buckets.size() >= kMostPerShard) evict(shard, now);
    bucket = shard.buckets.emplace(key, TokenBucket{}).first;
  }
  return bucket->second.take(rate_, now);
}

void KeyedBuckets::give_back(const std::string& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard held(shard.lock);
  if (const auto bucket = shard.buckets.find(key); bucket != shard.buckets.end()) bucket->second.give_back(rate_);
}

std::size_t KeyedBuckets::size() const {
  std::size_t total = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard held(shard.lock);
    total += shard.buckets.size();
  }
  return total;
}

/// Keys are authenticated clients and tenants, so there are too few full buckets only with very many of them. Removing
/// a bucket that is not full gives its key more tokens. Half as the bound: not each further key costs a search.
void KeyedBuckets::evict(Shard& shard, TokenBucket::Time now) {
  std::erase_if(shard.buckets, [now](const auto& entry) { return entry.second.is_full(now); });
  if (shard.buckets.size() > kMostPerShard / 2) shard.buckets.clear();
}

}  // namespace tideover::http
