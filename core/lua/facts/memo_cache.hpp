// Skips calls of rules that are known to stay silent. A rule is a function of the facts that it reads: it has no clock
// and no random numbers, and keeps nothing between claims. The facts that a silent rule has read are therefore cached
// with their values, and a claim with the same values gets the same result without a call. Rules declare nothing for
// this.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lua/facts/facts.hpp"

namespace tideover::lua {

/// The facts that one call read, in order. Allocates nothing: a Lua error may leave any function that uses it.
class FactReads {
 public:
  static constexpr std::size_t kMost = 64;
  struct Read {
    FactQuestion question;
    FactValue value;
  };

  void clear() { count_ = 0; }
  void note(const FactQuestion& question, const FactValue& value) {
    if (count_ < reads_.size()) reads_[count_] = {question, value};
    ++count_;
  }
  /// Assigns the reads of the current line to the line with this number.
  void place(std::size_t line) {
    for (std::size_t i = 0; i < std::min(count_, reads_.size()); ++i)
      if (reads_[i].question.line == kAskedLine) reads_[i].question.line = line;
  }
  bool is_whole() const { return count_ <= reads_.size(); }
  /// The first reads, when not all were recorded.
  std::span<const Read> all() const { return {reads_.data(), std::min(count_, reads_.size())}; }

 private:
  std::array<Read, kMost> reads_;
  std::size_t count_ = 0;
};

/// An answer in comparable form: texts by their number among the known ones.
struct CachedAnswer {
  enum class Kind : std::uint8_t { nil, boolean, number, text, other };  // other: an unknown text, or a missing line
  std::int64_t value = 0;
  Kind kind = Kind::other;
  bool operator==(const CachedAnswer&) const = default;
};

/// The answers to the questions of the rules about the current claim, each read once for all rules. Bounded. One thread
/// at a time.
class QuestionCache {
 public:
  using Slot = std::uint32_t;

  void begin_claim() { ++claim_; }
  Slot slot_of(const FactQuestion& question);
  const CachedAnswer& answer(Slot slot, const FactQuestion& question, const Window& window);
  /// The answer, with its text added to the known ones; none when the text is too long.
  std::optional<CachedAnswer> keep(const FactValue& value);
  /// True when there are so many texts that all must be dropped, with everything learned from them.
  bool is_full() const { return texts_.size() >= kMostTexts; }
  void forget_texts();

 private:
  static constexpr std::size_t kMostTexts = std::size_t{8} * 1024;
  static constexpr std::size_t kLongestText = 40;
  static constexpr std::size_t kLines = 16;  // lines whose answers are cached; further lines are read each time

  struct KnownAnswer {
    std::uint64_t claim = 0;
    CachedAnswer answer;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  CachedAnswer ask_now(const FactQuestion& question, const Window& window) const;

  std::uint64_t claim_ = 1;
  std::vector<FactQuestion> questions_;  // by slot
  std::vector<KnownAnswer> answers_;     // by slot and line
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> texts_;
  CachedAnswer passing_;
};

/// The per-line rules that are silent for a line because of its code and modifiers alone: one look-up for all of them.
/// Bounded. One thread at a time.
class CodeMemo {
 public:
  explicit CodeMemo(std::size_t rules) : words_((rules + 63) / 64), nothing_(words_) {}

  /// Loads the known results for the lines of the window's claim; valid until `forget` or the next claim.
  void look_at(const domain::ClaimDraft& claim);
  bool is_looking() const { return !known_.empty(); }
  bool knows_silence(std::size_t rule, std::size_t line) const {
    return (known_[line][rule / 64] >> (rule % 64) & 1) != 0;
  }
  /// Rules number 64 * word and on: those that are silent for all lines of the claim.
  std::uint64_t silent_of_all(std::size_t word) const;
  /// Records that the rule was silent for this line after these reads.
  void learn(std::size_t rule, std::size_t line, const FactReads& reads);
  void look_away() { known_.clear(); }
  void forget();

 private:
  static constexpr std::size_t kMostCodes = 4096;
  static constexpr std::size_t kLongestText = 64;

  std::size_t words_;
  std::unordered_map<std::string, std::vector<std::uint64_t>> codes_;  // code and modifiers -> a bit for each rule
  std::vector<std::uint64_t*> known_;                                  // of the lines of the current claim
  std::vector<std::uint64_t> nothing_;                                 // for lines without known results
  std::string key_;
};

/// The cache of one rule: a tree of questions, in which each answer leads to the next question or to silence. Bounded;
/// paused for a while for a rule that rarely reads the same again. One thread at a time.
class MemoCache {
 public:
  /// True when calls should be looked up and recorded. Counts as one call.
  bool is_on();
  /// True when the rule is known to be silent for the current claim.
  bool knows_silence(QuestionCache& cache, const Window& window);
  /// Records that the rule was silent after these reads.
  void learn(QuestionCache& cache, const FactReads& reads);
  void forget();

 private:
  static constexpr std::size_t kMostSteps = 4096;
  static constexpr int kWorthwhile = 2;  // saved calls per recorded call
  static constexpr int kPause = 20'000;  // calls

  struct Node {
    FactQuestion question{};  // without a field: the end, silence
    QuestionCache::Slot slot = 0;
  };
  struct Step {
    CachedAnswer answer;
    std::uint32_t from = 0, to = 0;  // to 0, the root, means free
  };
  /// The slot of the step, used or free.
  std::size_t place_of(std::uint32_t from, const CachedAnswer& answer) const;
  std::uint32_t add_step(std::uint32_t from, const CachedAnswer& answer);
  void free_steps();

  std::vector<Node> nodes_;  // from the root on
  std::vector<Step> steps_;  // open addressing, at most half full
  std::size_t step_count_ = 0;
  int spared_ = 0, learnt_ = 0, pause_ = 0;
};

}  // namespace tideover::lua
