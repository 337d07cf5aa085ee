// Rules that are known to stay silent need not be called. A rule is a function of the facts that it reads: there is no
// clock, no chance, and nothing is kept between claims. So what it read on its way to saying nothing is remembered, and
// a claim of which each of these questions hears the same answer gets the same silence without a call. Rules declare
// nothing for it.
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

/// What one call read, in order. Allocates nothing: a Lua error may leave any function that is at it.
class FactReads {
 public:
  static constexpr std::size_t kMost = 64;
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
  std::array<Read, kMost> reads_;
  std::size_t count_ = 0;
};

/// An answer as it is compared: texts by their number among those that are remembered.
struct CachedAnswer {
  enum class Kind : std::uint8_t {
    nil,
    boolean,
    number,
    text,
    other
  };  // other: a text that is not remembered, or a line that is not there
  std::int64_t value = 0;
  Kind kind = Kind::other;
  bool operator==(const CachedAnswer&) const = default;
};

/// What rules ask of the claim in work, each question heard once for all of them. Bounded. One thread at a time.
class QuestionCache {
 public:
  using Slot = std::uint32_t;

  void begin_claim() { ++claim_; }
  Slot slot_of(const FactQuestion& question);
  const CachedAnswer& answer(Slot slot, const FactQuestion& question, const Window& window);
  /// The answer with its text remembered; nothing when the text is too long to be.
  std::optional<CachedAnswer> keep(const FactValue& value);
  /// So many texts are remembered that all should be forgotten, with whatever was learnt of them.
  bool is_full() const { return texts_.size() >= kMostTexts; }
  void forget_texts();

 private:
  static constexpr std::size_t kMostTexts = 8 * 1024;
  static constexpr std::size_t kLongestText = 40;
  static constexpr std::size_t kLines = 16;  // of which answers are kept; beyond, each is heard anew

  struct Heard {
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
  std::vector<Heard> heard_;             // by slot and line
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> texts_;
  CachedAnswer passing_;
};

/// Which rules of lines say nothing of a line because of its code and modifiers alone: one look-up for all of them.
/// Bounded. One thread at a time.
class CodeMemo {
 public:
  explicit CodeMemo(std::size_t rules) : words_((rules + 63) / 64), nothing_(words_) {}

  /// What is remembered of the lines that the window's claim has; good until `forget` or the next claim.
  void look_at(const domain::ClaimDraft& claim);
  bool is_looking() const { return !known_.empty(); }
  bool knows_silence(std::size_t rule, std::size_t line) const {
    return (known_[line][rule / 64] >> (rule % 64) & 1) != 0;
  }
  /// Rules number 64 * word and on: those that say nothing of any line of the claim.
  std::uint64_t silent_of_all(std::size_t word) const;
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
class MemoCache {
 public:
  /// Whether calls are worth being asked about and learnt from. Counts as one call.
  bool is_on();
  /// Whether the rule says nothing of the claim that the window shows.
  bool knows_silence(QuestionCache& hearing, const Window& window);
  /// The rule said nothing after reading this.
  void learn(QuestionCache& hearing, const FactReads& reads);
  void forget();

 private:
  static constexpr std::size_t kMostSteps = 4096;
  static constexpr int kWorthwhile = 2;  // calls spared for each that was learnt from
  static constexpr int kPause = 20'000;  // calls

  struct Node {
    FactQuestion question{};  // without a field: the end, silence
    QuestionCache::Slot slot = 0;
  };
  struct Step {
    CachedAnswer answer;
    std::uint32_t from = 0, to = 0;  // to 0, the root, for a free place
  };
  /// Where the step stands, or would.
  std::size_t place_of(std::uint32_t from, const CachedAnswer& answer) const;
  std::uint32_t add_step(std::uint32_t from, const CachedAnswer& answer);
  void make_room();

  std::vector<Node> nodes_;  // from the root on
  std::vector<Step> steps_;  // open addressing, at most half full
  std::size_t step_count_ = 0;
  int spared_ = 0, learnt_ = 0, pause_ = 0;
};

}  // namespace tideover::lua
