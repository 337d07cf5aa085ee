// Posts payments: the reconciliation record, the ledger entries and the event of a payment whose settlement is known
// (core/docs/contract.md#allocation). post_allocation and match_payments find the settlement.
//
// Threads: runs inside the caller's transaction, after guard_matching().
// Units: money is in cents. A positive amount flows from the payer.
#pragma once
#include "core/usecases/allocation/allocation_targets.hpp"
#include "core/usecases/allocation/book_recourse.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// Adds to the matched amount of the deposit, which is not stored.
void spend(domain::Deposit& deposit, domain::Money amount);

class BookPayment {
 public:
  explicit BookPayment(const UnitOfWork& unit) : unit_(unit) {}

  /// Posts a payment out of the deposit, whose match is updated, not stored.
  void payment(const AllocationTarget& target, const domain::Payment& payment, domain::Deposit* deposit,
               const domain::Remittance* remittance, std::string_view matched_by);
  /// The advance was returned by the rail. Everything that the payer paid is credited to the provider, without a fee.
  /// Does nothing when nothing was posted.
  void advance_returned(const AllocationTarget& target);
  /// Posts the remittance of money that was posted to the settlement before its remittance came. `paid` is its claim.
  /// Posts the decided charge if that is still missing.
  void confirmation(const AllocationTarget& target, const domain::Remittance& remittance,
                    domain::RemittanceClaimRecord& paid, domain::Deposit* deposit, std::string_view matched_by);
  /// Adds a record of the opposite amounts. Error invalid_state when a later record builds on this one, or its residual
  /// was paid out or is being paid out.
  domain::Status undo(const domain::SettlementId& settlement, const domain::ReconciliationId& record,
                      domain::Deposit* deposit);
  /// The bank took the money of the record back: undoes it, or takes its payment back where later postings or a payout
  /// build on it. The caller checks that the payer took back no more than is left.
  domain::Status reverse(const domain::SettlementId& settlement, const domain::ReconciliationId& record,
                         domain::Deposit* deposit);
  /// The records of the settlement that are not undone, in order.
  std::vector<domain::ReconciliationRecord> standing_of(const domain::SettlementId& settlement) const;

  /// Credits money of the deposit, whose match is updated, not stored, to the provider: it pays no advance.
  void release(domain::Deposit& deposit, domain::Money amount);
  /// Error invalid_state when the money was paid to the provider.
  domain::Status undo_release(domain::Deposit& deposit);
  /// Error invalid_state when less than `released` is owed to the provider.
  domain::Status owes(const std::string& practice, domain::Money released, const std::string& object) const;

  /// Records posted so far, in order.
  const std::vector<domain::ReconciliationRecord>& posted() const { return posted_; }

 private:
  /// `is_advanced`: whether there is an advance to pay back.
  void append_record(const AllocationTarget& target, const domain::Payment& payment, bool is_advanced,
                     domain::Deposit* deposit, const domain::Remittance* remittance, std::string_view matched_by);
  void post(domain::ReconciliationRecord record, domain::FinalStatus before, domain::Deposit* deposit,
            const domain::LedgerParty& party, std::optional<domain::Date> effective);
  void report_payouts();

  const UnitOfWork unit_;
  ports::Records& records_ = unit_.records;
  const domain::TenantId& tenant_ = unit_.tenant;
  const domain::Timestamp now_ = unit_.now;
  ports::IdSource& ids_ = unit_.ids;
  BookRecourse recourse_{unit_};
  std::vector<domain::ReconciliationRecord> posted_;
};

}  // namespace tideover::usecases
