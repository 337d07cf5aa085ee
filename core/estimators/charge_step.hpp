// From which charge on a payer wants to see documents: a step in its refusals, sought at every half octave and at several heights at once. An answer makes
// some of these likelier, so that a step shows after a few refusals beyond it and none before, where each size of charge by itself would need many.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/estimators/cell.hpp"
#include "core/estimators/key.hpp"
#include "core/estimators/week.hpp"

namespace tideover::estimators {

inline constexpr std::size_t kStepPlaces = 16;
inline constexpr std::size_t kStepHeights = 3;

/// The highest place that a charge reaches; -1 below the first.
int step_place_of(std::int64_t cents);

/// One payer's.
class ChargeStep {
 public:
  /// Of an answer to a charge beyond the step, by its height, to that of the same answer before it.
  using Likelihood = std::array<float, kStepHeights>;
  /// What an answer was counted with.
  struct Counting {
    Likelihood likelihood{1, 1, 1};
    float beyond = 0;  // how likely it is now that the charge lies beyond a step
  };

  /// `usual`: P(denied for want of documents) without a step. What is told of a payer that was never heard needs no record of it.
  Cell::Told told(Week now, int place, double usual) const;
  Counting count(Week now, int place, const Seen& seen, double usual);
  void uncount(int place, const Counting& counting);
  std::uint64_t newest() const { return static_cast<std::uint64_t>(week_ > 0 ? week_ : 0); }
  void put_into(Digest& digest) const;

 private:
  double at(std::size_t place, std::size_t height, double kept) const;
  double kept(Week now) const;
  void reweigh(int place, const Likelihood& likelihood);

  Week week_ = 0;  // 0: nothing was counted
  std::array<std::array<float, kStepHeights>, kStepPlaces> at_{};  // P(the step is here, and so high); the rest: there is none
};

}  // namespace tideover::estimators
