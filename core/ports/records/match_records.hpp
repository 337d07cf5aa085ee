// What the match ladder thought of whom. Written, never changed.
#pragma once
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/reconciliation/match.hpp"

namespace tideover::ports {

class MatchRecords {
 public:
  virtual ~MatchRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::MatchCandidate& candidate) = 0;
  /// What was looked at for this deposit or remittance as a whole, and for this claim of it. Oldest first.
  virtual std::vector<domain::MatchCandidate> of_subject(const domain::TenantId& tenant, std::string_view subject,
                                                         std::optional<int> claim, std::size_t limit) const = 0;
  /// Where this deposit, remittance or settlement was looked at. Oldest first.
  virtual std::vector<domain::MatchCandidate> of_candidate(const domain::TenantId& tenant, std::string_view candidate,
                                                           std::size_t limit) const = 0;
  /// Remittances with a claim that this settlement was looked at for.
  virtual std::vector<domain::RemittanceId> remittances_about(const domain::TenantId& tenant,
                                                              const domain::SettlementId& settlement,
                                                              std::size_t limit) const = 0;
  /// Claims of this remittance that a reviewer was asked about because they are like those of other numbers, and the
  /// settlements of these.
  virtual std::vector<std::pair<int, domain::SettlementId>> asked_alike(
      const domain::TenantId& tenant, const domain::RemittanceId& remittance) const = 0;
  /// The step that last brought these two together, whichever was sought for; nullopt: none did.
  virtual std::optional<domain::MatchStep> joined_by(const domain::TenantId& tenant, std::string_view one,
                                                     std::string_view other) const = 0;
  /// All that was done as this task's decision said, and undone. Oldest first.
  virtual std::vector<domain::MatchCandidate> of_task(const domain::TenantId& tenant,
                                                      const domain::TaskId& task) const = 0;
};

}  // namespace tideover::ports
