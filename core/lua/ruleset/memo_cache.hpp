// Skips rules that are known to stay silent. A rule is a pure function of the facts that it reads: there is no clock,
// no randomness, and no state between claims. The facts that it read on a silent run are cached. A claim with the same
// values for each of them gets the same silence without a call. Rules declare nothing for this.
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

#include "core/lua/ruleset/facts.hpp"

namespace tideover::lua {

/// The facts that one call read, in order. Allocates nothing, because a Lua error may leave any function.
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
  /// What was read of the current line is stored for the line with this index.
  void place(std::size_t line) {
    for (std::size_t i = 0; i < std::min(count_, reads_.size()); ++i)
      if (reads_[i].question.line == kAskedLine) reads_[i].question.line = line;
  }
  bool is_whole() const { return count_ <= reads_.size(); }
  /// The first reads, when it is not complete.
  std::span<const Read> all() const { return {reads_.data(), std::min(count_, reads_.size())}; }

 private:
  std::array<Read, kMost> reads_;
  std::size_t count_ = 0;
};

/// A fact value in comparable form: texts by their index in the cache.
struct CachedAnswer {
  enum class Kind : std::uint8_t {
    nil,
    boolean,
    number,
    text,
    other
  };  // other: a text that is not cached, or a missing line
  std::int64_t value = 0;
  Kind kind = Kind::other;
  bool operator==(const CachedAnswer&) const = default;
};

/// The facts of the current claim that rules ask for, each read once for all rules. Bounded. One thread at a time.
class QuestionCache {
 public:
  using Slot = std::uint32_t;

  void begin_claim() { ++claim_; }
  Slot slot_of(const FactQuestion& question);
  const CachedAnswer& answer(Slot slot, const FactQuestion& question, const Window& window);
  /// The value with its text cached; empty when the text is too long.
  std::optional<CachedAnswer> keep(const FactValue& value);
  /// Whether so many texts are cached that everything should be dropped, together with what was learned from them.
  bool is_full() const { return texts_.size() >= kMostTexts; }
  void forget_texts();

 private:
  static constexpr std::size_t kMostTexts = 8 * 1024;
  static constexpr std::size_t kLongestText = 40;
  static constexpr std::size_t kLines = 16;  // lines with cached values; further ones are read each time

  struct KnownValue {
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
  std::vector<KnownValue> known_;        // by slot and line
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> texts_;
  CachedAnswer passing_;
};

/// The line rules that are silent on a line because of its code and modifiers alone: one look-up for all of them.
/// Bounded. One thread at a time.
class CodeMemo {
 public:
  explicit CodeMemo(std::size_t rules) : words_((rules + 63) / 64), nothing_(words_) {}

  /// Looks up the lines of the window's claim. Valid until `forget` or the next claim.
  void look_at(const domain::ClaimDraft& claim);
  bool is_looking() const { return !known_.empty(); }
  bool knows_silence(std::size_t rule, std::size_t line) const {
    return (known_[line][rule / 64] >> (rule % 64) & 1) != 0;
  }
  /// Rules from number 64 * word on: those that are silent on every line of the claim.
  std::uint64_t silent_of_all(std::size_t word) const;
  /// The rule was silent on this line after these reads.
  void learn(std::size_t rule, std::size_t line, const FactReads& reads);
  void look_away() { known_.clear(); }
  void forget();

 private:
  static constexpr std::size_t kMostCodes = 4096;
  static constexpr std::size_t kLongestText = 64;

  std::size_t words_;
  std::unordered_map<std::string, std::vector<std::uint64_t>> codes_;  // code and modifiers -> a bit for each rule
  std::vector<std::uint64_t*> known_;                                  // of the lines of the current claim
  std::vector<std::uint64_t> nothing_;                                 // for lines that are not cached
  std::string key_;
};

/// The cache of one rule: a tree of questions, in which each value leads to the next question or to silence. Bounded. A
/// rule that seldom reads the same values is not cached for a while. One thread at a time.
class MemoCache {
 public:
  /// Whether caching is worthwhile for this call. Counts as one call.
  bool is_on();
  /// Whether the rule is silent on the claim in the window.
  bool knows_silence(QuestionCache& hearing, const Window& window);
  /// The rule was silent after these reads.
  void learn(QuestionCache& hearing, const FactReads& reads);
  void forget();

 private:
  static constexpr std::size_t kMostSteps = 4096;
  static constexpr int kWorthwhile = 2;  // saved calls for each cached one
  static constexpr int kPause = 20'000;  // calls

  struct Node {
    FactQuestion question{};  // without a field: the end, silent
    QuestionCache::Slot slot = 0;
  };
  struct Step {
    CachedAnswer answer;
    std::uint32_t from = 0, to = 0;  // to 0, the root: a free slot
  };
  /// The slot of the step, or where it would be.
  std::size_t place_of(std::uint32_t from, const CachedAnswer& answer) const;
  std::uint32_t add_step(std::uint32_t from, const CachedAnswer& answer);
  void make_space();

  std::vector<Node> nodes_;  // starting with the root
  std::vector<Step> steps_;  // open addressing, at most half full
  std::size_t step_count_ = 0;
  int spared_ = 0, learnt_ = 0, pause_ = 0;
};

}  // namespace tideover::lua
