// Remittances and their claims.
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/domain/reconciliation/remittance.hpp"
#include "core/ports/records/waiting.hpp"

namespace tideover::ports {

/// Empty members match everything.
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
  /// The same remittance, received before: the sender names the payer equally, or the payer is the one that was
  /// resolved before, or the payer was unknown before.
  virtual std::optional<domain::Remittance> find_same(const domain::TenantId& tenant,
                                                      const domain::Remittance& arriving) const = 0;
  /// Balanced remittances that have their money, or need none, with the trace number, day and amount of this one. With
  /// their claims, oldest first.
  virtual std::vector<domain::Remittance> paid_like(const domain::TenantId& tenant, const domain::Remittance& arriving,
                                                    std::size_t limit) const = 0;
  /// Remittances that announce money and have no deposit, with this trace number and a payment in `amounts`; without
  /// their claims.
  virtual std::vector<domain::Remittance> waiting_with_trace(const domain::TenantId& tenant,
                                                             std::string_view trace_number,
                                                             const domain::MoneyRange& amounts,
                                                             std::size_t limit) const = 0;
  /// The same for this payer; nullopt: of any day or none.
  virtual std::vector<domain::Remittance> waiting_of_payer(const domain::TenantId& tenant, std::string_view payer_id,
                                                           const domain::MoneyRange& amounts,
                                                           const std::optional<domain::DateRange>& days,
                                                           std::size_t limit) const = 0;
  /// The same for any payer.
  virtual std::vector<domain::Remittance> waiting_of_amount(const domain::TenantId& tenant,
                                                            const domain::MoneyRange& amounts,
                                                            const domain::DateRange& days, std::size_t limit) const = 0;
  /// Payments that wait in remittances for this settlement, at most `limit`, oldest first.
  virtual std::vector<domain::AnnouncedPayment> announced_to(const domain::TenantId& tenant,
                                                             const domain::SettlementId& settlement,
                                                             std::size_t limit) const = 0;
  /// The claims with this number in all remittances, newest first: each as a remittance with only that claim.
  virtual std::vector<domain::Remittance> naming(const domain::TenantId& tenant, std::string_view claim_identifier,
                                                 std::size_t limit) const = 0;
  /// The sum that all remittances paid by this deposit announce.
  virtual domain::Money announced_of(const domain::TenantId& tenant, const domain::DepositId& deposit) const = 0;
  /// The remittances that this deposit pays, oldest first.
  virtual std::vector<domain::RemittanceId> paid_by(const domain::TenantId& tenant,
                                                    const domain::DepositId& deposit) const = 0;
  /// Another remittance that announces money or a forward balance under this one's trace number, and does not name
  /// another payer. One that has its money and is of a day before `since` does not count: payers start their numbers
  /// again.
  virtual std::optional<domain::RemittanceId> another_with_trace(const domain::TenantId& tenant,
                                                                 const domain::Remittance& remittance,
                                                                 std::optional<domain::Date> since) const = 0;
  /// Whether another remittance with this trace number, perhaps none, names one of the same claims and does not name
  /// another payer.
  virtual bool names_claims_of_another(const domain::TenantId& tenant, const domain::Remittance& remittance) const = 0;
  /// Whether a takeback of this settlement is not posted yet, or waits for a reviewer and may belong to it.
  virtual bool is_takeback_open(const domain::TenantId& tenant, const domain::SettlementId& settlement) const = 0;
  /// Whether a payment that may belong to this settlement waits for a reviewer's decision.
  virtual bool is_payment_in_question(const domain::TenantId& tenant, const domain::SettlementId& settlement) const = 0;
  /// Remittances with their money, or without any, with a claim that waits for this settlement.
  virtual std::vector<domain::RemittanceId> waiting_for(const domain::TenantId& tenant,
                                                        const domain::SettlementId& settlement) const = 0;
  /// Settlements of all tenants whose charge has these cents (0 to 99), to which a remittance was posted whose trace
  /// number begins with `posted`, while no remittance has that number with `missing` in its place. Ordered by id, after
  /// `after`.
  virtual std::vector<std::pair<domain::TenantId, domain::SettlementId>> posted_without(int cents,
                                                                                        std::string_view posted,
                                                                                        std::string_view missing,
                                                                                        std::string_view after,
                                                                                        std::size_t limit) const = 0;
  /// Remittances of all tenants that announce money and have no deposit, created at or before `latest` and after
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
  /// Writes the status that follows from the given states of its claims. Call it after each change of one.
  virtual void update_status(const domain::TenantId& tenant, const domain::Remittance& remittance) = 0;
  /// Writes a status that the caller derived from the states of all claims.
  virtual void set_status(const domain::TenantId& tenant, const domain::RemittanceId& id,
                          domain::RemittanceStatus status) = 0;
  virtual std::size_t count_claims(const domain::TenantId& tenant, const domain::RemittanceId& id) const = 0;
  /// Those after `after` and up to `until`, ordered by id, so by time; the bounds need not exist.
  virtual std::vector<domain::RemittanceId> observed(const domain::TenantId& tenant, const domain::RemittanceId& after,
                                                     const domain::RemittanceId& until, std::size_t limit) const = 0;
  virtual std::vector<domain::RemittanceSummary> list(const domain::TenantId& tenant, const RemittanceFilter& filter,
                                                      const domain::ListPage& page) const = 0;
};

}  // namespace tideover::ports
