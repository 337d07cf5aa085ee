// Reads what the allocation of a remittance needs: its advances with their positions, the practices of its lines, the
// forward balances of its payer, and the rows that stand (core/docs/waterfall.md).
//
// Threads: read-only; call inside the caller's transaction, after guard_matching().
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/reconciliation/allocate.hpp"
#include "core/usecases/allocation/allocation_targets.hpp"
#include "core/usecases/allocation/payee_names.hpp"

namespace tideover::usecases {

struct GatheredAllocation {
  domain::AllocationInput input;
  std::vector<AllocationTarget> advances{};   // of input.advances
  std::vector<domain::AllocationRow> rows{};  // all of the remittance
  std::vector<std::string> practices{};       // of the claims, as advance or claim say; empty: not known
  std::map<std::pair<domain::AllocationLine, int>, NamedPractice>
      named{};  // the lines whose practice a learned id names
};

/// Claims of a long remittance that are allocated apart from the others (matching/match_chunks).
struct AllocationPart {
  const domain::Remittance& whole;                 // with all claims
  const std::vector<domain::AllocationRow>& rows;  // of these claims, and of lines that are no claims
  domain::Money allocated;                         // the sum of all rows of the remittance
  int next_number = 1;                             // of its rows
  bool has_adjustments;                            // its provider adjustments are allocated with these claims
  const NamesOfPayee& names;
};

struct AllocationQuestion {
  bool are_recoveries_open = false;      // as if the recoveries that were charged to their practices were not posted
  std::optional<int> decided{};          // the claim that a reviewer posts to its target
  const AllocationPart* part = nullptr;  // the remittance has only these claims
};

/// `deposit`: the remittance's money; nullptr: none came.
GatheredAllocation gather_allocation(const ports::Records& records, const domain::TenantId& tenant,
                                     const domain::Remittance& remittance, const AllocationTargets& targets,
                                     const domain::Deposit* deposit, const AllocationQuestion& question = {});

/// Notes in new rows which learned id named their practice.
void note_aliases(std::vector<domain::AllocationRow>& rows, const GatheredAllocation& gathered);

/// The standing rows of recoveries that were charged to their practices, in part at least, because no balance was
/// known.
std::vector<domain::AllocationRow> charged_recoveries(const std::vector<domain::AllocationRow>& standing);

/// The forward balances of the payer that are not used up, oldest first.
std::vector<domain::BalanceToAllocate> balances_of(const ports::Records& records, const domain::TenantId& tenant,
                                                   const std::string& payer);

/// Whether a recovery of the remittance may use one of the balances.
bool may_use(const ports::Records& records, const domain::TenantId& tenant, const domain::Remittance& remittance,
             const std::vector<domain::BalanceToAllocate>& balances);

}  // namespace tideover::usecases
