// What is left of an allowed amount when the payer pays: the patient's deductible and coinsurance, sequestration, lines
// refused in an otherwise paid claim. A histogram of the share that is not paid, 0 and 1 apart, by payer and month of
// the year (deductible season), drawn to the payer, its class and all. Integers only.
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

  /// `chart`: what this patient's last claim here showed (0 = unknown).
  ShareOdds odds(Key payer, PayerClass payer_class, int month, int chart) const;
  /// Mean share paid of the allowed amount, of claims of which anything was paid.
  static double mean_paid(const ShareOdds& odds);
  void learn(Key payer, PayerClass payer_class, int month, int chart, std::int64_t allowed_cents,
             std::int64_t paid_cents);
  /// Of a claim whose answer was reversed.
  void take_back(Key payer, PayerClass payer_class, int month, int chart, std::int64_t allowed_cents,
                 std::int64_t paid_cents);
  /// What the claim tells of the patient for the next one: 1 pays nothing, 2 little, 3 a lot, 4 everything
  /// (deductible).
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
  /// What a claim is counted under; `then` gets each key.
  template <class Then>
  static void each_key(Key payer, PayerClass payer_class, int month, int chart, const Then& then);

  Table<Histogram> histograms_;
};

}  // namespace tideover::estimators
