// Draws what becomes of one claim and writes it down as the payer's 835 would tell it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/claimsim/world/oracle.hpp"

namespace tideover::claimsim {

/// One row of remits.csv and what it means to those who remember the chart.
struct Answer {
  domain::Date responded;
  std::string row;
  bool paid = false, eligibility_denial = false;
};

struct Adjudication {
  std::vector<Answer> answers;  // none: the payer stays silent
  bool answered = false, denied = false, partly_denied = false, paid_first = false, taken_back = false;
  std::int64_t allowed = 0;  // had it been clean
  std::int64_t cash_90 = 0;
  std::optional<domain::Date> first_posted;
};

Adjudication adjudicate(const World& world, const Claim& claim, const Odds& odds, const Timing& timing,
                        const ReworkLag& rework, const Calendar& calendar, Random random);

}  // namespace tideover::claimsim
