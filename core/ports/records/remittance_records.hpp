// Remittances and their claims.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/domain/reconciliation/remittance.hpp"
#include "core/ports/records/waiting.hpp"

namespace tideover::ports {

/// What is empty admits everything.
struct RemittanceFilter {
  std::optional<domain::RemittanceStatus> status = std::nullopt;
  std::string_view payer_id = {};
  std::string_view trace_number = {};
};

class RemittanceRecords {
 public:
  virtual ~RemittanceRecords() = default;
  virtual void insert(const domain::TenantId& tenant, const domain::Remittance& remittance) = 0;
  virtual std::optional<domain::Remittance> find(const domain::TenantId& tenant,
                                                 const domain::RemittanceId& id) const = 0;
  /// The same remittance, seen before: its sender names the payer as then, or it is of the payer that the earlier one
  /// was taken for, or nobody knew the earlier one's.
  virtual std::optional<domain::Remittance> find_same(const domain::TenantId& tenant,
                                                      const domain::Remittance& arriving) const = 0;
  /// Remittances that announce money and have no deposit yet, with this trace number and a payment in `amounts`;
  /// without their claims.
  virtual std::vector<domain::Remittance> waiting_with_trace(const domain::TenantId& tenant,
                                                             std::string_view trace_number,
                                                             const domain::MoneyRange& amounts,
                                                             std::size_t limit) const = 0;
  /// The same, of this payer; nullopt: of any day, or of none.
  virtual std::vector<domain::Remittance> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                           const domain::MoneyRange& amounts,
                                                           const std::optional<domain::DateRange>& days,
                                                           std::size_t limit) const = 0;
  /// The same, whoever pays.
  virtual std::vector<domain::Remittance> waiting_of_amount(const domain::TenantId& tenant,
                                                            const domain::MoneyRange& amounts,
                                                            const domain::DateRange& days, std::size_t limit) const = 0;
  /// What waits in notices for this settlement, at most `limit` of it, oldest first.
  virtual std::vector<domain::AnnouncedPayment> announced_to(const domain::TenantId& tenant,
                                                             const domain::SettlementId& settlement,
                                                             std::size_t limit) const = 0;
  /// The claims of all remittances that have this number, newest first: each as a remittance with that claim alone.
  virtual std::vector<domain::Remittance> naming(const domain::TenantId& tenant, std::string_view claim_identifier,
                                                 std::size_t limit) const = 0;
  /// What all notices that this deposit pays announce.
  virtual domain::Money announced_of(const domain::TenantId& tenant, const domain::DepositId& deposit) const = 0;
  /// Another remittance that announces money, or carries a balance, under this one's trace number and does not name
  /// another payer.
  virtual std::optional<domain::RemittanceId> another_with_trace(const domain::TenantId& tenant,
                                                                 const domain::Remittance& remittance) const = 0;
  /// Whether a claim that takes money of this settlement back is not posted yet, or may be about it and waits for a
  /// reviewer's decision.
  virtual bool is_takeback_open(const domain::TenantId& tenant, const domain::SettlementId& settlement) const = 0;
  /// Whether a payment that may be about this settlement waits for a reviewer's decision.
  virtual bool is_payment_in_question(const domain::TenantId& tenant, const domain::SettlementId& settlement) const = 0;
  /// Remittances with their money, or that bring none, of which a claim waits for this settlement.
  virtual std::vector<domain::RemittanceId> waiting_for(const domain::TenantId& tenant,
                                                        const domain::SettlementId& settlement) const = 0;
  /// What this payer's remittances have carried on and later ones have not taken.
  virtual domain::Money carried_by(const domain::TenantId& tenant, std::string_view payer_id) const = 0;
  /// Remittances of this payer that carried something on or took of it, the latest ones, the earliest of them first,
  /// with the claims that they take back.
  virtual std::vector<domain::Remittance> moved_balances(const domain::TenantId& tenant, std::string_view payer_id,
                                                         std::size_t limit) const = 0;
  /// Remittances of this payer with their money that may still take something of it: those with claims that wait, and
  /// the latest ones; the earliest of them first.
  virtual std::vector<domain::RemittanceId> taking_of(const domain::TenantId& tenant, std::string_view payer_id,
                                                      std::size_t limit) const = 0;
  /// Remittances of all tenants that announce money and have no deposit, taken in at or before `latest` and behind
  /// `after`.
  virtual std::vector<Waiting> waiting_since(domain::Timestamp latest, const Waiting& after,
                                             std::size_t limit) const = 0;
  virtual void set_payer(const domain::TenantId& tenant, const domain::RemittanceId& id, std::string_view payer_id) = 0;
  /// Writes `carried`, `paid_to_provider` and `withheld`.
  virtual void update_adjustments(const domain::TenantId& tenant, const domain::Remittance& remittance) = 0;
  /// The remittance with a claim that this record posted.
  virtual std::optional<domain::Remittance> posted_by(const domain::TenantId& tenant,
                                                      const domain::ReconciliationRecord& record) const = 0;
  /// nullopt: it waits for its money again.
  virtual void link_deposit(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                            const std::optional<domain::DepositId>& deposit) = 0;
  /// Writes state, settlement and record of one claim.
  virtual void update_claim(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                            const domain::RemittanceClaimRecord& claim) = 0;
  /// Writes what the states of its claims, as they are given, make of it: after every change of one.
  virtual void update_status(const domain::TenantId& tenant, const domain::Remittance& remittance) = 0;
  /// Those behind `after` and up to `until`, by id, hence by time; the bounds need not exist.
  virtual std::vector<domain::RemittanceId> observed(const domain::TenantId& tenant, const domain::RemittanceId& after,
                                                     const domain::RemittanceId& until, std::size_t limit) const = 0;
  /// By id, hence oldest first; `after` is exclusive.
  virtual std::vector<domain::RemittanceSummary> list(const domain::TenantId& tenant, const RemittanceFilter& filter,
                                                      std::string_view after, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
