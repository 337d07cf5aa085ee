// Undoes the allocation of a remittance, line by line (declared in post_allocation.hpp).
#include <algorithm>
#include <map>

#include "core/domain/reconciliation/match.hpp"
#include "core/usecases/allocation/post_allocation.hpp"
#include "core/usecases/ledger/post_entry.hpp"

namespace tideover::usecases {
namespace {

using domain::AllocationAccount;
using domain::AllocationLine;
using domain::AllocationReason;
using domain::AllocationRow;
using domain::Deposit;
using domain::Money;
using domain::Remittance;
using domain::RemittanceClaimRecord;

/// Whether the row posted its record. A confirmed row names the record of the deposit, and a shortfall that of its
/// claim.
bool has_own_record(const AllocationRow& row) {
  return row.record && row.line != AllocationLine::shortfall && row.reason != AllocationReason::confirmed;
}

/// The rows that the undo of a decision about a claim cancels: those of the claim and of the decision, and after a
/// decided takeback all later ones. Their money came from it. Without a decision: those of the claim.
std::vector<AllocationRow> rows_of(const std::vector<AllocationRow>& rows, const RemittanceClaimRecord& paid,
                                   const std::optional<domain::TaskId>& decision) {
  const bool takes_back = decision && paid.claim.paid_amount < Money{};
  std::vector<AllocationRow> canceled;
  for (const auto& row : rows) {
    const bool is_of_claim =
        (row.line == AllocationLine::claim || row.line == AllocationLine::shortfall) && row.index == paid.index;
    const bool is_of_another = decision && row.task && row.task != decision;
    const bool is_later = takes_back && !canceled.empty();
    if ((is_of_claim && !is_of_another) || is_later || (decision && row.task == decision)) canceled.push_back(row);
  }
  return canceled;
}

}  // namespace

domain::Status PostAllocation::undo(Remittance& remittance, Deposit* deposit, std::optional<int> claim,
                                    const std::optional<domain::TaskId>& decision) {
  const auto rows = records_.allocations().of(tenant_, remittance.id);
  auto undone = domain::standing(rows);
  const bool is_whole = !claim && !decision;
  Money left = sum_of(undone);
  if (claim)
    undone = rows_of(undone, remittance.claims[static_cast<std::size_t>(*claim)], decision);
  else if (decision)
    std::erase_if(undone, [&](const AllocationRow& row) { return row.task != decision; });
  left -= sum_of(undone);
  if (decision && undone.empty())
    return domain::Error::of(
               domain::ErrorCode::invalid_state,
               "An earlier version posted this decision. It cannot be undone alone. Undo the match of its "
               "remittance.")
        .with("remittance_id", remittance.id.text());
  if (auto canceled = cancel(remittance, deposit, undone, false); !canceled) return canceled;
  if (is_whole) undo_withholding(remittance, deposit);
  // What the decision freed was paid with the money that it took back.
  if (left > std::max(remittance.draft.payment_amount, Money{}) ||
      (deposit && deposit->matched_amount > deposit->amount))
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "Other lines of this remittance were paid with this takeback. It cannot be undone alone. "
                             "Undo the match of its remittance.")
        .with("remittance_id", remittance.id.text());
  return {};
}

domain::Status PostAllocation::reverse(Remittance& remittance, Deposit* deposit) {
  if (auto canceled =
          cancel(remittance, deposit, domain::standing(records_.allocations().of(tenant_, remittance.id)), true);
      !canceled)
    return canceled;
  undo_withholding(remittance, deposit);
  return {};
}

domain::Status PostAllocation::cancel(Remittance& remittance, Deposit* deposit, std::vector<AllocationRow> undone,
                                      bool is_returned) {
  std::reverse(undone.begin(), undone.end());  // a record can be undone only when none builds on it
  std::vector<AllocationRow> opposite;
  std::map<std::string, Money> credited;  // by practice
  for (const auto& row : undone) {
    const domain::AllocationRef self{remittance.id, row.number};
    if (row.reason == AllocationReason::carried_forward && records_.allocations().is_used(tenant_, self))
      return domain::Error::of(domain::ErrorCode::invalid_state,
                               "A later remittance uses the forward balance of this one. It cannot be undone.")
          .with("remittance_id", remittance.id.text());
    if (row.account == AllocationAccount::payable) credited[row.payee_npi] += row.amount;
    if (has_own_record(row))
      if (auto done = is_returned ? booking_.reverse(*row.settlement, *row.record, deposit)
                                  : booking_.undo(*row.settlement, *row.record, deposit);
          !done)
        return done;
    opposite.push_back(opposite_of(row));
    if (row.reason == AllocationReason::carried_forward) opposite.back().balance = self;
  }
  for (const auto& [practice, amount] : credited)
    if (amount > Money{} && !is_returned)  // otherwise the practice owes it
      if (auto owed = booking_.owes(practice, amount, remittance.id.text()); !owed) return owed;
  append(remittance, std::move(opposite), next_number(records_.allocations().of(tenant_, remittance.id)), deposit,
         std::nullopt, is_returned);
  for (const auto& row : undone)
    if (row.reason == AllocationReason::advance_recovered &&
        records_.allocations().recovered_of(tenant_, *row.settlement, {}) < Money{})
      return domain::Error::of(domain::ErrorCode::invalid_state,
                               "A later takeback counts on what this remittance withheld. It cannot be undone.")
          .with("settlement_id", row.settlement->text());
  return {};
}

/// Reverses the loss of an accepted shortfall from before allocations were stored: it has no record.
void PostAllocation::undo_withholding(Remittance& remittance, Deposit* deposit) {
  const Money withheld = std::exchange(remittance.withheld, Money{});
  if (withheld.is_zero()) return;
  auto entry = domain::LedgerTransaction::of(unit_.ids.next<domain::LedgerTransactionId>(),
                                             {"withholding", remittance.id.text()}, unit_.now,
                                             deposit ? deposit->returned_date : std::nullopt);
  entry.debit(std::string(domain::account::kLossOnReceivable), -withheld);
  entry.credit(std::string(domain::account::kSuspenseUnmatched), -withheld);
  post_entry(unit_, std::move(entry));
  records_.remittances().update_adjustments(tenant_, remittance);
  if (deposit) spend(*deposit, withheld);
}

std::set<int> PostAllocation::claims_of(const Remittance& remittance, int claim, const domain::TaskId& decision) const {
  std::set<int> claims;
  for (const auto& row : rows_of(domain::standing(records_.allocations().of(tenant_, remittance.id)),
                                 remittance.claims[static_cast<std::size_t>(claim)], decision))
    if (row.line == AllocationLine::claim) claims.insert(row.index);
  return claims;
}

std::set<domain::TaskId> PostAllocation::decisions_of(const Remittance& remittance) const {
  std::set<domain::TaskId> decisions;
  for (const auto& row : domain::standing(records_.allocations().of(tenant_, remittance.id)))
    if (row.task) decisions.insert(*row.task);
  return decisions;
}

std::set<domain::ReconciliationId> PostAllocation::posted_by_rows(const Remittance& remittance) const {
  std::set<domain::ReconciliationId> records;
  for (const auto& row : domain::standing(records_.allocations().of(tenant_, remittance.id)))
    if (has_own_record(row)) records.insert(*row.record);
  return records;
}

}  // namespace tideover::usecases
