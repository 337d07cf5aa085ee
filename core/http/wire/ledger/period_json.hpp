// Closed periods of the ledger as JSON.
#pragma once
#include <string>
#include <vector>

#include "core/domain/ledger/period.hpp"

namespace tideover::wire {

std::string encode_period(const domain::LedgerPeriod& period);
/// The answer to a reopened period.
std::string encode_reopened(const domain::LedgerPeriod& period);
std::string encode_periods(const std::vector<domain::LedgerPeriod>& periods);

}  // namespace tideover::wire
