// The candidates of the matching steps in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/match_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class MatchStore final : public ports::MatchRecords {
 public:
  explicit MatchStore(sql::Session& session) : session_(session) {}

  void insert(const domain::TenantId& tenant, const domain::MatchCandidate& candidate) override;
  std::vector<domain::MatchCandidate> of_subject(const domain::TenantId& tenant, std::string_view subject,
                                                 std::optional<int> claim, std::size_t limit) const override;
  std::vector<domain::MatchCandidate> decided(const domain::TenantId& tenant, std::string_view subject) const override;
  std::vector<domain::MatchCandidate> of_candidate(const domain::TenantId& tenant, std::string_view candidate,
                                                   std::size_t limit) const override;
  std::vector<domain::RemittanceId> remittances_about(const domain::TenantId& tenant,
                                                      const domain::SettlementId& settlement,
                                                      std::size_t limit) const override;
  std::vector<domain::RemittanceId> held_recoveries(const domain::TenantId& tenant,
                                                    const domain::SettlementId& settlement,
                                                    std::size_t limit) const override;
  std::vector<std::pair<int, domain::SettlementId>> asked_alike(const domain::TenantId& tenant,
                                                                const domain::RemittanceId& remittance) const override;
  std::optional<domain::MatchStep> joined_by(const domain::TenantId& tenant, std::string_view one,
                                             std::string_view other) const override;
  std::vector<domain::MatchCandidate> of_task(const domain::TenantId& tenant,
                                              const domain::TaskId& task) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
