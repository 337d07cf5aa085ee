// The candidates that matching considered (core/docs/contract.md#matching, ?explain=true). Pure functions.
#pragma once
#include <vector>

#include "core/domain/reconciliation/match.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// `explain`: one entry per step and candidate.
void put_trail(json::Writer& out, const std::vector<domain::MatchCandidate>& trail);
/// `matched_to`: the remittances or deposits to which `object` is matched, from its trail.
void put_matches(json::Writer& out, const std::string& object, const std::vector<domain::MatchCandidate>& trail);

}  // namespace tideover::wire
