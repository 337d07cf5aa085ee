// The part of the allowed amount that the payer does not pay: deductible and coinsurance of the patient, sequestration,
// denied lines of a paid claim. A histogram of that share, with 0 and 1 separate, by payer and month (deductible
// season), shrunk towards payer, class and all. Integers only.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/submission.hpp"
#include "core/estimators/basics/table.hpp"

namespace tideover::estimators {

/// 0: nothing is missing; 1..20: twentieths; 21: everything.
inline constexpr int kShareSteps = 22;
using ShareOdds = std::array<double, kShareSteps>;
/// Middle of a step.
inline double share_of_step(int step) {
  return step == 0 ? 0.0 : step == kShareSteps - 1 ? 1.0 : (step - 0.5) * 0.05;
}

class PatientShares {
 public:
  explicit PatientShares(std::size_t most) : histograms_(most) {}

  /// `chart`: the chart_class of this patient's last claim at this payer; 0: unknown.
  ShareOdds odds(Key payer, PayerClass payer_class, int month, int chart) const;
  /// The mean paid share of the allowed amount, over claims with any payment.
  static double mean_paid(const ShareOdds& odds);
  void learn(Key payer, PayerClass payer_class, int month, int chart, std::int64_t allowed_cents,
             std::int64_t paid_cents);
  /// For a claim whose answer was reversed.
  void take_back(Key payer, PayerClass payer_class, int month, int chart, std::int64_t allowed_cents,
                 std::int64_t paid_cents);
  /// What this claim says about the patient's next one: 1 pays nothing, 2 little, 3 a lot, 4 everything (deductible).
  static int chart_class(std::int64_t allowed_cents, std::int64_t paid_cents);

  std::size_t bytes() const { return histograms_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  struct Histogram {
    std::array<std::uint32_t, kShareSteps> counts{};
    std::uint32_t total = 0;
    void add(int step);
    void remove(int step);
  };
  Histogram& at(Key key);
  /// The keys under which a claim is counted; `then` gets each key.
  template <class Then>
  static void each_key(Key payer, PayerClass payer_class, int month, int chart, const Then& then);

  Table<Histogram> histograms_;
};

}  // namespace tideover::estimators
