// Denials of one group of claims or lines, held against what was expected of them without this group. Counting against an expectation
// keeps apart what belongs to a payer, a procedure or a provider: one who bills hard payers only is not taken for a bad biller.
// Memories: a slow one, a fast one that is shrunk towards it and follows a change within weeks, and the last dozen. Integers only.
#pragma once
#include <array>
#include <cstdint>

#include "core/estimators/key.hpp"
#include "core/estimators/table.hpp"
#include "core/estimators/week.hpp"

namespace tideover::estimators {

/// One claim in fixed point.
inline constexpr std::uint32_t kOneClaim = 4096;

/// Pseudo-claims by which a cell is drawn to its expectation, and its fast memory to its slow one; and how likely it is, before its first claim,
/// that the group is one of those that are refused as a rule (a policy against a procedure, a lapsed coverage, a provider who is not enrolled): few
/// refusals in a row then say more than their number would.
struct Strength {
  double slow = 20;
  double fast = 30;
  double refused_as_a_rule = 0;
};

struct Counted {
  std::uint32_t n = 0;  // claims x kOneClaim
  std::uint32_t d = 0;  // denied
  std::uint32_t e = 0;  // expected to be denied, without this cell
};

struct Cell {
  Week week = 0;  // that the counts are decayed to
  Counted slow, fast;
  Counted lately;  // the last dozen or so, however long that took
  std::array<std::uint16_t, 4> carcs{};   // packed; Misra-Gries
  std::array<std::uint16_t, 4> counts{};

  /// `expected`: P(denied) without this cell.
  void count(Week now, bool denied, double expected, std::uint16_t carc);
  /// Takes back what was counted in week `then`.
  void uncount(Week now, Week then, bool denied, double expected);

  double claims(Week now) const { return kSlow.of(slow.n, now - week) * (1.0 / kOneClaim); }
  /// Log odds that this cell adds to what is expected of its claims; `refused`: of them, those of a refusal as a rule.
  struct Shift {
    double all = 0, refused = 0;
  };
  Shift shift(Week now, Strength strength) const;
  /// Share denied: the cell's own, drawn towards what was expected of it.
  double rate(Week now, double strength) const;
  /// Of most of its denials; 0 without one.
  std::uint16_t top_carc() const;

  void put_into(Digest& digest) const;

 private:
  void decay(Week now);
  double gradual_shift(Week now, Strength strength) const;
};

class Cells {
 public:
  explicit Cells(std::size_t most) : cells_(most) {}

  const Cell* find(Key key) const { return cells_.find(key); }
  Cell::Shift shift(Key key, Week now, Strength strength) const {
    const Cell* cell = cells_.find(key);
    return cell ? cell->shift(now, strength) : Cell::Shift{};
  }
  /// What leaves a full table stays counted in the groups above it, each of which counted it too.
  Cell& at(Key key, Week now) {
    return cells_.at(key, [now](const Cell& cell) { return kSlow.of(cell.slow.n, now - cell.week); });
  }
  void uncount(Key key, Week now, Week then, bool denied, double expected) {
    if (Cell* cell = cells_.find(key)) cell->uncount(now, then, denied, expected);
  }
  std::size_t size() const { return cells_.size(); }
  void put_into(Digest& digest) const;

 private:
  Table<Cell> cells_;
};

}  // namespace tideover::estimators
