#include "core/estimators/basics/arithmetic.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/domain/basics/within.hpp"

namespace tideover::estimators {
namespace {

constexpr double kLn2High = 6.93147180369123816490e-01;  // 33 bits: a multiple by an exponent is exact
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kLog2E = 1.44269504088896338700;

constexpr auto kInverseFactorials = [] {
  std::array<double, 14> made{};
  double factorial = 1;
  for (std::size_t n = 0; n < made.size(); ++n) {
    if (n > 0) factorial *= static_cast<double>(n);
    made[n] = 1 / factorial;
  }
  return made;
}();

constexpr auto kOddInverses = [] {  // 1, 1/3 ... 1/21
  std::array<double, 11> made{};
  for (std::size_t n = 0; n < made.size(); ++n) made[n] = 1 / static_cast<double>(2 * n + 1);
  return made;
}();

/// 2^k for k in -1022..1023.
double power_of_two(int k) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

}  // namespace

double exponential(double x) {
  if (x > 709.0) return std::numeric_limits<double>::max();
  if (x < -708.0) return 0;
  const double scaled = x * kLog2E;
  const int k = static_cast<int>(scaled + (scaled >= 0 ? 0.5 : -0.5));
  const double r = (x - k * kLn2High) - k * kLn2Low;  // |r| <= 0.35: the series to r^13 leaves less than 1e-17
  double sum = kInverseFactorials[13];
  for (std::size_t n = 13; n-- > 0;) sum = sum * r + kInverseFactorials[n];
  return sum * power_of_two(k);
}

double logarithm(double x) {
  int k = 0;
  if (x < std::numeric_limits<double>::min()) {
    if (!(x > 0)) return -std::numeric_limits<double>::max();
    x *= power_of_two(54);
    k -= 54;
  }
  auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffffULL) | 0x3ff0'0000'0000'0000ULL);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++k;
  }
  const double s = (m - 1.0) / (m + 1.0);  // |s| <= 0.172: 2 (s + s^3/3 + ...) to s^21 leaves less than 1e-17
  const double s2 = s * s;
  double sum = kOddInverses[10];
  for (std::size_t n = 10; n-- > 0;) sum = sum * s2 + kOddInverses[n];
  return k * kLn2High + (2.0 * s * sum + k * kLn2Low);
}

double log_odds(double p) {
  p = domain::within(p, 1e-6, 1.0 - 1e-6);
  return logarithm(p / (1.0 - p));
}

double probability(double odds) {
  if (odds >= 0) return 1.0 / (1.0 + exponential(-odds));
  const double e = exponential(odds);
  return e / (1.0 + e);
}

}  // namespace tideover::estimators
