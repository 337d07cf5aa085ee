// The Federal Reserve's banking days, by rule: Monday to Friday minus its holidays. A holiday on a Saturday is not
// moved (Friday stays open); one on a Sunday is kept on Monday (core/docs/contract.md#rails).
#pragma once
#include "core/domain/basics/date.hpp"

namespace tideover::domain {

bool is_bank_holiday(Date date);
bool is_banking_day(Date date);
/// `date` itself when it is a banking day, else the first one after it.
Date banking_day_on_or_after(Date date);
Date next_banking_day(Date date);

}  // namespace tideover::domain
