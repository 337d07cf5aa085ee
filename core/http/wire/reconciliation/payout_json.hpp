// Payouts of a residual: the response to a payout request and the payouts of a settlement
// (core/docs/contract.md#allocation). Pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/domain/funding/disbursement.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// Only members that never change, so that a repeated request returns the same bytes.
std::string encode_payout(const domain::DisbursementAttempt& payout, bool is_simulated);
/// The member `payouts`.
void put_payouts(json::Writer& out, const std::vector<domain::DisbursementAttempt>& payouts);

}  // namespace tideover::wire
