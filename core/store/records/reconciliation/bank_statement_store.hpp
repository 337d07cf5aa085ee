// BankStatementRecords over one session.
#pragma once
#include "core/ports/records/banking/bank_statement_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class BankStatementStore final : public ports::BankStatementRecords {
 public:
  BankStatementStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::BankStatement& statement,
              const std::vector<domain::BankLine>& lines) override;
  void replace(const domain::TenantId& tenant, const domain::BankStatement& statement,
               const std::vector<domain::BankLine>& lines) override;
  std::optional<domain::BankStatement> find(const domain::TenantId& tenant,
                                            const domain::BankStatementId& id) const override;
  std::optional<domain::BankStatement> find_day(const domain::TenantId& tenant, std::string_view account,
                                                domain::Date date) const override;
  std::vector<domain::BankStatement> list(const domain::TenantId& tenant, const ports::BankStatementFilter& filter,
                                          const domain::ListPage& page) const override;
  std::vector<domain::BankStatement> of_account(const domain::TenantId& tenant, std::string_view account,
                                                const domain::DateRange& days) const override;
  std::optional<domain::BankStatement> latest_before(const domain::TenantId& tenant, std::string_view account,
                                                     domain::Date date) const override;
  std::optional<domain::BankStatement> first_of(const domain::TenantId& tenant,
                                                std::string_view account) const override;
  std::optional<std::string> next_account(const domain::TenantId& tenant, std::string_view after) const override;
  std::vector<domain::BankLine> lines(const domain::TenantId& tenant, const domain::BankStatementId& statement,
                                      int after, std::size_t limit) const override;
  std::vector<domain::BankLine> lines_with_finding(const domain::TenantId& tenant,
                                                   const domain::BankStatementId& statement, int after,
                                                   std::size_t limit) const override;
  domain::BankLineSums sums(const domain::TenantId& tenant, const domain::BankStatementId& statement) const override;
  void settle(const domain::TenantId& tenant, const domain::BankStatementId& statement,
              const domain::BankLine& line) override;
  bool is_on_statement(const domain::TenantId& tenant, const domain::DepositId& deposit, bool is_debit) const override;
  std::vector<domain::ClearingCandidate> deposits_traced(const domain::TenantId& tenant, std::string_view trace,
                                                         bool is_debit, const domain::DateRange& days) const override;
  std::vector<domain::ClearingCandidate> payments_referenced(const domain::TenantId& tenant, std::string_view reference,
                                                             bool is_debit,
                                                             const domain::DateRange& days) const override;
  std::vector<ports::OffStatement> deposits_off(const domain::TenantId& tenant, const domain::DateRange& days,
                                                std::size_t limit) const override;
  std::vector<ports::OffStatement> returns_off(const domain::TenantId& tenant, const domain::DateRange& days,
                                               std::size_t limit) const override;
  std::vector<ports::OffStatement> payments_off(const domain::TenantId& tenant, const domain::DateRange& days,
                                                std::size_t limit) const override;

 private:
  auto line_reader(const domain::TenantId& tenant, const domain::BankStatementId& statement) const;
  void insert_lines(const domain::TenantId& tenant, const domain::BankStatementId& statement,
                    const std::vector<domain::BankLine>& lines);

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
