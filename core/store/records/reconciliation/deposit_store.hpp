// Bank deposits in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/deposit_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class DepositStore final : public ports::DepositRecords {
 public:
  DepositStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::Deposit& deposit) override;
  std::optional<domain::Deposit> find(const domain::TenantId& tenant, const domain::DepositId& id) const override;
  std::optional<domain::Deposit> find_external(const domain::TenantId& tenant,
                                               std::string_view external_id) const override;
  std::vector<domain::Deposit> list(const domain::TenantId& tenant, const ports::DepositFilter& filter,
                                    const domain::ListPage& page) const override;
  std::vector<domain::Deposit> waiting_with_trace(const domain::TenantId& tenant, std::string_view trace_number,
                                                  const domain::MoneyRange& amounts, std::size_t limit) const override;
  std::vector<domain::Deposit> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                const domain::MoneyRange& amounts,
                                                const std::optional<domain::DateRange>& days,
                                                std::size_t limit) const override;
  std::vector<domain::Deposit> posted_alone(const domain::TenantId& tenant, std::string_view payer_id,
                                            domain::Money amount, const domain::DateRange& days,
                                            std::size_t limit) const override;
  std::vector<domain::Deposit> reported_twice(const domain::TenantId& tenant, const domain::Deposit& deposit,
                                              const domain::DateRange& days, std::size_t limit) const override;
  std::vector<ports::Waiting> waiting_since(domain::Timestamp latest, const ports::Waiting& after,
                                            std::size_t limit) const override;
  void set_payer(const domain::TenantId& tenant, const domain::DepositId& id, std::string_view payer_id) override;
  std::vector<domain::Deposit> pooled_into(const domain::TenantId& tenant, const domain::DepositId& id) const override;
  void set_returned(const domain::TenantId& tenant, const domain::Deposit& deposit) override;
  void update_match(const domain::TenantId& tenant, const domain::Deposit& deposit) override;

 private:
  auto reader(const domain::TenantId& tenant) const;

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
