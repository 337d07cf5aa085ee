// The billed lines of a claim in one column, with further data that a client may have sent.
#pragma once
#include <string>
#include <vector>

#include "core/domain/claims/claim.hpp"
#include "core/domain/funding/settlement.hpp"

namespace tideover::store {

/// Lines and statement period of what an advance was made on.
std::string billed_column(const domain::BilledClaim& billed);
void read_billed(const std::string& column, domain::BilledClaim& billed);

/// A claim without details is stored as its lines only.
std::string claim_content_column(const std::vector<domain::ServiceLine>& lines, const domain::ClaimDetails& details);
void read_claim_content(const std::string& column, domain::ClaimDraft& draft);

}  // namespace tideover::store
