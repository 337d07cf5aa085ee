// Reads remittances and the state of their claims (GET /v1/remittances; core/docs/contract.md#reconciliation).
//
// Threads: thread-safe; read-only.
#pragma once
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/domain/reconciliation/allocation.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct RemittanceQuery {
  std::string status;        // a domain::RemittanceStatus; empty for all
  std::string payer_id;      // empty for all
  std::string trace_number;  // empty for all
  domain::ListPage page;
};

struct RemittanceView {
  domain::Remittance remittance;
  std::vector<domain::MatchCandidate> trail;  // the match candidates
  std::vector<domain::AllocationRow> allocation{};
  std::vector<domain::RecourseEntry> recourse{};  // of its rows
  bool is_posting = false;                        // its money came, and not all of its claims are posted yet
};

class ReadRemittances {
 public:
  explicit ReadRemittances(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::RemittanceSummary>> list(const domain::TenantId& tenant,
                                                              const RemittanceQuery& query) const;
  domain::Result<RemittanceView> one(const domain::TenantId& tenant, const std::string& remittance_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
