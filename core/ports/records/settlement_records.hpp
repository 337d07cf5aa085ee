// Settlements and the attempts to pay them. Both change by compare-and-set only.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/funding/disbursement.hpp"
#include "core/domain/funding/portfolio.hpp"
#include "core/domain/funding/settlement.hpp"
#include "core/domain/ledger/reports.hpp"
#include "core/domain/reconciliation/overdue.hpp"

namespace tideover::ports {

/// No client can send it: the database lost the confirm, and any request may be its repetition.
inline constexpr std::string_view kAnyKey = "\n";

struct StoredSettlement {
  domain::Settlement settlement;
  std::string confirm_key;  // digest of the Idempotency-Key of the funding confirm; empty: none; kAnyKey: lost
};

/// Empty members match everything.
struct SettlementFilter {
  std::optional<domain::ClaimId> claim = std::nullopt;
  std::string_view payer_id = {};
  std::optional<domain::SettlementStatus> status = std::nullopt;
  std::optional<domain::Decision> decision = std::nullopt;
  std::optional<domain::FundingStatus> funding_status = std::nullopt;
};

/// An advance that is not paid in full. Ordered by expected date, then id.
struct Overdue {
  domain::Date expected = domain::Date::from_days(0);
  domain::SettlementId settlement;
  domain::TenantId tenant;
};

class SettlementRecords {
 public:
  virtual ~SettlementRecords() = default;
  /// A claim has at most one live settlement (not declined, not canceled): a second one is a unique violation.
  virtual void insert(const domain::TenantId& tenant, const StoredSettlement& stored) = 0;
  virtual std::optional<StoredSettlement> find(const domain::TenantId& tenant,
                                               const domain::SettlementId& id) const = 0;
  /// Decrypts nothing, so that a damaged settlement is found too.
  virtual bool exists(const domain::TenantId& tenant, const domain::SettlementId& id) const = 0;
  /// Whether an advance was ever paid for claims of this payer, or of the provider with this billing NPI.
  virtual bool has_advanced_payer(const domain::TenantId& tenant, std::string_view payer_id) const = 0;
  virtual bool has_advanced_provider(const domain::TenantId& tenant, std::string_view billing_npi) const = 0;
  virtual std::optional<StoredSettlement> live_of(const domain::TenantId& tenant,
                                                  const domain::ClaimId& claim) const = 0;
  virtual std::vector<domain::Settlement> list(const domain::TenantId& tenant, const SettlementFilter& filter,
                                               const domain::ListPage& page) const = 0;
  /// Expired before a confirm, without money on its way; longest ago first, all tenants.
  virtual std::vector<std::pair<domain::TenantId, domain::SettlementId>> lapsed(domain::Timestamp now,
                                                                                std::size_t limit) const = 0;
  virtual std::optional<StoredSettlement> latest_of(const domain::TenantId& tenant,
                                                    const domain::ClaimId& claim) const = 0;
  /// Funded settlements of this payer without a standing reconciliation record that expect a payment in `expected`;
  /// nullopt: on any day. At most `limit`.
  virtual std::vector<domain::Settlement> awaiting_payment(const domain::TenantId& tenant, std::string_view payer_id,
                                                           const domain::MoneyRange& expected,
                                                           const std::optional<domain::DateRange>& days,
                                                           std::size_t limit) const = 0;
  /// Payers with funded advances that are not paid in full; largest sums first.
  virtual std::vector<std::string> payers_that_owe(const domain::TenantId& tenant, std::size_t limit) const = 0;
  /// Whether the payer still owes: false after the final reconciliation. Set automatically when it is funded or ends.
  virtual void set_receivable(const domain::TenantId& tenant, const domain::SettlementId& id, bool open) = 0;
  /// Changes the residual that is due and not claimed for a payout by `change`. It is the queue of automatic payouts.
  virtual void add_residual_due(const domain::TenantId& tenant, const domain::SettlementId& id,
                                domain::Money change) = 0;
  /// Funded settlements with a due residual of at least `minimum` whose last payout, if any, was taken by the rail;
  /// ordered by id, after `after`, all tenants.
  virtual std::vector<std::pair<domain::TenantId, domain::SettlementId>> residuals_due(domain::Money minimum,
                                                                                       std::string_view after,
                                                                                       std::size_t limit) const = 0;
  /// Open receivables expected on `latest` or before, after `after`; longest ago first, all tenants.
  virtual std::vector<Overdue> overdue(domain::Date latest, const Overdue& after, std::size_t limit) const = 0;
  /// Adds a posting on this settlement to the sums of its payer, billing provider and day. The caller holds the
  /// tenant's matching guard.
  virtual void add_to_portfolio(const domain::TenantId& tenant, const domain::SettlementId& id, domain::Date day,
                                const domain::PortfolioChange& change) = 0;
  /// Reads a few rows, however many settlements there are.
  virtual domain::Portfolio portfolio(const domain::TenantId& tenant, std::string_view payer_id,
                                      std::string_view billing_npi, domain::Date today) const = 0;
  /// Open receivables by payer and age.
  virtual std::vector<domain::PayerAging> aging(const domain::TenantId& tenant, domain::Date today) const = 0;
  /// Open receivables by payer and by days since their funding; by payer id.
  virtual std::vector<domain::PayerOutstanding> outstanding(const domain::TenantId& tenant,
                                                            domain::Date today) const = 0;
  /// Writes the changeable members (status, funding, terms, confirm key) if the row still has version
  /// `stored.settlement.version`, and raises the version. False when another writer was first.
  virtual bool update(const domain::TenantId& tenant, const StoredSettlement& stored) = 0;

