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
  /// What was read of the line that was asked about becomes that of the line with this number.
  void place(std::size_t line) {
    for (std::size_t i = 0; i < std::min(count_, reads_.size()); ++i)
      if (reads_[i].question.line == kAskedLine) reads_[i].question.line = line;
  }
  bool is_whole() const { return count_ <= reads_.size(); }
  /// The first ones, where it is not whole.
  std::span<const Read> all() const { return {reads_.data(), std::min(count_, reads_.size())}; }

 private:
  std::array<Read, 64> reads_;
  std::size_t count_ = 0;
};

/// Which rules of lines say nothing of a line because of its code and modifiers alone: one look-up for all of them. Bounded. One thread at a time.
class CodeRecall {
 public:
  explicit CodeRecall(std::size_t rules) : words_((rules + 63) / 64) {}

  /// What is remembered of the lines that the window's claim has; good until `forget` or the next claim.
  void look_at(const domain::ClaimDraft& claim);
  bool is_looking() const { return !known_.empty(); }
  bool knows_silence(std::size_t rule, std::size_t line) const { return (known_[line][rule / 64] >> (rule % 64) & 1) != 0; }
  /// The rule said nothing of this line after reading this.
  void learn(std::size_t rule, std::size_t line, const FactReads& reads);
  void look_away() { known_.clear(); }
  void forget();

 private:
  static constexpr std::size_t kMostCodes = 4096;
  static constexpr std::size_t kLongestText = 64;

  std::size_t words_;
  std::unordered_map<std::string, std::vector<std::uint64_t>> codes_;  // code and modifiers -> a bit for each rule
  std::vector<std::uint64_t*> known_;                                  // of the lines of the claim in work
  std::vector<std::uint64_t> nothing_;                                 // for lines that are not remembered
  std::string key_;
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
  static constexpr std::size_t kMostSteps = 4096;
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
