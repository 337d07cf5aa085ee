// A claim of an 835 as its segments build it, and what it says against itself.
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
using x12::same_control_number;
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

/// How well a DTM01 says when a service was rendered: 1 is best, 0 says nothing of it.
int service_date_rank(std::string_view dtm01);
/// The dates of its lines count for a claim that has none of its own.
void date_by_lines(Claim& claim);

struct PaymentDates {
  tideover_date today;
  tideover_date paid;  // none when unknown
};
using Warn = std::function<void(const Position&, const std::string&)>;
/// The sums that an 835 promises (charge less adjustments is payment, on each line and on the claim), reversals that
/// add money, and dates that lie in the future.
void doubt(const Claim& claim, const PaymentDates& dates, const Warn& warn);

}  // namespace x12_835
