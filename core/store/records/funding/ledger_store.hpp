// The ledger in SQL: insert and read only. Triggers refuse all other changes. ledger_reports.cpp has the balances and
// exports, ledger_periods.cpp the closed periods. Bound to one session and its thread.
#pragma once
#include "core/ports/records/ledger_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class LedgerStore final : public ports::LedgerRecords {
 public:
  /// `node` names the chains of this process; it must outlive the store.
  LedgerStore(sql::Session& session, const std::string& node) : session_(session), node_(node) {}

  void append(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction) override;
  std::optional<domain::LedgerTransaction> find(const domain::TenantId& tenant,
                                                const domain::LedgerTransactionId& id) const override;
  using LedgerRecords::balances;
  std::vector<domain::AccountBalance> balances(const domain::TenantId& tenant,
                                               const ports::BalanceFilter& filter) const override;
  std::vector<domain::PayeeBalance> payees(const domain::TenantId& tenant, std::string_view after, std::size_t limit,
                                           std::optional<domain::Date> as_of) const override;
  domain::Money receivables(const domain::TenantId& tenant) const override;
  std::vector<domain::StatementAccount> statement(const domain::TenantId& tenant, domain::Timestamp from,
                                                  domain::Timestamp until) const override;
  std::vector<domain::LedgerTransaction> list(const domain::TenantId& tenant, const ports::LedgerFilter& filter,
                                              std::string_view after, std::size_t limit) const override;
  std::vector<domain::LedgerTransaction> journal(const domain::TenantId& tenant, domain::DateRange days,
                                                 const domain::JournalPlace& after, std::size_t limit) const override;
  domain::Money owed_to(const domain::TenantId& tenant, std::string_view payee_npi, domain::Date as_of) const override;
  std::vector<domain::PayeeMovement> movements_of(const domain::TenantId& tenant, std::string_view payee_npi,
                                                  domain::DateRange days, const domain::JournalPlace& after,
                                                  std::size_t limit) const override;

  std::optional<domain::Date> closed_through(const domain::TenantId& tenant) const override;
  std::optional<domain::Date> first_day(const domain::TenantId& tenant) const override;
  std::vector<domain::LedgerPeriod> periods(const domain::TenantId& tenant) const override;
  std::vector<std::pair<domain::TenantId, domain::LedgerPeriod>> all_periods() const override;
  domain::LedgerPeriod close(const domain::TenantId& tenant, domain::LedgerPeriod period) override;
  void reopen(const domain::TenantId& tenant, const domain::LedgerPeriod& period) override;
  std::string digest_of_closing(const domain::TenantId& tenant, domain::Month month) const override;

  std::vector<ports::ChainHead> heads() const override;
  ports::ChainHead head(const std::string& chain) const override;
  std::vector<ports::LedgerLink> links(const ports::ChainHead& after, std::size_t limit) const override;

 private:
  void add_payables(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction);
  void add_to_practices(const domain::TenantId& tenant, const domain::LedgerTransaction& transaction);

  sql::Session& session_;
  const std::string& node_;
};

}  // namespace tideover::store
