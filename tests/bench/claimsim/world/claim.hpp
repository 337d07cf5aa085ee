// One simulated claim: what is written into the book, and beside it which rules it breaks.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"

namespace tideover::claimsim {

inline constexpr std::size_t kMostLines = 6;

enum class LineFault {
  none,
  bundled_hard,
  bundled_soft,
  bundled_excused,
  units,
  addon_alone,
  modifier_unknown,
  distinct_visit_unmarked
};

struct Line {
  int code = 0;
  std::string modifiers;  // "25:59"
  int units = 1;
  std::int64_t amount = 0;
  LineFault fault = LineFault::none;
  bool authorization_listed = false;
};

struct Claim {
  std::string id;
  domain::Date submitted;
  domain::Date service;  // the true day
  bool service_stated = true;
  int payer = 0, provider = 0, chart = 0;
  std::string billing_npi, servicer_npi;
  std::vector<Line> lines;
  std::int64_t amount = 0;  // as submitted
  std::string diagnosis_codes, place_of_service;
  bool extras_stated = true;
  std::optional<bool> authorized;  // as stated
  char frequency = '1';
  bool npi_broken = false, service_in_future = false, unbalanced = false, outlier = false;
  bool duplicate = false;  // of an earlier claim, and not marked as a replacement
  bool replaces = false;   // the same, marked

  int lag_days() const { return days_between(service, submitted); }
};

/// What had been answered about a chart before a claim was submitted.
struct ChartMemory {
  std::optional<domain::Date> eligibility_denied;  // last one
  int eligibility_payer = -1;
  std::optional<domain::Date> paid;  // last one
  int paid_by = -1;
};

enum class Family {
  format,
  eligibility,
  duplicate,
  timely,
  coding,
  authorization,
  necessity,
  coverage,
  coordination,
  provider
};

struct Reason {
  const char* group;  // CAS group
  const char* carc;
  Family family;
};

/// One independent cause of a denial.
struct Cause {
  double probability;
  Reason reason;
};

struct Odds {
  double silent = 0;                                 // no answer ever
  std::vector<Cause> claim;                          // deny all lines
  std::array<std::vector<Cause>, kMostLines> lines;  // deny one
};

}  // namespace tideover::claimsim
