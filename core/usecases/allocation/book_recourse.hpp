// Books who bears what a payer takes back, withholds, pays too much or does not pay (core/docs/waterfall.md#recourse).
// The payment itself is booked to its usual accounts first. Where the recourse rule names other bearers, one more
// transaction moves the amount. A payment that is no event asks no rule and reads nothing.
//
// Threads: runs inside the caller's transaction, after guard_matching().
// Units: cents.
#pragma once
#include <vector>

#include "core/domain/reconciliation/allocation.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

class BookRecourse {
 public:
  explicit BookRecourse(const UnitOfWork& unit) : unit_(unit) {}

  /// After `record` was posted to the settlement. `before`: its position without the record.
  void of_record(const domain::Settlement& settlement, const domain::ReconciliationRecord& record,
                 const domain::Position& before, const domain::Payment& payment, const domain::AdvanceTerms& terms);
  /// After `undone` was undone: cancels what it caused.
  void undo_record(const domain::ReconciliationRecord& undone);
  /// The part of the residual of `record` that is not due.
  domain::Money held_by(const domain::ReconciliationRecord& record) const;
  /// After these rows of the remittance got their numbers. `is_returned`: the bank took its money back.
  void of_rows(const domain::RemittanceId& remittance, const std::vector<domain::AllocationRow>& rows,
               bool is_returned);
  /// Releases the held part to the practice, as far as its reserve has it.
  void release(const domain::RecourseEntry& held);

 private:
  domain::RecourseEntry decide(domain::RecourseFacts facts);
  void give_back(const domain::Settlement& settlement, const domain::ReconciliationRecord& record,
                 const domain::Position& after);
  void refill(const domain::ReconciliationRecord& undone, const domain::RecourseFacts& facts);
  void undo_of_rows(const domain::RemittanceId& remittance, const std::vector<domain::AllocationRow>& rows);
  void append(domain::RecourseEntry entry);
  domain::RecourseEntry entry_of(const domain::Settlement& settlement, const domain::ReconciliationRecord& record,
                                 domain::RecourseEntry::Kind kind) const;

  const UnitOfWork unit_;
  domain::Money returned_;    // of the held part of the settlement, by give_back()
  domain::Money reimbursed_;  // of the residual to those who bore its takeback, by give_back()
};

}  // namespace tideover::usecases
