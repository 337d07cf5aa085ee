// The candidates of the matching steps and their verdicts (core/docs/contract.md#matching, ?explain=true).
#pragma once
#include <vector>

#include "core/domain/reconciliation/match.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// `explain`: one entry per step and candidate.
void put_trail(json::Writer& out, const std::vector<domain::MatchCandidate>& trail);
/// `matched_to`: the objects that this deposit or remittance was matched to, from its trail.
void put_matches(json::Writer& out, const std::string& object, const std::vector<domain::MatchCandidate>& trail);

}  // namespace tideover::wire
