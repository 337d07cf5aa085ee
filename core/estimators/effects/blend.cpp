#include "core/estimators/effects/blend.hpp"

#include <algorithm>
#include <cmath>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"

namespace tideover::estimators {
namespace {

constexpr int kWidth = kFeatures + 1;  // the last is the intercept
constexpr double kRidge = 8;           // weight of the first guess, in curvature of rows
constexpr std::size_t kFewestRows = 500;
constexpr int kMostSteps = 12;

constexpr std::array<std::string_view, kFeatures> kNames{"payer",
                                                         "payer_class",
                                                         "line_mean",
                                                         "line_worst",
                                                         "line_refused",
                                                         "billing_provider",
                                                         "servicer",
                                                         "provider_at_payer",
                                                         "provider_refused",
                                                         "thin_evidence",
                                                         "rules_format",
                                                         "rules_eligibility",
                                                         "rules_duplicate",
                                                         "rules_timely",
                                                         "rules_coding",
                                                         "rules_authorization",
                                                         "rules_necessity",
                                                         "rules_provider",
                                                         "chart",
                                                         "look_alike",
                                                         "lateness",
                                                         "charge",
                                                         "line_count",
                                                         "season"};

/// For independent features: shifts add up, and a group within a group (class, worst line) is contained in the other.
constexpr std::array<double, kFeatures> kFirstGuess{1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1,
                                                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

constexpr bool may_be_negative(int feature) {
  return feature == static_cast<int>(Feature::thin_evidence) || feature == static_cast<int>(Feature::payer_class);
}

using Square = std::array<std::array<double, kWidth>, kWidth>;
using Column = std::array<double, kWidth>;

/// Cholesky; false when the matrix is not positive definite.
bool solve_symmetric(Square& a, Column& b) {
  for (std::size_t i = 0; i < kWidth; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      if (i == j) {
        if (!(sum > 1e-12)) return false;
        a[i][i] = std::sqrt(sum);  // correctly rounded everywhere (IEEE 754)
      } else {
        a[i][j] = sum / a[j][j];
      }
    }
  for (std::size_t i = 0; i < kWidth; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = kWidth; i-- > 0;) {
    for (std::size_t k = i + 1; k < kWidth; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return true;
}

}  // namespace

std::string_view name_of(Feature feature) {
  return kNames[static_cast<std::size_t>(feature)];
}

Blend::Blend() : coefficients_(kFirstGuess) {}

double Blend::log_odds_of(const Features& features) const {
  double sum = intercept_;
  for (std::size_t i = 0; i < kFeatures; ++i) sum += coefficients_[i] * static_cast<double>(features[i]);
  return sum;
}

bool Blend::solve(const std::vector<const MaturedClaim*>& rows, const std::array<bool, kFeatures>& dropped,
                  Column& weights) const {
  for (int step = 0; step < kMostSteps; ++step) {
    Square curvature{};
    Column slope{};
    for (const auto* row : rows) {
      Column x;
      double odds = weights[kFeatures];
      for (std::size_t i = 0; i < kFeatures; ++i) {
        x[i] = dropped[i] ? 0.0 : static_cast<double>(row->features[i]);
        odds += weights[i] * x[i];
      }
      x[kFeatures] = 1;
      const double p = probability(odds), w = p * (1 - p), off = (row->denied ? 1.0 : 0.0) - p;
      for (std::size_t i = 0; i < kWidth; ++i) {
        if (x[i] == 0) continue;
        slope[i] += x[i] * off;
        const double wx = w * x[i];
        for (std::size_t j = 0; j <= i; ++j) curvature[i][j] += wx * x[j];
      }
    }
    for (std::size_t i = 0; i < kFeatures; ++i) {
      curvature[i][i] += kRidge;
      if (!dropped[i]) slope[i] += kRidge * (kFirstGuess[i] - weights[i]);
    }
    curvature[kFeatures][kFeatures] += 1e-3;
    if (!solve_symmetric(curvature, slope)) return false;
    double largest = 0;
    for (std::size_t i = 0; i < kWidth; ++i) {
      const double move = domain::within(slope[i], -2.0, 2.0);
      weights[i] += move;
      largest = std::max(largest, std::fabs(move));
    }
    if (largest < 1e-3) return true;
  }
  return false;
}

void Blend::fit(const std::vector<const MaturedClaim*>& rows) {
  if (rows.size() < kFewestRows) return;
  const std::vector<const MaturedClaim*> newer(rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 4), rows.end());
  std::array<bool, kFeatures> dropped{};
  Column weights;
  std::copy(coefficients_.begin(), coefficients_.end(), weights.begin());
  weights[kFeatures] = intercept_;
  for (int round = 0; round < kFeatures; ++round) {
    if (!solve(newer, dropped, weights)) return;
    bool violated = false;
    for (int i = 0; i < kFeatures; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (weights[at] >= 0 || may_be_negative(i) || dropped[at]) continue;
      dropped[at] = violated = true;
      weights[at] = 0;
    }
    if (violated) continue;
    std::copy(weights.begin(), weights.begin() + kFeatures, coefficients_.begin());
    intercept_ = weights[kFeatures];
    return;
  }
}

void Blend::put_into(Digest& digest) const {
  digest.put(intercept_);
  for (const double coefficient : coefficients_) digest.put(coefficient);
}

}  // namespace tideover::estimators
