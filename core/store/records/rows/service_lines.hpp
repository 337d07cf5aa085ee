// The billed lines of a claim in one column, with further data that a client may have sent.
#pragma once
#include <string>
#include <vector>

#include "core/domain/claims/claim.hpp"

namespace tideover::store {

std::string service_lines_column(const std::vector<domain::ServiceLine>& lines);
std::vector<domain::ServiceLine> service_lines_of(const std::string& column);

/// A claim without details is stored as its lines only.
std::string claim_content_column(const std::vector<domain::ServiceLine>& lines, const domain::ClaimDetails& details);
void read_claim_content(const std::string& column, domain::ClaimDraft& draft);

}  // namespace tideover::store
