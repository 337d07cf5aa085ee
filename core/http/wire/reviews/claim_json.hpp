// Claims as JSON: the review request, the status record and the rollup. Only the wire format spells it `payor`.
#pragma once
#include <string>
#include <vector>

#include "core/domain/claims/claim_input.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/http/wire/basics/cursor.hpp"
#include "core/http/wire/basics/object_reader.hpp"
#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/claims/update_claim_status.hpp"

namespace tideover::wire {

/// The fields of a claim in an object that may have others.
domain::ClaimInput read_claim(ObjectReader& in, Faults& faults);
domain::ClaimInput decode_claim(const json::Value& body, Faults& faults);
/// `reason_codes`: the catalogue.
usecases::StatusUpdate decode_status_update(const json::Value& body, Faults& faults,
                                            const std::vector<domain::ReasonCode>& reason_codes);
std::string encode_status(const domain::ClaimStatusRecord& record);
/// The status records of claims, with payer, amount and time of creation.
std::string encode_claims(const std::vector<usecases::ClaimSummary>& claims, const PageFrame& page);
/// The position of a page is a version.
std::string encode_status_history(const std::vector<domain::ClaimStatusRecord>& records, const PageFrame& page);
/// `is_simulated`: the rail of its adjudication does not move money.
std::string encode_rollup(const usecases::ClaimRollup& rollup, bool is_simulated);

}  // namespace tideover::wire
