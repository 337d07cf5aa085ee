// The ledger in SQL: insert and read, nothing else. Triggers refuse what this class cannot express.
// Bound to one session and its thread.
#pragma once
#include "core/ports/ledger_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class LedgerStore final : public ports::LedgerRecords {
 public:
  explicit LedgerStore(sql::Session& session) : session_(session) {}

  void append(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) override;
  std::optional<domain::LedgerTransaction> find(const domain::TenantId& tenant,
                                                const domain::LedgerTransactionId& id) const override;
  std::vector<domain::AccountBalance> balances(const domain::TenantId& tenant, std::string_view after,
                                               std::size_t limit) const override;
  std::vector<domain::LedgerTransaction> list(const domain::TenantId& tenant,
                                              const std::optional<domain::SettlementId>& settlement,
                                              std::string_view account, std::string_view after,
                                              std::size_t limit) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
