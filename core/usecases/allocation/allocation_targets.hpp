// The advances that the claims of a remittance belong to, and what a claim may be posted as.
//
// Threads: read-only; call inside the caller's transaction, after guard_matching().
// Units: money is in cents. A positive amount flows from the payer.
#pragma once
#include "core/domain/funding/settlement.hpp"
#include "core/domain/reconciliation/allocate.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// The settlement that a claim of a remittance is allocated to.
struct AllocationTarget {
  domain::Settlement settlement;
  domain::Money billed;  // the claim's charge
};
/// The allocation targets of the claims of a remittance, in the same order.
struct AllocationTargets {
  using Ownership = domain::ClaimOwner;
  std::vector<std::optional<AllocationTarget>> of;  // nullopt: no advance
  std::vector<Ownership> ownership;

  const std::optional<AllocationTarget>& operator[](std::size_t claim) const { return of[claim]; }
};

/// The kind of payment that a reviewer may post the claim as. nullopt when there is no payment to post: the claim was
/// forwarded, is pending, or is a reversal that takes nothing back.
std::optional<domain::PaymentKind> kind_as_decided(const domain::RemittanceClaim& claim);

/// The same without a reviewer: an answer that contradicts itself is never posted automatically.
std::optional<domain::PaymentKind> automatic_kind(const domain::RemittanceClaim& claim);

/// Whether the answer moves no money when it pays nothing: a reversal, a forwarded or a predetermined claim.
bool moves_nothing(const domain::RemittanceClaim& claim);

bool is_funded(const AllocationTarget& target);
bool is_funded(const std::optional<AllocationTarget>& target);

domain::Position position_of(const ports::Records& records, const domain::TenantId& tenant,
                             const AllocationTarget& target);

/// The amount of the advance: as funded, before that as agreed.
domain::Money advance_of(const domain::Settlement& settlement);

/// The fee that a payment on this day leaves due. It is fixed on the day on which the principal was recovered; until
/// then it is that of this day. `known`: all records of the settlement.
domain::Money fee_on(domain::Date day, const ports::Records& records, const domain::TenantId& tenant,
                     const domain::Settlement& settlement, const std::vector<domain::ReconciliationRecord>& known);

/// Whether an advance of the remittance waits for its funding. Money that is missing for it may turn out to be no loss.
bool awaits_funding(const domain::Remittance& remittance, const AllocationTargets& targets);

/// The amount by which the payer's payments of an advance, with this one, exceed the charge of its claim. Zero or less:
/// they do not exceed it.
domain::Money above_charge(const ports::Records& records, const domain::TenantId& tenant,
                           const domain::Settlement& settlement, domain::Money amount);

}  // namespace tideover::usecases
