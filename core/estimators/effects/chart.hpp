// What is known about a patient's chart, by keyed digest only: the payer that paid it last, eligibility denials,
// visits, surgeries, and similar claims. Entries are removed after their time to live.
#pragma once
#include <cstdint>
#include <optional>

#include "core/domain/basics/date.hpp"
#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/label.hpp"
#include "core/estimators/basics/submission.hpp"
#include "core/estimators/basics/table.hpp"

namespace tideover::estimators {

/// Days since 1970, or never.
inline constexpr std::int32_t kNever = -1'000'000;
/// Global period of a large surgery.
inline constexpr int kLargeSurgeryDays = 90;

/// One chart at one payer.
struct ChartAtPayer {
  std::int32_t answered = kNever;  // last answer
  std::int32_t paid = kNever;
  std::int32_t refused = kNever;         // last denial
  std::int32_t not_eligible = kNever;    // last denial for eligibility
  std::uint8_t eligibility_denials = 0;  // since the last payment
  std::uint8_t refused_group = 0;        // CarcGroup of the last denial
  std::int32_t first_answer = kNever;    // last first response to a claim
  std::uint8_t refusals_in_a_row = 0;    // of first responses; a reworked and paid claim does not end them
  std::uint8_t share_class = 0;          // PatientShares::chart_class of the last paid claim
  std::int16_t share_year = 0;           // the year of share_class
  std::uint32_t answers = 0;             // in all
};

struct Chart {
  std::int32_t paid = kNever;
  std::uint32_t payer = 0;  // index + 1 of the payer that paid it
};

/// One chart at one servicing provider.
struct Visits {
  std::int32_t paid = kNever;   // day of service of the last paid visit
  std::int32_t large = kNever;  // last procedure with a global period of 90 days
  std::int32_t small = kNever;  // the same with fewer days; the two may end in any order
  std::int16_t small_days = 0;
};

/// Keeps the first claim beside the latest, so that a claim that is reviewed again finds another one than itself.
struct LookAlikes {
  std::int32_t day = kNever, first_day = kNever;  // submitted
  Key claim = 0, first = 0;                       // the latest, and the first
  std::uint16_t count = 0;                        // of different claims, including this one
};

/// A similar claim, and how many there are.
struct LookAlike {
  Key claim = 0;
  int count = 0;
};

/// The state before an answer, so that its reversal can restore it.
struct ChartChange {
  ChartAtPayer before;
  Chart whole_before;
  std::int32_t visit_before = kNever;
  std::uint32_t answers = 0;  // of the chart at the payer, including this one; 0: nothing changed
};

class Charts {
 public:
  Charts(std::size_t most_charts, std::size_t most_look_alikes)
      : charts_(most_charts),
        at_payers_(most_charts),
        visits_(most_charts),
        look_alikes_(most_look_alikes, kFullestLookAlikes) {}

  /// Prefetches the entries of a chart.
  void prefetch(Key chart, Key payer) const {
    charts_.prefetch(chart);
    at_payers_.prefetch(joined(chart, payer));
  }
  const Chart* chart(Key chart) const { return chart ? charts_.find(chart) : nullptr; }
  const ChartAtPayer* at_payer(Key chart, Key payer) const {
    return chart ? at_payers_.find(joined(chart, payer)) : nullptr;
  }
  const Visits* visits(Key chart, Key servicer) const {
    return chart ? visits_.find(joined(chart, servicer)) : nullptr;
  }

  /// Earlier claims like this one: same chart, payer and amount, and the same day of service, or without one within 45
  /// days. `exact`: with the same provider and lines.
  std::optional<LookAlike> like(const Submission& claim, bool exact) const;

  void submitted(const Submission& claim);
  ChartChange answered(Key chart, Key payer, std::uint32_t payer_index, Key servicer, domain::Date day,
                       domain::Date serviced, const Label& label, bool first_response, int share_class);
  /// Reverses the change of an answer. When the payer has answered about the chart since, its newer state stays.
  void take_back(Key chart, Key payer, Key servicer, const ChartChange& change);
  void forget(domain::Date today, int days_to_live);

  std::size_t size() const { return charts_.size() + at_payers_.size() + visits_.size() + look_alikes_.size(); }
  std::size_t bytes() const { return charts_.bytes() + at_payers_.bytes() + visits_.bytes() + look_alikes_.bytes(); }
  void put_into(Digest& digest) const;

 private:
  static constexpr std::size_t kFullestLookAlikes = 5;
  Table<Chart> charts_;
  Table<ChartAtPayer> at_payers_;
  Table<Visits> visits_;
  Table<LookAlikes> look_alikes_;  // by far the largest; its limit is just below five eighths of a power of two
};

}  // namespace tideover::estimators
