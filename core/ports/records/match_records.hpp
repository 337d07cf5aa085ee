// The match trail: candidates of searches with their results. Append-only.
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
  /// The candidates for this deposit or remittance as a whole, and for this claim of it. Oldest first.
  virtual std::vector<domain::MatchCandidate> of_subject(const domain::TenantId& tenant, std::string_view subject,
                                                         std::optional<int> claim, std::size_t limit) const = 0;
  /// The candidates for this deposit or remittance as a whole that were not rejected: what was matched or decided, and
  /// what of that was undone. Oldest first.
  virtual std::vector<domain::MatchCandidate> decided(const domain::TenantId& tenant,
                                                      std::string_view subject) const = 0;
  /// The searches that considered this deposit, remittance or settlement. Oldest first.
  virtual std::vector<domain::MatchCandidate> of_candidate(const domain::TenantId& tenant, std::string_view candidate,
                                                           std::size_t limit) const = 0;
  /// Remittances with a claim for which this settlement was considered.
  virtual std::vector<domain::RemittanceId> remittances_about(const domain::TenantId& tenant,
                                                              const domain::SettlementId& settlement,
                                                              std::size_t limit) const = 0;
  /// Remittances without a posted provider adjustment that are held because one takes back more than was paid for this
  /// settlement.
  virtual std::vector<domain::RemittanceId> held_recoveries(const domain::TenantId& tenant,
                                                            const domain::SettlementId& settlement,
                                                            std::size_t limit) const = 0;
  /// Claims of this remittance that a reviewer was asked about because they resemble claims with other numbers, with
  /// the settlements of those.
  virtual std::vector<std::pair<int, domain::SettlementId>> asked_alike(
      const domain::TenantId& tenant, const domain::RemittanceId& remittance) const = 0;
  /// The step that last matched these two, in either direction; nullopt: none did.
  virtual std::optional<domain::MatchStep> joined_by(const domain::TenantId& tenant, std::string_view one,
                                                     std::string_view other) const = 0;
  /// Everything that the decision of this task matched or undid. Oldest first.
  virtual std::vector<domain::MatchCandidate> of_task(const domain::TenantId& tenant,
                                                      const domain::TaskId& task) const = 0;
};

}  // namespace tideover::ports
