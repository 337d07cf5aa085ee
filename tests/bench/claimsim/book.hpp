// A book's claims and remittances as the product sees them, read whole. Throws std::runtime_error with file and line.
#pragma once
#include <filesystem>
#include <vector>

#include "core/domain/claims/claim.hpp"
#include "core/estimators/basics/response.hpp"
#include "core/estimators/basics/submission.hpp"

namespace tideover::claimsim {

/// One claim, as rules and as estimators read it.
struct BookClaim {
  domain::ClaimDraft draft;
  estimators::Submission submission;
};

std::vector<BookClaim> read_book(const std::filesystem::path& book);
std::vector<estimators::Response> read_responses(const std::filesystem::path& book);

}  // namespace tideover::claimsim
