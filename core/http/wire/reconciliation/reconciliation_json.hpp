// The reconciliation of a settlement and its records (openapi.yaml: Reconciliation record;
// core/docs/contract.md#reconciliation). Pure functions.
#pragma once
#include <string>

#include "core/domain/reconciliation/match.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/http/wire/reconciliation/payout_json.hpp"

namespace tideover::wire {

void put_records(json::Writer& out, const std::vector<domain::ReconciliationRecord>& records);
/// `trail`: only with ?explain=true, else nullptr.
std::string encode_reconciliation(const domain::Reconciliation& whole, const IsSimulated& is_simulated,
                                  const std::vector<domain::MatchCandidate>* trail = nullptr);

}  // namespace tideover::wire
