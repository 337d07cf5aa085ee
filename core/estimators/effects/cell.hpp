// Denials of one group of claims or lines for one cause, compared with the number that was expected without this group.
// The comparison separates payers, procedures and providers: a provider that bills strict payers does not look worse
// for it. Three memories: a slow one, a fast one that is shrunk towards it and follows a change within weeks, and the
// probability of a policy against the group.
#pragma once
#include <array>
#include <cstdint>

#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/table.hpp"
#include "core/estimators/basics/week.hpp"

namespace tideover::estimators {

/// One claim in fixed point.
inline constexpr std::uint32_t kOneClaim = 4096;

/// The pseudo-denials by which a cell is shrunk towards its expectation, and its fast memory towards its slow one: the
/// rarer denials are, the more claims it takes. `refused_as_a_rule` is the share of groups with a policy against them
/// (a procedure, a lapsed coverage, a provider that is not enrolled). A few denials in a row then mean more than their
/// number.
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

/// What an answer says about a cause. After a denial for another cause, this one was hardly observable.
struct Seen {
  bool denied = false;
  double claims = 1;   // claims that showed whether this cause applies
  double denials = 0;  // of them, for this cause
  double weight = 1;   // of the whole observation
  double clear = 1;    // P(no policy against a narrower group explains it)
};

struct Cell {
  Week week = 0;  // the counts are decayed to this week
  Counted slow, fast;
  std::array<float, kWaysToRefuse> refused{};  // P(policy) per kind, from seldom to mostly denied
  std::array<std::uint16_t, 4> carcs{};        // packed; Misra-Gries
  std::array<std::uint16_t, 4> counts{};

  /// The counts of one answer, for its reversal.
  struct Counting {
    float claims = 0, denials = 0;
    std::array<float, kWaysToRefuse> likelihood{1, 1, 1};  // of the answer with such a policy, relative to without one
    float refused = 0;                                     // P(policy) after the answer
  };
  /// `expected`: P(denied for this cause) without this cell.
  Counting count(Week now, const Seen& seen, double expected, std::uint16_t carc, Strength strength);
  void count(Week now, bool denied, double expected, std::uint16_t carc) {
    (void)count(now, {denied, 1, denied ? 1.0 : 0.0}, expected, carc, {});
  }
  /// Reverses the counts of week `then`.
  void uncount(Week now, Week then, const Counting& counting, double expected);

  double claims(Week now) const { return kSlow.of(slow.n, now - week) * (1.0 / kOneClaim); }
  /// P(denied for this cause) with this cell.
  struct Estimate {
    double usual = 0;  // without a policy
    double all = 0;
    double refused = 0;  // P(policy)
  };
  Estimate estimate(Week now, double expected, Strength strength) const;
  /// Log odds that this cell adds, for a cell without policies.
  double shift(Week now, Strength strength) const;
  /// The cell's share denied, shrunk towards its expectation.
  double rate(Week now, double strength) const;
  /// The most frequent code of its denials; 0 without one.
  std::uint16_t top_carc() const;

  /// The estimate for a group without a cell.
  static Estimate without_cell(double expected, Strength strength);
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
  Cell::Estimate estimate(Key key, Week now, double expected, Strength strength) const {
    const Cell* cell = cells_.find(key);
    return cell ? cell->estimate(now, expected, strength) : Cell::without_cell(expected, strength);
  }
  double shift(Key key, Week now, Strength strength) const {
    const Cell* cell = cells_.find(key);
    return cell ? cell->shift(now, strength) : 0;
  }
  /// A group that is dropped from a full table stays counted in the wider groups, each of which counted it as well.
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
