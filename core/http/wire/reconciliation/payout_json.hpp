// Payouts as JSON: the answer to a request for one, and the payouts of a settlement or practice
// (core/docs/contract.md#allocation).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/domain/funding/disbursement.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// Whether the rail moves no money.
using IsSimulated = std::function<bool(const std::string& rail)>;

/// Only members that never change, so that a repeated answer has the same bytes.
std::string encode_payout(const domain::DisbursementAttempt& payout, bool is_simulated);
/// Writes the members of a payout as it stands.
void put_payout(json::Writer& out, const domain::DisbursementAttempt& payout, bool is_simulated);
/// Writes the member `payouts`.
void put_payouts(json::Writer& out, const std::vector<domain::DisbursementAttempt>& payouts,
                 const IsSimulated& is_simulated);

}  // namespace tideover::wire
