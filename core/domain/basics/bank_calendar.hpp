// The banking days of the Federal Reserve: Monday to Friday without its holidays. A holiday on a Saturday is not moved
// (Friday stays open); one on a Sunday is observed on Monday (core/docs/contract.md#rails).
#pragma once
#include "core/domain/basics/date.hpp"

namespace tideover::domain {

bool is_bank_holiday(Date date);
bool is_banking_day(Date date);
/// `date` when it is a banking day, otherwise the next one.
Date banking_day_on_or_after(Date date);
Date next_banking_day(Date date);

}  // namespace tideover::domain
