// From a raw score to a probability that means what it says: a line through the log odds (Platt), nothing below 50
// outcomes; from 500 on isotonic regression (pool adjacent violators) over at most 64 groups, each drawn to the line,
// straight between them so that order is kept.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "core/estimators/basics/key.hpp"

namespace tideover::estimators {

/// A score in log odds, and whether it came true.
using Scored = std::pair<double, bool>;

class Calibration {
 public:
  /// `trust`: share of what the outcomes would correct that is corrected; less than all where they came about together,
  /// so that there are fewer of them than they look.
  explicit Calibration(double trust = 1) : trust_(trust) {}
  /// Probability for a score in log odds.
  double operator()(double score) const;
  void fit(std::vector<Scored> outcomes);
  std::size_t knots() const { return knots_.size(); }
  void put_into(Digest& digest) const;

 private:
  void fit_line(const std::vector<Scored>& outcomes);
  double corrected(double score) const;

  double trust_;
  double offset_ = 0, slope_ = 1;                 // Platt
  std::vector<std::pair<double, double>> knots_;  // score, log odds of the share that came true; both rising
};

}  // namespace tideover::estimators
