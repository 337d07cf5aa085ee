// How the money of a remittance is allocated: the targets of its claims, what a claim may be posted as, and how much
// money is left for whom (core/docs/contract.md#allocation). book_payment posts by these answers.
//
// Threads: read-only; call inside the caller's transaction, after guard_matching().
// Units: money is in cents. A positive amount flows from the payer.
#pragma once
#include "core/domain/funding/settlement.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// The settlement that a claim of a remittance is allocated to.
struct AllocationTarget {
  domain::Settlement settlement;
  domain::Money billed;  // the claim's charge
};
/// The allocation targets of the claims of a remittance, in the same order.
struct AllocationTargets {
  /// of_advance: has a target. in_question: a reviewer has to decide. not_advanced: belongs to no advance. released: a
  /// reviewer released it to the provider.
  enum class Ownership { of_advance, in_question, not_advanced, released };
  std::vector<std::optional<AllocationTarget>> of;  // nullopt: no advance
  std::vector<Ownership> ownership;

  const std::optional<AllocationTarget>& operator[](std::size_t claim) const { return of[claim]; }
};

/// The kind of payment that a reviewer may post the claim as. nullopt when there is no payment to post: the claim was
/// forwarded, is pending, or is a reversal that takes nothing back.
std::optional<domain::PaymentKind> kind_as_decided(const domain::RemittanceClaim& claim);

/// The same without a reviewer: an answer that contradicts itself is never posted automatically.
std::optional<domain::PaymentKind> automatic_kind(const domain::RemittanceClaim& claim);

bool is_funded(const AllocationTarget& target);
bool is_funded(const std::optional<AllocationTarget>& target);

domain::Position position_of(const ports::Records& records, const domain::TenantId& tenant,
                             const AllocationTarget& target);

/// A payer takes back at most what it paid, less what was accepted as a loss of it. Otherwise a settlement would lose
/// the same money twice.
bool may_take_back(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                   domain::Money amount);

/// The amount of the advance: as funded, before that as agreed.
domain::Money advance_of(const domain::Settlement& settlement);

/// The sum of the unmatched claims of this kind.
domain::Money unposted(const domain::Remittance& remittance, const AllocationTargets& targets,
                       AllocationTargets::Ownership ownership);

/// The part of the remittance's money that is kept for reviewers. A takeback that waits does not reduce it: the
/// takeback may be posted elsewhere.
domain::Money kept_for_reviewers(const domain::Remittance& remittance, const AllocationTargets& targets);

/// The money of a remittance for its advances.
struct Cover {
  domain::Money takes;  // of its payer's forward balance
  domain::Money left;   // what remains, with `takes`, after the waiting advances; negative: missing
};

/// What the payer withheld or took back for other claims is covered by its payments for other claims first. Beyond
/// that, money is missing for an advance, and a reviewer has to decide which.
Cover cover_of(const ports::Records& records, const domain::TenantId& tenant, const domain::Remittance& remittance,
               const AllocationTargets& targets, const domain::Deposit* deposit);

/// The reason why a reviewer cannot post this claim of the remittance to the advance; empty when it is possible.
std::string_view why_not(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                         const domain::Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                         const domain::Deposit* deposit);

/// Whether an advance of the remittance waits for its funding. Money that is missing for it may turn out to be no loss.
bool awaits_funding(const domain::Remittance& remittance, const AllocationTargets& targets);

/// What the remittance's waiting claims pay back of their advances and fees, less what was accepted as a loss before. A
/// reviewer may accept at most this much of the missing money as a loss. The rest would be credited to the provider,
/// and a loss must not pay the provider.
domain::Money acceptable_loss(const ports::Records& records, const domain::TenantId& tenant,
                              const domain::Remittance& remittance, const AllocationTargets& targets);

/// The amount by which the payer's payments of an advance, with this one, exceed the charge of its claim. Zero or less:
/// they do not exceed it.
domain::Money above_charge(const ports::Records& records, const domain::TenantId& tenant,
                           const domain::Settlement& settlement, domain::Money amount);

/// The remittance's money less the payments of its waiting advances. Negative: money is missing for them.
domain::Money left_over(const ports::Records& records, const domain::TenantId& tenant,
                        const domain::Remittance& remittance, const AllocationTargets& targets,
                        const domain::Deposit* deposit);

}  // namespace tideover::usecases
