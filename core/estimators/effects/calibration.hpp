// Turns a raw score into a calibrated probability. Below 50 outcomes: the score itself. Then a line through the log
// odds (Platt). From 500 outcomes on: isotonic regression (pool adjacent violators) over at most 64 groups, each shrunk
// towards the line, with straight lines between the groups to keep the order.
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
  /// `trust`: the share of the measured correction that is applied. Less than one when outcomes depend on each other,
  /// so that they count as fewer than they are.
  explicit Calibration(double trust = 1) : trust_(trust) {}
  /// Probability for a score in log odds.
  double operator()(double score) const;
  void fit(std::vector<Scored> outcomes);
  void put_into(Digest& digest) const;

 private:
  void fit_line(const std::vector<Scored>& outcomes);
  double corrected(double score) const;

  double trust_;
  double offset_ = 0, slope_ = 1;                 // Platt
  std::vector<std::pair<double, double>> knots_;  // score, log odds of the share that came true; both rising
};

}  // namespace tideover::estimators
