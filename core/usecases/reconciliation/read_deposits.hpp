// Reads deposits and what they paid (GET /v1/deposits; core/docs/contract.md#reconciliation).
//
// Threads: thread-safe; read-only.
#pragma once
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct DepositQuery {
  std::string status;    // matched | partly_matched | unmatched | empty for all
  std::string payer_id;  // empty for all
  domain::ListPage page;
};

struct DepositView {
  domain::Deposit deposit;
  std::vector<domain::ReconciliationRecord> records;  // what it paid, oldest first
  std::vector<domain::MatchCandidate> trail;          // the match candidates
  bool is_posting = false;                            // a long remittance that it pays is not posted yet
};

class ReadDeposits {
 public:
  explicit ReadDeposits(ports::Store& store) : store_(store) {}
  domain::Result<std::vector<domain::Deposit>> list(const domain::TenantId& tenant, const DepositQuery& query) const;
  domain::Result<DepositView> one(const domain::TenantId& tenant, const std::string& deposit_id) const;

 private:
  ports::Store& store_;
};

}  // namespace tideover::usecases
