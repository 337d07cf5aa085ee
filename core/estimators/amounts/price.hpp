// Predicts allowed amounts from what payers allowed before: the most frequent unit price per payer, provider, procedure
// and pricing modifiers within a fee period; the payer's step from one period to the next; shares of the charge; and
// multiples of the Medicare fee per section of the procedure book. The sources compete: each has a record, per payer,
// of how often it was within 1 %. The result is the lesser of price and charge. Integers only.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"
#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/submission.hpp"
#include "core/estimators/basics/table.hpp"

namespace tideover::estimators {

/// The source of an allowed amount, in the order of prior trust.
enum class PriceSource {
  site_price,  // this payer, provider and facility allowed it in this fee period
  provider_price,
  payer_price,
  site_step,  // of an earlier period, times the payer's step
  provider_step,
  payer_step,
  code_share,  // of the charge, for this procedure
  provider_share,
  payer_share,
  site_fee,  // an earlier price, moved as the Medicare fee of the procedure moved
  provider_fee,
  payer_fee,
  site_multiple,  // of the Medicare fee, at this facility
  provider_multiple,
  payer_multiple,
  mean_share,  // average of the charge: payer and code, payer, class, all
};
inline constexpr int kPriceSources = 16;
std::string_view name_of(PriceSource source);

struct LinePrice {
  domain::Money allowed;
  PriceSource source = PriceSource::mean_share;
  int certainty_bps = 0;  // P(within 1 % of the allowed amount), by the source's record
};

/// A service line in the form for prices.
struct PricedLine {
  Key code = 0;       // procedure; 0 for a claim without lines
  Key modifiers = 0;  // only those that change the price
  std::int64_t units_milli = 1000;
  std::int64_t charge = 0;  // cents
  std::int64_t fee = 0;     // cents; 0 = unknown
  Section section = Section::other;
};
/// Modifiers that change a price (26, TC, 50, 80 ...), in any order.
Key pricing_modifiers(std::string_view modifiers);

struct PricedClaim {
  Key payer = 0, billing = 0, facility = 0;
  PayerClass payer_class = PayerClass::unknown;
  int period = 0;  // quarter of the day of service
  std::vector<PricedLine> lines;
};
/// Quarters since year 0.
int fee_period_of(domain::Date date);

class Prices {
 public:
  /// `most`: the number of unit prices that are kept.
  explicit Prices(std::size_t most);

  /// One per line. `prices` is reused.
  void price(const PricedClaim& claim, std::vector<LinePrice>& prices) const;
  /// Prefetches the entries for price().
  void prefetch(const PricedClaim& claim) const;
  /// Learns from a clean answer. `allowed` in cents per line; negative: nothing is learned from the line.
  void learn(const PricedClaim& claim, const std::vector<std::int64_t>& allowed);

  std::size_t bytes() const {
    return entries_.bytes() + steps_.bytes() + shares_.bytes() + multiples_.bytes() + sums_.bytes() + records_.bytes() +
           reduced_.bytes();
  }
  void put_into(Digest& digest) const;

 private:
  struct Slot {
    std::int32_t unit_cents = 0;
    std::uint16_t first = 0, later = 0;  // hits x 256, decayed per hit: as the claim's leading line, as a further one
  };
  struct Entry {
    std::int16_t period = 0, earlier_period = 0;
    std::int32_t earlier_unit_cents = 0;
    std::int32_t unit_fee_cents = 0;  // the Medicare fee when the price was last observed; 0: unknown
    std::array<Slot, 4> slots{};
    bool empty() const { return slots[0].first == 0 && slots[0].later == 0; }
  };
  /// The most frequent ratios of a stream, in basis points.
  struct Ratios {
    std::array<std::int32_t, 6> bps{};
    std::array<std::uint16_t, 6> hits{};
    void observe(std::int64_t value, std::int64_t tolerance);
    std::uint32_t total() const;
    int top() const;
    std::int32_t median() const;
  };
  struct Sums {
    std::int64_t allowed = 0, charge = 0;  // cents, halved when large
    void add(std::int64_t more_allowed, std::int64_t more_charge);
  };
  struct Record {
    std::uint16_t tried = 0, met = 0;
    void add(bool hit);
  };
  /// The record of a payer, by source and standing.
  struct Trust {
    std::array<std::array<Record, 4>, kPriceSources> of{};
  };
  struct Candidate {
    PriceSource source = PriceSource::mean_share;
    int standing = 0;  // 0 to 3: the kind of evidence behind it
    std::int64_t cents = 0;
  };
  /// Of one line; each at most its charge.
  struct Candidates {
    std::array<Candidate, 16> all;
    std::size_t count = 0;
    std::int64_t charge = 0;
    void add(PriceSource source, int standing, std::int64_t cents);
  };
  static constexpr std::uint16_t kHit = 256;  // what one observation adds

  /// A quotient of numbers that are not negative, rounded half up.
  static std::int64_t rounded(std::int64_t numerator, std::int64_t denominator) {
    return (2 * numerator + denominator) / (2 * denominator);
  }

  /// Each with and without the section: contracts distinguish sections, other prices do not.
  static std::array<std::array<Key, 2>, 3> multiple_keys(const PricedClaim& claim, const PricedLine& line);
  static std::array<std::array<Key, 2>, 3> share_keys(const PricedClaim& claim, const PricedLine& line);
  std::array<Key, 3> price_keys(const PricedClaim& claim, const PricedLine& line) const;
  static std::array<Key, 3> mean_keys(const PricedClaim& claim, const PricedLine& line);
  static Key reduction_key(Key payer);

  // price_candidates.cpp
  void candidates(const PricedClaim& claim, const PricedLine& line, bool later, Candidates& found) const;
  void add_remembered(const PricedClaim& claim, const PricedLine& line, bool later, const Entry& entry,
                      std::size_t level, Candidates& found) const;
  double reduced(const PricedClaim& claim, const PricedLine& line, double cents) const;
  void add_ratios(const PricedClaim& claim, const PricedLine& line, Candidates& found) const;
  void add_mean(const PricedClaim& claim, const PricedLine& line, Candidates& found) const;

  const Candidate& best(const PricedClaim& claim, const Candidates& found, int& certainty_bps) const;
  static double trust(const Trust* all, const Trust* own, const Candidate& candidate);
  std::vector<bool> further_lines(const PricedClaim& claim, const std::vector<std::int64_t>& alone) const;
  double step(Key payer, int from_period, int to_period) const;
  void grade_sources(const PricedClaim& claim, const Candidates& found, std::int64_t amount);
  void learn_reduction(const PricedClaim& claim, const PricedLine& line, std::int64_t amount, std::int64_t alone);
  void learn_price(const PricedClaim& claim, const PricedLine& line, bool later, std::int64_t amount, bool capped);
  void learn_ratios(const PricedClaim& claim, const PricedLine& line, std::int64_t amount, bool capped);
  void observe(Entry& entry, const PricedClaim& claim, const PricedLine& line, bool later, std::int64_t allowed,
               bool tells_step);

  Table<Entry> entries_;
  Table<Ratios> steps_;      // payer, period
  Table<Ratios> shares_;     // of the charge
  Table<Ratios> multiples_;  // of the Medicare fee; for a further line, of the leading line's price
  Table<Sums> sums_;
  Table<Trust> records_;   // per payer, and for all together
  Table<Record> reduced_;  // how often a procedure, or a payer, is reduced as a further line
};

}  // namespace tideover::estimators
