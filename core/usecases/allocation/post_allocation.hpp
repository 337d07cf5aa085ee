// Posts the allocation of a remittance: the rows that `allocate` plans, their records and ledger entries, and the
// states of its claims. An undo appends opposite rows.
//
// Threads: runs inside the caller's transaction, after guard_matching().
// Units: money is in cents. A positive amount flows from the payer.
#pragma once
#include <set>
#include <string>
#include <utility>

#include "core/usecases/allocation/book_payment.hpp"
#include "core/usecases/allocation/gather_allocation.hpp"

namespace tideover::usecases {

/// The task text for a remittance without a known payer.
inline constexpr const char* kRemitterUnknown =
    "The payer of this remittance is unknown, and nothing else identifies it. Assign the payer (assign_payer).";

/// Remittances with a provider adjustment that waits for payments of one advance.
inline constexpr std::size_t kMostHeldRecoveries = 1000;

class PostAllocation {
 public:
  PostAllocation(const UnitOfWork& unit, BookPayment& booking) : unit_(unit), booking_(booking) {}

  /// Posts what the plan allows, and opens a task for what it holds. `deposit` (nullptr: no money came): its match is
  /// updated, not stored. `task`: the decision that freed its lines.
  void post(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit,
            std::string_view matched_by, const std::optional<domain::TaskId>& task = std::nullopt);
  /// The same, accepting that money is missing: the advances bear it. Error invalid_state, and nothing is posted, when
  /// more is missing than their payments.
  domain::Status post_short(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit,
                            const domain::TaskId& task);
  /// Posts a part of a long remittance: `part` has its claims. What it appends to the allocation; nullopt, and nothing
  /// is posted, when a takeback or a recovery holds the remittance as a whole.
  struct Appended {
    int rows = 0;
    domain::Money sum{};
  };
  std::optional<Appended> post_part(domain::Remittance& part, const AllocationTargets& targets,
                                    domain::Deposit* deposit, std::string_view matched_by, const AllocationPart& scope);
  /// Whether post() would post a row.
  bool may_post(const domain::Remittance& remittance, const AllocationTargets& targets,
                const domain::Deposit* deposit) const;
  /// Posts recoveries that were charged to their practices against the balances that are known now. Returns whether
  /// any was.
  bool use_balances(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit,
                    std::string_view matched_by);

  /// Posts a claim by a reviewer's decision to its target, and what the decision frees. Error invalid_state when the
  /// claim is no payment, takes back more than was paid, or its money is not there.
  domain::Status claim_as_decided(const AllocationTargets& targets, domain::Remittance& remittance,
                                  domain::RemittanceClaimRecord& paid, domain::Deposit* deposit,
                                  const domain::TaskId& task);
  /// The claim belongs to money that was posted to its settlement before the remittance came.
  void confirm(const AllocationTarget& target, domain::Remittance& remittance, domain::RemittanceClaimRecord& paid,
               domain::Deposit* deposit, std::string_view matched_by);
  /// Credits the claims in question to their practices, as far as their money is there. Returns how many.
  std::size_t release(domain::Remittance& remittance, const AllocationTargets& targets, domain::Deposit* deposit,
                      const domain::TaskId& task);
  /// Cancels the rows that stand: all of them, or those of one claim and of one decision, with the records that they
  /// posted. Error invalid_state when a later posting builds on one, or the rows that are left would pay more than the
  /// remittance.
  domain::Status undo(domain::Remittance& remittance, domain::Deposit* deposit, std::optional<int> claim = std::nullopt,
                      const std::optional<domain::TaskId>& decision = std::nullopt);
  /// The bank took the money back: cancels all rows that stand, also where money was paid on. Error invalid_state when
  /// a later remittance uses a forward balance of this one, or see BookPayment::reverse().
  domain::Status reverse(domain::Remittance& remittance, domain::Deposit* deposit);
  /// Positions of the claims with a row that the undo of this decision about a claim cancels.
  std::set<int> claims_of(const domain::Remittance& remittance, int claim, const domain::TaskId& decision) const;

  /// The decisions that posted its standing rows.
  std::set<domain::TaskId> decisions_of(const domain::Remittance& remittance) const;
  /// The records that the standing rows of the remittance posted: undo() undoes them.
  std::set<domain::ReconciliationId> posted_by_rows(const domain::Remittance& remittance) const;

  /// Payers for whom a forward balance was posted since the last call.
  std::set<std::string> take_forwarded_payers() { return std::exchange(forwarded_payers_, {}); }

 private:
  void apply(domain::Remittance& remittance, const AllocationTargets& targets, GatheredAllocation& gathered,
             domain::AllocationPlan plan, domain::Deposit* deposit, std::string_view matched_by,
             const std::optional<domain::TaskId>& task = std::nullopt);
  void append(domain::Remittance& remittance, std::vector<domain::AllocationRow> rows, int first_number,
              domain::Deposit* deposit, const std::optional<domain::TaskId>& task, bool is_returned = false);
  /// Posts a decided claim alone, while the other lines of its remittance are held.
  domain::Status claim_alone(const AllocationTarget& target, domain::Remittance& remittance,
                             domain::RemittanceClaimRecord& paid, domain::Deposit* deposit, const domain::TaskId& task);
  domain::Status cancel(domain::Remittance& remittance, domain::Deposit* deposit,
                        std::vector<domain::AllocationRow> undone, bool is_returned);
  void undo_withholding(domain::Remittance& remittance, domain::Deposit* deposit);
  void update_claims(domain::Remittance& remittance, const AllocationTargets& targets,
                     const domain::AllocationPlan& plan);
  void report(const domain::Remittance& remittance, const domain::AllocationPlan& plan);

  const UnitOfWork unit_;
  ports::Records& records_ = unit_.records;
  const domain::TenantId& tenant_ = unit_.tenant;
  BookPayment& booking_;
  BookRecourse recourse_{unit_};
  std::set<std::string> forwarded_payers_;
};

/// Positions of the claims of the remittance that reviewers released to the practice.
std::set<int> released_claims(const ports::Records& records, const domain::TenantId& tenant,
                              const domain::Remittance& remittance);

/// The reason why a reviewer cannot post this claim of the remittance to the advance; empty when it is possible.
std::string_view why_not(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                         const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                         const domain::Deposit* deposit);

}  // namespace tideover::usecases
