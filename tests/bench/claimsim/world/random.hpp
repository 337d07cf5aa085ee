// Random numbers that are the same on every machine: SplitMix64 and plain arithmetic, no distribution of the standard
// library, whose results its implementations choose. A value, one per stream: streams of one seed do not disturb each
// other.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace tideover::claimsim {

/// Stirs 64 bits (SplitMix64's finaliser).
constexpr std::uint64_t stirred(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0)
      : state_(stirred(stirred(stirred(stirred(seed + 1) + a * 3 + 1) + b * 5 + 2) + c * 7 + 3)) {}

  constexpr std::uint64_t next() { return stirred(state_ += 0x9e3779b97f4a7c15ULL); }
  /// In [0, 1).
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  constexpr double between(double least, double most) { return least + (most - least) * uniform(); }
  constexpr int below(int n) { return static_cast<int>(uniform() * n); }
  constexpr bool chance(double probability) { return uniform() < probability; }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  double lognormal(double median, double sigma) { return median * std::exp(sigma * normal()); }
  /// An index into running sums of weights.
  std::size_t pick(const std::vector<double>& running) {
    const double at = uniform() * running.back();
    std::size_t low = 0, high = running.size() - 1;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (running[middle] > at)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

 private:
  std::uint64_t state_;
};

inline double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace tideover::claimsim
