#include "core/usecases/resolve_disbursements.hpp"

namespace tideover::usecases {

constexpr std::size_t kPerRound = 100;

domain::Result<int> ResolveDisbursements::operator()(const std::function<bool()>& stopping) {
  std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> due;
  const auto read = store_.read([&](const ports::Records& records) { due = records.settlements().attempts_due(node_, clock_.now(), kPerRound); });
  if (!read) return read.error();
  std::optional<domain::Error> first_failure;
  int looked_at = 0;
  for (auto& [tenant, attempt] : due) {
    if (stopping()) break;
    ++looked_at;
    if (const auto resolved = disburse_.resolve(tenant, attempt);
        !resolved && resolved.error().code != domain::ErrorCode::idempotency_in_progress && !first_failure)
      first_failure = resolved.error();
  }
  if (first_failure) return *first_failure;
  return looked_at;
}

}  // namespace tideover::usecases
