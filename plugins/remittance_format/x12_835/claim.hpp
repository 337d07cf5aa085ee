// A claim of an 835 during reading, and its inconsistencies.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tideover/remittance_format.hpp"
#include "x12/elements.hpp"
#include "x12/segments.hpp"

namespace x12_835 {

using x12::fault_at;
using x12::message_at;
using x12::Position;
using x12::printable;
using x12::Segment;
using x12::trim;

struct Line {
  Position position;  // of its SVC
  tideover_remittance_line lent{};
  std::string modifier;
  std::string submitted_modifier;
  std::vector<tideover_adjustment> adjustments;
  int date_rank = 0;  // of lent.date_of_service; 0 = none
};

struct Claim {
  Position position;  // of its CLP
  tideover_remittance_claim lent{};
  std::vector<tideover_adjustment> adjustments;
  std::vector<Line> lines;
  int date_rank = 0;
};

/// The priority of a DTM01 as service date: 1 is best, 0 is not a service date.
int service_date_rank(std::string_view dtm01);
/// A claim without a date uses the dates of its lines.
void date_by_lines(Claim& claim);

struct PaymentDates {
  tideover_date today;
  tideover_date paid;  // none when unknown
};
using Warn = std::function<void(const Position&, const std::string&)>;
/// Checks the sums of an 835 (charge less adjustments is the payment, on each line and on the claim), reversals that
/// add money, and future dates.
void doubt(const Claim& claim, const PaymentDates& dates, const Warn& warn);

}  // namespace x12_835
