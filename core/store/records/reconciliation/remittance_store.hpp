// Remittances in SQL. `Remittance::claims` is the stored data; on reading, the draft gets the same claims. Bound to one
// session and its thread.
#pragma once
#include "core/ports/records/remittance_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class RemittanceStore final : public ports::RemittanceRecords {
 public:
  RemittanceStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const domain::Remittance& remittance) override;
  std::optional<domain::Remittance> find(const domain::TenantId& tenant, const domain::RemittanceId& id) const override;
  std::optional<domain::Remittance> find_same(const domain::TenantId& tenant,
                                              const domain::Remittance& arriving) const override;
  std::vector<domain::RemittanceId> observed(const domain::TenantId& tenant, const domain::RemittanceId& after,
                                             const domain::RemittanceId& until, std::size_t limit) const override;
  std::vector<domain::RemittanceSummary> list(const domain::TenantId& tenant, const ports::RemittanceFilter& filter,
                                              const domain::ListPage& page) const override;
  std::vector<domain::Remittance> waiting_with_trace(const domain::TenantId& tenant, std::string_view trace_number,
                                                     const domain::MoneyRange& amounts,
                                                     std::size_t limit) const override;
  std::vector<domain::Remittance> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                   const domain::MoneyRange& amounts,
                                                   const std::optional<domain::DateRange>& days,
                                                   std::size_t limit) const override;
  std::vector<domain::AnnouncedPayment> announced_to(const domain::TenantId& tenant,
                                                     const domain::SettlementId& settlement,
                                                     std::size_t limit) const override;
  std::vector<domain::Remittance> naming(const domain::TenantId& tenant, std::string_view claim_identifier,
                                         std::size_t limit) const override;
  domain::Money announced_of(const domain::TenantId& tenant, const domain::DepositId& deposit) const override;
  std::vector<domain::RemittanceId> paid_by(const domain::TenantId& tenant,
                                            const domain::DepositId& deposit) const override;
  std::vector<domain::Remittance> waiting_of_amount(const domain::TenantId& tenant, const domain::MoneyRange& amounts,
                                                    const domain::DateRange& days, std::size_t limit) const override;
  std::vector<std::pair<domain::TenantId, domain::SettlementId>> posted_without(int cents, std::string_view posted,
                                                                                std::string_view missing,
                                                                                std::string_view after,
                                                                                std::size_t limit) const override;
  std::vector<ports::Waiting> waiting_since(domain::Timestamp latest, const ports::Waiting& after,
                                            std::size_t limit) const override;
  void set_payer(const domain::TenantId& tenant, const domain::RemittanceId& id, std::string_view payer_id) override;
  std::vector<domain::Remittance> paid_like(const domain::TenantId& tenant, const domain::Remittance& arriving,
                                            std::size_t limit) const override;
  std::optional<domain::RemittanceId> another_with_trace(const domain::TenantId& tenant,
                                                         const domain::Remittance& remittance,
                                                         std::optional<domain::Date> since) const override;
  bool names_claims_of_another(const domain::TenantId& tenant, const domain::Remittance& remittance) const override;
  void update_adjustments(const domain::TenantId& tenant, const domain::Remittance& remittance) override;
  bool is_takeback_open(const domain::TenantId& tenant, const domain::SettlementId& settlement) const override;
  bool is_payment_in_question(const domain::TenantId& tenant, const domain::SettlementId& settlement) const override;
  std::vector<domain::RemittanceId> waiting_for(const domain::TenantId& tenant,
                                                const domain::SettlementId& settlement) const override;
  std::optional<domain::Remittance> posted_by(const domain::TenantId& tenant,
                                              const domain::ReconciliationRecord& record) const override;
  void link_deposit(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                    const std::optional<domain::DepositId>& deposit) override;
  void update_claim(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                    const domain::RemittanceClaimRecord& claim) override;
  void update_status(const domain::TenantId& tenant, const domain::Remittance& remittance) override;
  void set_status(const domain::TenantId& tenant, const domain::RemittanceId& id,
                  domain::RemittanceStatus status) override;
  std::size_t count_claims(const domain::TenantId& tenant, const domain::RemittanceId& id) const override;

 private:
  auto reader(const domain::TenantId& tenant) const;

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
