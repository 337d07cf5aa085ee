// Rules that are known to stay silent need not be called. A rule is a function of the facts that it reads: there is no clock,
// no chance, and nothing is kept between claims. So what it read on its way to saying nothing is remembered, and a claim of
// which each of these questions hears the same answer gets the same silence without a call. Rules declare nothing for it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/lua/facts.hpp"

namespace tideover::lua {

/// What one call read, in order. Allocates nothing: a Lua error may leave any function that is at it.
class FactReads {
 public:
  struct Read {
    FactQuestion question;
    FactValue heard;
  };

  void clear() { count_ = 0; }
  void note(const FactQuestion& question, const FactValue& heard) {
    if (count_ < reads_.size()) reads_[count_] = {question, heard};
    ++count_;
  }
  bool is_whole() const { return count_ <= reads_.size(); }
  /// The first ones, where it is not whole.
  std::span<const Read> all() const { return {reads_.data(), std::min(count_, reads_.size())}; }

 private:
  std::array<Read, 64> reads_;
  std::size_t count_ = 0;
};

/// What is remembered of one rule: a tree of questions, in which each answer leads to the next question, or to silence.
/// Bounded; of a rule that hardly ever reads the same again nothing is kept for a while. One thread at a time.
class Recall {
 public:
  /// Whether calls are worth being asked about and learnt from. Counts as one call.
  bool is_on();
  /// Whether the rule says nothing of the claim that the window shows.
  bool knows_silence(const Window& window);
  /// The rule said nothing after reading this.
  void learn(const FactReads& reads);
  void forget();

 private:
  static constexpr std::size_t kMostSteps = 512;
  static constexpr std::size_t kLongestText = 40;
  static constexpr int kWorthwhile = 2;  // calls spared for each that was learnt from
  static constexpr int kPause = 20'000;  // calls

  struct Step {
    std::uint32_t from;
    FactValue answer;
    bool operator==(const Step&) const = default;
  };
  struct StepHash {
    std::size_t operator()(const Step& step) const;
  };
  void make_room();

  std::vector<FactQuestion> nodes_;  // from the root on; one without a field is the end, silence
  std::unordered_map<Step, std::uint32_t, StepHash> steps_;
  std::deque<std::string> texts_;  // of the answers
  int spared_ = 0, learnt_ = 0, pause_ = 0;
};

}  // namespace tideover::lua
