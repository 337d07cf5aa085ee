// From which charge on a payer wants to see documents: a step in its refusals, sought at every half octave and at
// several heights at once. An answer makes some of these likelier, so that a step shows after a few refusals beyond it
// and none before, where each size of charge by itself would need many. What is usual among payers is learned from all
// of them, each as one: of a payer that has answered little it says most.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/table.hpp"
#include "core/estimators/basics/week.hpp"
#include "core/estimators/effects/cell.hpp"

namespace tideover::estimators {

inline constexpr std::size_t kStepPlaces = 16;
inline constexpr std::size_t kStepHeights = 3;

/// The highest place that a charge reaches; -1 below the first.
int step_place_of(std::int64_t cents);

class ChargeSteps {
 public:
  explicit ChargeSteps(std::size_t most_payers);

  /// Of an answer to a charge beyond the step, by its height, to that of the same answer before it.
  using Likelihood = std::array<float, kStepHeights>;
  /// What an answer was counted with.
  struct Counting {
    Likelihood likelihood{1, 1, 1};
    float beyond = 0;  // how likely it is now that the charge lies beyond a step
  };

  void prefetch(Key payer) const { of_.prefetch(payer); }
  /// `usual`: P(denied for want of documents) without a step.
  Cell::Told told(Key payer, Week now, int place, double usual) const;
  Counting count(Key payer, Week now, int place, const Seen& seen, double usual);
  void uncount(Key payer, int place, const Counting& counting);
  std::size_t bytes() const { return of_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  static constexpr std::size_t kStates = kStepPlaces * kStepHeights + 1;  // by place, then by height; the last: no step
  using States = std::array<double, kStates>;
  /// How much likelier each became by the payer's own answers than it is among payers.
  struct OfPayer {
    Week week = 0;
    std::array<float, kStates> likelier{};
    std::array<float, kStates> given{};  // to what is usual among payers
  };
  /// P(each), of a payer; adds up to one.
  States of(const OfPayer* payer, Week now) const;
  void learn(OfPayer& payer, States states, int place, const Likelihood& likelihood);

  Table<OfPayer> of_;
  States usual_{}, sum_{};  // P(each) of a payer that was never observed; and added up over payers
};

}  // namespace tideover::estimators
