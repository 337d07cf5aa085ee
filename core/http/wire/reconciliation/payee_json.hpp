// A practice, its account and its payouts as JSON (openapi.yaml: Payee, PracticePayout).
#pragma once
#include <string>
#include <vector>

#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/http/wire/reconciliation/payout_json.hpp"
#include "core/usecases/payouts/payees.hpp"

namespace tideover::wire {

std::string encode_payee(const usecases::PayeeView& payee);
usecases::NewPayeeAccount decode_payee_account(const json::Value& body, Faults& faults);
std::string encode_practice_payouts(const std::vector<domain::DisbursementAttempt>& payouts, const PageFrame& page,
                                    const IsSimulated& is_simulated);
/// `limit`: of its payables; `payout` may have one more.
std::string encode_practice_payout(const usecases::PayoutView& payout, const PageFrame& page, bool is_simulated);

}  // namespace tideover::wire
