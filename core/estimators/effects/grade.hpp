// How the predictions turned out: what reviews stated - without a review, what the record tells - is held against its
// claim's answer once that has come. What an operator reads before believing a number.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/basics/money.hpp"
#include "core/estimators/basics/key.hpp"
#include "core/estimators/effects/weights.hpp"

namespace tideover::estimators {

/// Of predictions between two tenths (or of confidence): how often it came true.
struct ReliabilityBin {
  std::int64_t claims = 0;
  std::int64_t came_true = 0;
  std::int64_t predicted_millionths = 0;  // sum
  double predicted() const {
    return claims ? static_cast<double>(predicted_millionths) / 1e6 / static_cast<double>(claims) : 0;
  }
  double observed() const { return claims ? static_cast<double>(came_true) / static_cast<double>(claims) : 0; }
};
inline constexpr int kReliabilityBins = 20;

class Reliability {
 public:
  void add(double predicted, bool came_true);
  /// Of an answer that was reversed.
  void take_back(double predicted, bool came_true);
  const std::array<ReliabilityBin, kReliabilityBins>& bins() const { return bins_; }
  std::int64_t claims() const;
  /// Expected calibration error: claim-weighted distance between predicted and observed.
  double calibration_error() const;
  /// What was added since.
  Reliability since(const Reliability& earlier) const;

 private:
  void count(double predicted, bool came_true, std::int64_t claims);

  std::array<ReliabilityBin, kReliabilityBins> bins_{};
};

struct PayerDays {
  std::string payer_id;
  std::int64_t paid = 0;  // claims
  std::int64_t absolute_error =
      0;  // sum of |expected payment date - actual|, calendar days; of the record alone: |median - actual|
  std::int64_t error = 0;    // sum of actual - expected payment date, or median
  std::int64_t in_time = 0;  // posted on or before the expected payment date
  int drift_alarms = 0;
  double mean_absolute_error() const {
    return paid ? static_cast<double>(absolute_error) / static_cast<double>(paid) : 0;
  }
  double coverage() const { return paid ? static_cast<double>(in_time) / static_cast<double>(paid) : 0; }
};

struct Amounts {
  std::int64_t claims = 0;  // adjudicated clean
  std::int64_t within_one_percent = 0;
  std::int64_t allowed_cents = 0;
  std::int64_t absolute_error_cents = 0;
  /// Weighted absolute percentage error.
  double wape() const {
    return allowed_cents ? static_cast<double>(absolute_error_cents) / static_cast<double>(allowed_cents) : 0;
  }
};

/// What an advance of 85 % of the expected reimbursement - of the record alone: of what it expects if paid - would have
/// lost, of claims that were not predicted denied.
struct Advances {
  std::int64_t claims = 0;
  std::int64_t advanced_cents = 0;
  std::int64_t lost_cents = 0;
  std::int64_t expected_loss_cents = 0;
  double loss_per_dollar() const {
    return advanced_cents ? static_cast<double>(lost_cents) / static_cast<double>(advanced_cents) : 0;
  }
};

struct Grades {
  Reliability denial;
  Reliability confidence;
  Amounts amounts;
  Advances advances;
  std::vector<PayerDays> payers;       // that have paid, in order of appearance
  std::vector<RuleGrade> rules;        // by id
  std::int64_t unknown_responses = 0;  // to claims that were not submitted here
};

/// What `later` has observed and `earlier`, an older reading of the same record, had not. An answer that was taken back
/// meanwhile counts below nothing.
Grades difference(const Grades& later, const Grades& earlier);

}  // namespace tideover::estimators
