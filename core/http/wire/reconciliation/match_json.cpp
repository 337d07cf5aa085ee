#include "core/http/wire/reconciliation/match_json.hpp"

#include <algorithm>

namespace tideover::wire {

void put_trail(json::Writer& out, const std::vector<domain::MatchCandidate>& trail) {
  out.key("explain").begin_array();
  for (const auto& seen : trail) {
    out.begin_object();
    out.key("subject_id").string(seen.subject);
    if (seen.claim) out.key("claim_index").number(*seen.claim);
    out.key("step").string(name_of(seen.step));
    if (!seen.candidate.empty()) out.key("candidate_id").string(seen.candidate);
    out.key("verdict").string(name_of(seen.verdict));
    out.key("reasons").begin_array();
    for (const auto& reason : seen.reasons) out.string(reason);
    out.end_array();
    out.key("at").string(format_timestamp(seen.at));
    out.end_object();
  }
  out.end_array();
}

void put_matches(json::Writer& out, const std::string& object, const std::vector<domain::MatchCandidate>& trail) {
  const auto other_of = [&](const domain::MatchCandidate& seen) {
    return seen.subject == object ? seen.candidate : seen.subject;
  };
  out.key("matched_to").begin_array();
  for (auto seen = trail.begin(); seen != trail.end(); ++seen) {
    const bool undone_later = std::any_of(seen, trail.end(), [&](const auto& later) {
      return later.verdict == domain::MatchVerdict::undone && other_of(later) == other_of(*seen);
    });
    if (seen->verdict != domain::MatchVerdict::taken || undone_later || other_of(*seen).empty())
      continue;  // a payer's name is no object to match with
    out.begin_object();
    out.key("id").string(other_of(*seen));
    out.key("step").string(name_of(seen->step));
    out.key("at").string(format_timestamp(seen->at));
    out.end_object();
  }
  out.end_array();
}

}  // namespace tideover::wire
