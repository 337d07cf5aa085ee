// Reads settlements.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::usecases {

/// What a client reads: the terms, and the attempts with the state of their funding.
struct SettlementView {
  domain::Settlement settlement;
  std::vector<domain::DisbursementAttempt> attempts;  // of the advance, oldest first; empty before the first confirm
  std::optional<domain::TaskId> task;                 // of the manual review
};
/// The open task of the manual review that the settlement waits for.
std::optional<domain::TaskId> review_task_of(const ports::Records& records, const domain::TenantId& tenant,
                                             const domain::Settlement& settlement);
SettlementView view_of(const ports::Records& records, const domain::TenantId& tenant, domain::Settlement settlement);

/// Empty filters match everything.
struct SettlementQuery {
  std::string claim;  // its identifier or id
  std::string payer_id;
  std::string status;          // a domain::SettlementStatus
  std::string decision;        // a domain::Decision
  std::string funding_status;  // a domain::FundingStatus
  domain::ListPage page;
};

class GetSettlement {
 public:
  explicit GetSettlement(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<SettlementView>> list(const domain::TenantId& tenant, const SettlementQuery& query) const;
  domain::Result<SettlementView> operator()(const domain::TenantId& tenant, const std::string& settlement_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
