// What earlier claims and their remittances say about a claim under review. The estimators fill it with what was known
// on the day of the review, and rules read it. The defaults mean that nothing is known.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/money.hpp"

namespace tideover::domain {

/// First responses of one group of claims or lines.
struct ResponseRate {
  int responses = 0;       // rounded; older ones count less
  int denied_bps = 0;      // shrunk towards the group above
  int denied_low_bps = 0;  // lower end of the 90 % interval
  std::string top_code;    // CARC of most of its denials; empty without one
};

struct LineHistory {
  ResponseRate payer_code;              // this payer and this procedure
  std::optional<Money> unusual_charge;  // 99.5 % of what this provider charged for the procedure was at most this
  std::optional<Money> medicare_fee;    // of the loaded fee schedule, for all units
};

struct ClaimHistory {
  ResponseRate payer;
  int pair_responses = 0;  // billing and servicing NPI together at this payer
  int pair_paid = 0;
  std::string chart_last_paid_payer;        // the payer that paid this chart last; empty: none has
  std::optional<int> chart_last_paid_days;  // ago
  int chart_eligibility_denials = 0;        // same chart and payer, in 180 days, none paid since
  int likely_duplicates = 0;      // same chart, payer, amount, and day of service (or within 45 days without one)
  int distinct_modifier_bps = 0;  // share of this provider's pairs with 59 or X{EPSU}
  std::optional<int> distinct_modifier_usual_bps;  // 95 % of the payer's providers have at most this
  bool chart_seen_by_servicer = false;             // a paid visit in three years
  std::optional<int> days_since_surgery;           // last procedure with a global period, same servicing NPI and chart
  int surgery_global_days = 0;                     // of that procedure: 10 or 90
  std::vector<LineHistory> lines;                  // one per service line, or none at all
};

}  // namespace tideover::domain
