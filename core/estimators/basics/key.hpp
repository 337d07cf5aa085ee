// 64-bit keys of counted things, and the fingerprint of a state. Not secret and not for signatures: private identifiers
// come as keyed digests (Submission::chart).
#pragma once
#include <cstdint>
#include <string_view>

namespace tideover::estimators {

using Key = std::uint64_t;

/// A bijection whose output bits all depend on all input bits (the finaliser of splitmix64, public domain constants).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

constexpr Key joined(Key a, Key b) {
  return mixed(a * 0x9e3779b97f4a7c15ULL + b + 1);
}

constexpr Key key_of(std::string_view text) {
  Key key = 0x7469646576ULL + text.size();
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t taken = text.size() < 8 ? text.size() : 8;
    for (std::size_t i = 0; i < taken; ++i)
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
    key = joined(key, word);
    text.remove_prefix(taken);
  }
  return key;
}

/// The fingerprint of everything that is put in, in that order.
class Digest {
 public:
  constexpr void put(std::uint64_t value) {
    low_ = joined(low_, value);
    high_ = joined(high_ ^ 0x5bd1e995ULL, value + 0x2545f4914f6cdd1dULL);
  }
  constexpr void put(std::int64_t value) { put(static_cast<std::uint64_t>(value)); }
  constexpr void put(std::uint32_t value) { put(std::uint64_t{value}); }
  constexpr void put(std::int32_t value) { put(static_cast<std::uint64_t>(std::int64_t{value})); }
  void put(double value) { put(__builtin_bit_cast(std::uint64_t, value)); }
  void put(float value) { put(__builtin_bit_cast(std::uint32_t, value)); }

  struct Value {
    std::uint64_t high = 0, low = 0;
    friend constexpr bool operator==(const Value&, const Value&) = default;
  };
  constexpr Value value() const { return {mixed(high_ ^ low_), mixed(low_ + 0x9e3779b97f4a7c15ULL)}; }

 private:
  std::uint64_t high_ = 1, low_ = 2;
};

}  // namespace tideover::estimators