  /// Notes that this client changed how the settlement will be paid.
  virtual void note_funding_change(const domain::TenantId& tenant, const domain::SettlementId& id,
                                   const domain::ClientId& client, domain::Timestamp at) = 0;
  virtual bool has_changed_funding(const domain::TenantId& tenant, const domain::SettlementId& id,
                                   const domain::ClientId& client) const = 0;

  virtual void insert_attempt(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt) = 0;
  virtual std::optional<domain::DisbursementAttempt> latest_attempt(const domain::TenantId& tenant,
                                                                    const domain::PaymentSubject& subject,
                                                                    domain::Purpose purpose) const = 0;
  /// Every attempt to pay this subject for this purpose, oldest first.
  virtual std::vector<domain::DisbursementAttempt> attempts_of(const domain::TenantId& tenant,
                                                               const domain::PaymentSubject& subject,
                                                               domain::Purpose purpose) const = 0;
  /// Payouts of the residual of a settlement, oldest first.
  virtual std::vector<domain::DisbursementAttempt> payouts_of(const domain::TenantId& tenant,
                                                              const domain::SettlementId& settlement) const = 0;
  /// The last payout that a request with this key made.
  virtual std::optional<domain::DisbursementAttempt> payout_requested(const domain::TenantId& tenant,
                                                                      const domain::PaymentSubject& subject,
                                                                      domain::Purpose purpose,
                                                                      std::string_view request_key) const = 0;
  /// Payouts to practices. Empty `npi`: to all.
  virtual std::vector<domain::DisbursementAttempt> practice_payouts(const domain::TenantId& tenant,
                                                                    std::string_view npi,
                                                                    const domain::ListPage& page) const = 0;
  virtual std::optional<domain::DisbursementAttempt> practice_payout(const domain::TenantId& tenant,
                                                                     const domain::TransferId& id) const = 0;
  /// The payment with this id, of any purpose.
  virtual std::optional<domain::DisbursementAttempt> transfer(const domain::TenantId& tenant,
                                                              const domain::TransferId& id) const = 0;
  /// Writes state, rail, epoch, reference, reasons and schedule if the row still has `expected_epoch` and
  /// `expected_state`. False: fenced out.
  virtual bool update_attempt(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt,
                              int expected_epoch, domain::AttemptState expected_state) = 0;
  /// Attempts in intent, submitting or unknown that are due for another try, oldest first, all tenants. Without intents
  /// on a rail whose sender is another node than `node`.
  virtual std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> attempts_due(
      std::string_view node, domain::Timestamp now, std::size_t limit) const = 0;
  /// Accepted or settled payments that are due for a question to the rail, oldest first, all tenants.
  virtual std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> payments_to_follow(
      domain::Timestamp now, std::size_t limit) const = 0;
  /// Rails with undecided payments: started, unknown, or accepted and not settled; all tenants.
  virtual std::vector<std::string> rails_under_way() const = 0;
  /// The tenant and attempt of this key; all tenants.
  virtual std::optional<std::pair<domain::TenantId, domain::DisbursementAttempt>> find_attempt(
      std::string_view rail_key) const = 0;
  /// Attempts created from `from` (inclusive) to `to` (exclusive), ordered by id, after the id `after`; all tenants.
  virtual std::vector<std::pair<domain::TenantId, domain::DisbursementAttempt>> attempts_between(
      domain::Timestamp from, domain::Timestamp to, std::string_view after, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
