// The fee steps of an advance in one column: "0:1280,31:1920", days and cents. Empty: none.
#pragma once
#include <charconv>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/domain/funding/terms.hpp"

namespace tideover::store {

inline std::string fee_steps_column(const std::vector<domain::FeeStep>& steps) {
  std::string column;
  for (const auto& step : steps)
    column += (column.empty() ? "" : ",") + std::to_string(step.from_day) + ':' + std::to_string(step.fee.cents());
  return column;
}

inline std::vector<domain::FeeStep> fee_steps_of(const std::string& column) {
  std::vector<domain::FeeStep> steps;
  const char* at = column.data();
  const char* const end = at + column.size();
  while (at != end) {
    domain::FeeStep step;
    std::int64_t cents = 0;
    const auto day = std::from_chars(at, end, step.from_day);
    const bool has_fee = day.ec == std::errc() && day.ptr != end && *day.ptr == ':';
    const auto fee =
        has_fee ? std::from_chars(day.ptr + 1, end, cents) : std::from_chars_result{at, std::errc::invalid_argument};
    if (fee.ec != std::errc() || (fee.ptr != end && *fee.ptr != ','))
      throw std::runtime_error("a stored settlement has unreadable fee steps");
    step.fee = domain::Money::cents(cents);
    steps.push_back(step);
    at = fee.ptr == end ? end : fee.ptr + 1;
  }
  return steps;
}

}  // namespace tideover::store
