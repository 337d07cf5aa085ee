// A claim in the form for the estimators, on the day of its review.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/reviews/fired_rule.hpp"
#include "core/domain/reviews/review.hpp"
#include "core/estimators/basics/section.hpp"

namespace tideover::estimators {

enum class PayerClass { commercial, medicare, medicaid, exchange, workers_comp, unknown };
inline constexpr int kPayerClasses = 6;

struct SubmittedLine {
  std::string code;       // CPT or HCPCS, else the revenue code; empty is not a line
  std::string modifiers;  // normal form "25:59"
  std::int64_t units_milli = 1000;
  domain::Money amount;                     // charge of the line
  std::optional<domain::Money> fee;         // Medicare fee for all units, of the loaded schedule
  int global_days = 0;                      // of a surgery: 10 or 90
  std::optional<Section> section;           // of the procedure book; nullopt: by the code's number
  std::optional<domain::Money> contract{};  // what the payer's contract allows for all units
};

using domain::FiredRule;

/// The forecast of the claim's review: the record combined with published rates, limits and rules.
struct Stated {
  domain::Forecast forecast;
  domain::CashOdds cash;  // of forecast.expected
};

struct Submission {
  std::string claim_id;
  domain::Date submitted;
  domain::Date reviewed;  // the state of this day is used
  std::string payer_id;
  PayerClass payer_class = PayerClass::unknown;
  std::string billing_npi;
  std::string servicer_npi;
  std::string facility;
  std::uint64_t chart = 0;  // keyed digest of the chart; 0 = none
  std::optional<domain::Date> date_of_service;
  domain::Money amount;
  int timely_filing_days = 365;
  std::optional<bool> prior_authorization;
  std::vector<SubmittedLine> lines;
  std::vector<FiredRule> fired;
  std::optional<Stated> stated;  // is graded; nullopt: nothing was stated, and the record's own prediction is graded

  domain::Date serviced() const { return date_of_service.value_or(submitted); }
};

}  // namespace tideover::estimators
