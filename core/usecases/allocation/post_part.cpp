// Posts a part of a long remittance (declared in post_allocation.hpp).
#include "core/usecases/allocation/learn_payee.hpp"
#include "core/usecases/allocation/post_allocation.hpp"

namespace tideover::usecases {

std::optional<PostAllocation::Appended> PostAllocation::post_part(domain::Remittance& part,
                                                                  const AllocationTargets& targets,
                                                                  domain::Deposit* deposit, std::string_view matched_by,
                                                                  const AllocationPart& scope) {
  if (scope.names.is_learned) {
    auto practices = scope.names.practices;
    for (const auto& target : targets.of)
      if (target) practices.insert(target->settlement.billed.billing_npi);
    forget_ambiguous(unit_, scope.whole, practices);
  }
  auto gathered = gather_allocation(records_, tenant_, part, targets, deposit, {false, std::nullopt, &scope});
  auto plan = allocate(gathered.input);
  if (plan.is_held && scope.has_adjustments) return std::nullopt;
  const Appended appended{static_cast<int>(plan.rows.size()), sum_of(plan.rows)};
  apply(part, targets, gathered, std::move(plan), deposit, matched_by);
  return appended;
}

}  // namespace tideover::usecases
