// Payouts of a residual: the answer to who asked for one, and how those of a settlement stand
// (core/docs/contract.md#allocation).
#pragma once
#include <string>
#include <vector>

#include "core/domain/funding/disbursement.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// Only what never changes again, so that saying it twice gives the same bytes.
std::string encode_payout(const domain::DisbursementAttempt& payout, bool is_simulated);
/// The member `payouts`.
void put_payouts(json::Writer& out, const std::vector<domain::DisbursementAttempt>& payouts);

}  // namespace tideover::wire
