// Posts payments: the reconciliation record, the ledger entries and the event of a payment whose settlement is known
// (core/docs/contract.md#allocation). match_payments finds the settlement.
//
// Threads: runs inside the caller's transaction, after guard_matching().
// Units: money is in cents. A positive amount flows from the payer.
#pragma once
#include "core/usecases/matching/allocation.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// The task text for a remittance without a known payer.
inline constexpr const char* kRemitterUnknown =
    "The payer of this remittance is unknown, and nothing else identifies it. Assign the payer (assign_payer).";

class BookPayment {
 public:
  explicit BookPayment(const UnitOfWork& unit) : unit_(unit) {}

  /// Posts the waiting claims of a remittance, takebacks first, and its provider adjustments (PLB). A claim without a
  /// target becomes `unmatched`. A claim keeps waiting when its advance is not funded, when it takes back more than
  /// was paid, when it may be a second payment of the same claim, or when the payments exceed the charge. All claims
  /// wait when they pay more than the money that came, plus the takebacks from others and the payer's forward balance.
  /// `deposit` (nullptr: no money came): its match is updated, not stored.
  void post_claims(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit,
                   std::string_view matched_by);
  /// Whether post_claims() would post one of the waiting claims.
  bool may_book(const domain::Remittance& remittance, const AllocationTargets& targets,
                const domain::Deposit* deposit) const;
  /// Posts a payment out of the deposit, whose match is updated, not stored.
  void payment(const AllocationTarget& target, const domain::Payment& payment, domain::Deposit* deposit,
               const domain::Remittance* remittance, std::string_view matched_by);
  /// The advance was returned by the rail. Everything that the payer paid is credited to the provider, without a fee.
  /// Losses that a reviewer accepted (`accept_short`) are reversed: that money never came and is not credited to the
  /// provider. Does nothing when nothing was posted.
  void advance_returned(const AllocationTarget& target);
  /// Posts the remittance of money that was posted to the settlement before its remittance came. `paid` is its claim.
  /// Posts the decided charge if that is still missing.
  void confirmation(const AllocationTarget& target, const domain::Remittance& remittance,
                    domain::RemittanceClaimRecord& paid, domain::Deposit* deposit, std::string_view matched_by);

  /// Posts a claim of the remittance by a reviewer's decision. Error invalid_state when the claim is no payment, takes
  /// back more than was paid, or its money is not there.
  domain::Status claim_as_decided(const AllocationTarget& target, const domain::Remittance& remittance,
                                  domain::RemittanceClaimRecord& paid, domain::Deposit* deposit);
  /// Adds a record of the opposite amounts. Error invalid_state when a later record builds on this one, or its residual
  /// was paid out or is being paid out.
  domain::Status undo(const domain::ReconciliationRecord& record, domain::Deposit* deposit);

  /// Posts what the remittance does apart from its advances, as far as its money suffices: what it pays to the provider
  /// (interest, and claims without an advance), the balance that it carries forward (once all of its claims are
  /// posted), and what it recovers of earlier forward balances.
  void adjust(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit);
  /// Reverses what was credited to the provider and what was accepted as a loss. Forward balances are not reversed.
  void undo_adjustments(domain::Remittance& remittance, domain::Deposit* deposit);
  /// Posts the money that is missing for the remittance's advances as the funder's loss. Money that comes later reduces
  /// that loss. Error invalid_state, and nothing is posted, when more is missing than acceptable_loss().
  domain::Status accept_missing(domain::Remittance& remittance, const AllocationTargets& targets,
                                domain::Deposit* deposit);
  /// Credits money that pays no advance to the provider: money of the deposit, whose match is updated, not stored, or
  /// money of the remittance.
  void release(domain::Deposit& deposit, domain::Money amount) { book_release(deposit, amount); }
  void release(domain::Remittance& remittance, domain::Money amount, domain::Deposit* deposit) {
    book_adjustments(remittance, {}, amount, deposit);
  }
  /// Error invalid_state when the money was paid to the provider.
  domain::Status undo_release(domain::Deposit& deposit);
  domain::Status undo_release(domain::Remittance& remittance, domain::Money amount, domain::Deposit* deposit);
  /// Whether the money suffices for all advances of the remittance.
  bool covers(const domain::Remittance& remittance, const AllocationTargets& targets,
              const domain::Deposit* deposit) const {
    return left_over(records_, tenant_, remittance, targets, deposit) >= domain::Money{};
  }

  /// Records posted so far, in order.
  const std::vector<domain::ReconciliationRecord>& posted() const { return posted_; }
  /// Payers for whom a forward balance was posted so far, in order.
  const std::vector<std::string>& forwarded_payers() const { return forwarded_payers_; }

 private:
  /// Error invalid_state when less than `released` is owed to the provider.
  domain::Status owes(domain::Money released, const std::string& object) const;
  void book_loss(domain::Remittance& remittance, domain::Money loss, domain::Deposit* deposit);
  void book_release(domain::Deposit& deposit, domain::Money amount);
  void book_adjustments(domain::Remittance& remittance, domain::Money carried, domain::Money paid,
                        domain::Deposit* deposit);
  void claim(const AllocationTarget& target, const domain::Remittance& remittance, domain::RemittanceClaimRecord& paid,
             domain::Deposit* deposit, std::string_view matched_by);
  void append_record(const AllocationTarget& target, const domain::Payment& payment, domain::Money advance,
                     domain::Money fee, domain::Deposit* deposit, const domain::Remittance* remittance,
                     std::string_view matched_by);
  void post(domain::ReconciliationRecord record, domain::FinalStatus before, domain::Deposit* deposit);
  void open_task(const domain::Remittance& remittance, std::string note);

  const UnitOfWork unit_;
  ports::Records& records_ = unit_.records;
  const domain::TenantId& tenant_ = unit_.tenant;
  const domain::Timestamp now_ = unit_.now;
  ports::IdSource& ids_ = unit_.ids;
  std::vector<domain::ReconciliationRecord> posted_;
  std::vector<std::string> forwarded_payers_;
};

}  // namespace tideover::usecases
