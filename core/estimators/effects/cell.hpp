// Denials of one group of claims or lines, for one cause, held against what was expected of them without this group.
// Counting against an expectation keeps apart what belongs to a payer, a procedure or a provider: one who bills hard
// payers only is not taken for a bad biller. Memories: a slow one, a fast one that is shrunk towards it and follows a
// change within weeks, and how likely it is that the group is refused as a rule by now.
#pragma once
#include <array>
#include <cstdint>

#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/table.hpp"
#include "core/estimators/basics/week.hpp"

namespace tideover::estimators {

/// One claim in fixed point.
inline constexpr std::uint32_t kOneClaim = 4096;

/// Pseudo-denials by which a cell is drawn to its expectation, and its fast memory to its slow one: the rarer denials
/// are, the more claims it takes. And the share of groups that are refused as a rule (a policy against a procedure, a
/// lapsed coverage, a provider who is not enrolled): few refusals in a row then say more than their number would.
struct Strength {
  double slow = 3;
  double fast = 8;
  double refused_as_a_rule = 0;
};

inline constexpr std::size_t kWaysToRefuse = 3;

struct Counted {
  std::uint32_t n = 0;  // claims x kOneClaim
  std::uint32_t d = 0;  // denied
  std::uint32_t e = 0;  // expected to be denied, without this cell
};

/// What an answer says of a cause. Where another cause struck first, this one was hardly seen.
struct Seen {
  bool denied = false;
  double claims = 1;   // that showed whether this cause strikes
  double denials = 0;  // of them, for this cause
  double weight = 1;   // of the whole observation
  double clear = 1;    // P(no refusal as a rule of a narrower group explains it)
};

struct Cell {
  Week week = 0;  // that the counts are decayed to
  Counted slow, fast;
  std::array<float, kWaysToRefuse> refused{};  // P(refused sometimes), often, as a rule
  std::array<std::uint16_t, 4> carcs{};        // packed; Misra-Gries
  std::array<std::uint16_t, 4> counts{};

  /// What an answer was counted with, for the day it is taken back.
  struct Counting {
    float claims = 0, denials = 0;
    std::array<float, kWaysToRefuse> likelihood{1, 1, 1};  // of the answer if refused so, to that if not
    float refused = 0;                                     // how likely it is now that the group is refused
  };
  /// `expected`: P(denied for this cause) without this cell.
  Counting count(Week now, const Seen& seen, double expected, std::uint16_t carc, Strength strength);
  void count(Week now, bool denied, double expected, std::uint16_t carc) {
    (void)count(now, {denied, 1, denied ? 1.0 : 0.0}, expected, carc, {});
  }
  /// Takes back what was counted in week `then`.
  void uncount(Week now, Week then, const Counting& counting, double expected);

  double claims(Week now) const { return kSlow.of(slow.n, now - week) * (1.0 / kOneClaim); }
  /// P(denied for this cause) with this cell.
  struct Told {
    double usual = 0;  // unless refused as a rule
    double all = 0;
    double refused = 0;  // P(refused as a rule)
  };
  Told told(Week now, double expected, Strength strength) const;
  /// Log odds that this cell adds; of one that knows no refusals as a rule.
  double shift(Week now, Strength strength) const;
  /// Share denied: the cell's own, drawn towards what was expected of it.
  double rate(Week now, double strength) const;
  /// Of most of its denials; 0 without one.
  std::uint16_t top_carc() const;

  /// What is said of a group that has no cell.
  static Told stranger(double expected, Strength strength);
  void put_into(Digest& digest) const;

 private:
  void decay(Week now);
  void note(std::uint16_t carc);
  double odds_factor(Week now, Strength strength) const;
  std::array<double, kWaysToRefuse> refused_by(Week now, Strength strength) const;
};

class Cells {
 public:
  explicit Cells(std::size_t most) : cells_(most) {}

  const Cell* find(Key key) const { return cells_.find(key); }
  void prefetch(Key key) const { cells_.prefetch(key); }
  Cell::Told told(Key key, Week now, double expected, Strength strength) const {
    const Cell* cell = cells_.find(key);
    return cell ? cell->told(now, expected, strength) : Cell::stranger(expected, strength);
  }
  double shift(Key key, Week now, Strength strength) const {
    const Cell* cell = cells_.find(key);
    return cell ? cell->shift(now, strength) : 0;
  }
  /// What leaves a full table stays counted in the groups above it, each of which counted it too.
  Cell& at(Key key, Week now) {
    return cells_.at(key, [now](const Cell& cell) { return kSlow.of(cell.slow.n, now - cell.week); });
  }
  void uncount(Key key, Week now, Week then, const Cell::Counting& counting, double expected) {
    if (Cell* cell = cells_.find(key)) cell->uncount(now, then, counting, expected);
  }
  std::size_t size() const { return cells_.size(); }
  std::size_t bytes() const { return cells_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  Table<Cell> cells_;
};

}  // namespace tideover::estimators
