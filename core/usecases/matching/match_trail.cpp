#include "core/usecases/matching/match_trail.hpp"

#include <algorithm>
#include <map>

namespace tideover::usecases {
namespace {

using domain::MatchCandidate;

/// Per query. A settlement has few entries; a reused trace number may have many.
constexpr std::size_t kMostShown = 200;

using Trail = std::map<domain::MatchCandidateId, MatchCandidate>;  // by id, hence oldest first

void add(Trail& trail, std::vector<MatchCandidate> candidates) {
  for (auto& candidate : candidates) trail.emplace(candidate.id, std::move(candidate));
}

std::vector<MatchCandidate> in_order(Trail&& trail) {
  std::vector<MatchCandidate> candidates;
  for (auto& [id, candidate] : trail) candidates.push_back(std::move(candidate));
  return candidates;
}

void add_object(Trail& trail, const ports::Records& records, const domain::TenantId& tenant,
                const std::string& object) {
  add(trail, records.matches().of_subject(tenant, object, std::nullopt, kMostShown));
  add(trail, records.matches().of_candidate(tenant, object, kMostShown));
}

}  // namespace

std::vector<MatchCandidate> trail_of(const ports::Records& records, const domain::TenantId& tenant,
                                     const std::string& object) {
  Trail trail;
  add_object(trail, records, tenant, object);
  return in_order(std::move(trail));
}

std::vector<MatchCandidate> trail_of(const ports::Records& records, const domain::TenantId& tenant,
                                     const domain::SettlementId& settlement) {
  Trail trail;
  const auto own = records.matches().of_candidate(tenant, settlement.text(), kMostShown);
  std::vector<std::string> objects;
  objects.reserve(own.size());
  for (const auto& candidate : own) objects.push_back(candidate.subject);
  for (const auto& record : records.reconciliations().of(tenant, settlement))
    if (record.deposit) objects.push_back(record.deposit->text());
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  add(trail, own);
  for (const auto& object : objects) add_object(trail, records, tenant, object);
  return in_order(std::move(trail));
}

}  // namespace tideover::usecases
