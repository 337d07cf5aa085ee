// Settlements and their attempts in SQL. Whether a settlement is live is a separate column, so that a unique key allows
// one live settlement per claim. Bound to one session and its thread.
#pragma once
#include "core/ports/records/settlement_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class SettlementStore final : public ports::SettlementRecords {
 public:
  SettlementStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  void insert(const domain::TenantId& tenant, const ports::StoredSettlement& stored) override;
  std::optional<ports::StoredSettlement> find(const domain::TenantId& tenant,
                                              const domain::SettlementId& id) const override;
  bool exists(const domain::TenantId& tenant, const domain::SettlementId& id) const override;
  bool has_advanced_payer(const domain::TenantId& tenant, std::string_view payer_id) const override;
  bool has_advanced_provider(const domain::TenantId& tenant, std::string_view billing_npi) const override;
  std::optional<ports::StoredSettlement> live_of(const domain::TenantId& tenant,
                                                 const domain::ClaimId& claim) const override;
  std::vector<domain::Settlement> list(const domain::TenantId& tenant, const ports::SettlementFilter& filter,
                                       const domain::ListPage& page) const override;
  std::vector<std::pair<domain::TenantId, domain::SettlementId>> lapsed(domain::Timestamp now,
                                                                        std::size_t limit) const override;
  std::optional<ports::StoredSettlement> latest_of(const domain::TenantId& tenant,
                                                   const domain::ClaimId& claim) const override;
  std::vector<domain::Settlement> awaiting_payment(const domain::TenantId& tenant, std::string_view payer_id,
                                                   const domain::MoneyRange& expected,
                                                   const std::optional<domain::DateRange>& days,
                                                   std::size_t limit) const override;
  std::vector<std::string> payers_that_owe(const domain::TenantId& tenant, std::size_t limit) const override;
  void set_receivable(const domain::TenantId& tenant, const domain::SettlementId& id, bool open) override;
  void add_residual_due(const domain::TenantId& tenant, const domain::SettlementId& id, domain::Money change) override;
  std::vector<std::pair<domain::TenantId, domain::SettlementId>> residuals_due(domain::Money minimum,
                                                                               std::string_view after,
                                                                               std::size_t limit) const override;
  std::vector<ports::Overdue> overdue(domain::Date latest, const ports::Overdue& after,
                                      std::size_t limit) const override;
  void add_to_portfolio(const domain::TenantId& tenant, const domain::SettlementId& id, domain::Date day,
                        const domain::PortfolioChange& change) override;
  domain::Portfolio portfolio(const domain::TenantId& tenant, std::string_view payer_id, std::string_view billing_npi,
                              domain::Date today) const override;
  std::vector<domain::PayerAging> aging(const domain::TenantId& tenant, domain::Date today) const override;
  std::vector<domain::PayerOutstanding> outstanding(const domain::TenantId& tenant, domain::Date today) const override;
  bool update(const domain::TenantId& tenant, const ports::StoredSettlement& stored) override;
  void note_funding_change(const domain::TenantId& tenant, const domain::SettlementId& id,
                           const domain::ClientId& client, domain::Timestamp at) override;
  bool has_changed_funding(const domain::TenantId& tenant, const domain::SettlementId& id,
                           const domain::ClientId& client) const override;
  void insert_attempt(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt) override;
  std::optional<domain::DisbursementAttempt> latest_attempt(const domain::TenantId& tenant,
                                                            const domain::PaymentSubject& subject,
                                                            domain::Purpose purpose) const override;
  std::optional<domain::DisbursementAttempt> payout_requested(const domain::TenantId& tenant,
                                                              const domain::PaymentSubject& subject,
                                                              domain::Purpose purpose,
                                                              std::string_view request_key) const override;
  std::vector<domain::DisbursementAttempt> practice_payouts(const domain::TenantId& tenant, std::string_view npi,
                                                            const domain::ListPage& page) const override;
  std::optional<domain::DisbursementAttempt> practice_payout(const domain::TenantId& tenant,
                                                             const domain::TransferId& id) const override;
  std::vector<domain::DisbursementAttempt> attempts_of(const domain::TenantId& tenant,
                                                       const domain::PaymentSubject& subject,
                                                       domain::Purpose purpose) const override;
  std::optional<domain::DisbursementAttempt> transfer(const domain::TenantId& tenant,
                                                      const domain::TransferId& id) const override;
  std::vector<domain::DisbursementAttempt> payouts_of(const domain::TenantId& tenant,
                                                      const domain::SettlementId& settlement) const override;
  bool update_attempt(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt, int expected_epoch,
                      domain::AttemptState expected_state) override;
  std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> attempts_due(std::string_view node,
                                                                                     domain::Timestamp now,
                                                                                     std::size_t limit) const override;
  std::vector<std::string> rails_under_way() const override;
  std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> payments_to_follow(
      domain::Timestamp now, std::size_t limit) const override;
  std::optional<std::pair<domain::TenantId, domain::DisbursementAttempt>> find_attempt(
      std::string_view rail_key) const override;
  std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> attempts_between(
      domain::Timestamp from, domain::Timestamp to, std::string_view after, std::size_t limit) const override;

 private:
  auto reader(const domain::TenantId& tenant) const;
  Sealed sealed_token(const domain::TenantId& tenant, const domain::Settlement& settlement) const;

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
