// The charge above which a payer asks for documents: a step in its denials, at every half octave and at several
// heights. One answer changes the probability of many positions, so a step shows after a few denials beyond it and none
// before. Separate counts per size of charge would need many more. All payers together, each with the same weight, give
// the prior. It dominates for payers with few answers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/table.hpp"
#include "core/estimators/basics/week.hpp"
#include "core/estimators/effects/cell.hpp"

namespace tideover::estimators {

inline constexpr std::size_t kStepPositions = 16;
inline constexpr std::size_t kStepHeights = 3;

/// The highest position that the charge reaches; -1 below the first.
int step_position_of(std::int64_t cents);

class ChargeSteps {
 public:
  explicit ChargeSteps(std::size_t most_payers);

  /// The likelihood of the answer with a step below the charge, by height, relative to without one.
  using Likelihood = std::array<float, kStepHeights>;
  /// The counts of one answer, for its reversal.
  struct Counting {
    Likelihood likelihood{1, 1, 1};
    float beyond = 0;  // P(the charge is beyond a step) after the answer
  };

  void prefetch(Key payer) const { of_.prefetch(payer); }
  /// `usual`: P(denied for missing documents) without a step.
  Cell::Estimate estimate(Key payer, Week now, int position, double usual) const;
  Counting count(Key payer, Week now, int position, const Seen& seen, double usual);
  void uncount(Key payer, int position, const Counting& counting);
  std::size_t bytes() const { return of_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  static constexpr std::size_t kStates =
      kStepPositions * kStepHeights + 1;  // by position, then by height; the last one: no step
  using States = std::array<double, kStates>;
  /// The change by the payer's own answers, relative to the prior.
  struct OfPayer {
    Week week = 0;
    std::array<float, kStates> likelier{};
    std::array<float, kStates> given{};  // its part of the prior's sum
  };
  /// The probabilities for a payer; their sum is one.
  States of(const OfPayer* payer, Week now) const;
  void learn(OfPayer& payer, States states, int position, const Likelihood& likelihood);

  Table<OfPayer> of_;
  States usual_{}, sum_{};  // the prior, and its sum over payers
};

}  // namespace tideover::estimators
