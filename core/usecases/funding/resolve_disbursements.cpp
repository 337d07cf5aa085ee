#include "core/usecases/funding/resolve_disbursements.hpp"

#include <map>

namespace tideover::usecases {

constexpr std::size_t kLookAhead = 2000;

domain::Result<int> ResolveDisbursements::operator()(const std::function<bool()>& stopping) {
  auto due = fetch(store_, [&](const ports::Records& records) {
    return records.settlements().attempts_due(node_, clock_.now(), kLookAhead);
  });
  if (!due) return due.error();
  // By rail, with a time limit each: a slow rail must not delay the payments of the others.
  std::map<std::string, std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>>> by_rail;
  for (auto& one : *due) by_rail[one.second.rail].push_back(std::move(one));

  std::optional<domain::Error> first_failure;
  int checked = 0;
  for (const auto& [rail, waiting] : by_rail) {
    const auto turn_ends = std::chrono::steady_clock::now() + turn_;
    for (const auto& [tenant, attempt] : waiting) {
      if (stopping()) break;
      ++checked;
      const ports::InTimeOf in_time(clock_, tenant);
      // Another worker that took the attempt over is no failure.
      if (const auto resolved = disburse_.resolve(tenant, attempt);
          !resolved && resolved.error().code != domain::ErrorCode::idempotency_in_progress && !first_failure)
        first_failure = resolved.error();
      if (std::chrono::steady_clock::now() >= turn_ends) break;
    }
  }
  if (first_failure) return *first_failure;
  return checked;
}

}  // namespace tideover::usecases
