#include "core/usecases/matching/allocation.hpp"

#include <algorithm>
#include <map>

#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/carried_balance.hpp"
#include "core/domain/reconciliation/match.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::Money;
using domain::PaymentKind;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = RemittanceClaimRecord::State;
using Ownership = AllocationTargets::Ownership;

/// Per payer: the last remittances that posted or recovered a forward balance.
constexpr std::size_t kMostMoved = 1000;

/// What is left of the remittance's money. One deposit may pay several remittances. Each may spend at most its
/// announced amount, and all together at most the deposit.
Money left_of(const Remittance& remittance, const Deposit* deposit) {
  // Accepted losses add funds. Forward balances and credits to the provider use them up.
  Money announced = (deposit ? remittance.draft.payment_amount : Money{}) + remittance.withheld - remittance.carried -
                    remittance.paid_to_provider;
  for (const auto& paid : remittance.claims)
    if (paid.state == State::posted) announced -= paid.claim.paid_amount;
  return deposit ? std::min(announced, deposit->amount - deposit->matched_amount) : announced;
}

/// Money of claims in question, and of claims with an advance that no rule may post. It is reserved until a reviewer
/// decides on them.
Money reserved_of(const Remittance& remittance, const AllocationTargets& targets) {
  return std::max(
      unposted(remittance, targets, Ownership::in_question) + unposted(remittance, targets, Ownership::of_advance),
      Money{});
}

/// How much of the payer's forward balance the remittance can still recover: the amount that it names (PLB WO), and
/// otherwise what its advances need. Recoveries for other claims concern no advance as long as other claims are paid.
Money takes_of_balance(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
                       Money needed) {
  const auto& payer = remittance.draft.payer_id;
  const Money carries = domain::carries_of(remittance.draft);
  if (carries >= Money{} || payer.empty()) return {};
  // Recover at most what this remittance withholds, and at most what the payer's balance still holds.
  const Money most = std::min(remittance.carried - carries, records.remittances().carried_by(tenant, payer));
  if (most <= Money{}) return {};
  if (needed >= most) return most;
  std::vector<Remittance> moved;
  if (domain::names_balances(remittance.draft)) moved = records.remittances().moved_balances(tenant, payer, kMostMoved);
  std::erase_if(moved, [&](const Remittance& other) { return other.id == remittance.id; });
  // `carried` is negative for what was recovered before: only the rest is left to recover.
  const Money named = domain::withheld_of(remittance.draft, moved) + remittance.carried;
  return std::min(most, std::max({named, needed, Money{}}));
}

/// The payments of the waiting claims less their takebacks, by advance. Only a takeback that can be posted counts.
std::map<domain::SettlementId, Money> open_of(const ports::Records& records, const domain::TenantId& tenant,
                                              const Remittance& remittance, const AllocationTargets& targets) {
  std::map<domain::SettlementId, Money> open, taken;
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& paid = remittance.claims[i];
    const Money amount = paid.claim.paid_amount;
    if (paid.state != State::waiting || !targets[i]) continue;
    const auto& advance = targets[i]->settlement.id;
    if (amount >= Money{}) {
      // A payment counts even before its advance is funded: its money must still be there then.
      open[advance] += amount;
    } else if (automatic_kind(paid.claim) == PaymentKind::taken_back && is_funded(targets[i]) &&
               may_take_back(records, tenant, *targets[i], taken[advance] - amount)) {
      taken[advance] -= amount;
      open[advance] += amount;
    }
  }
  return open;
}

}  // namespace

std::optional<PaymentKind> kind_as_decided(const domain::RemittanceClaim& claim) {
  const auto answer = domain::answer_of(claim);
  const bool takes_back = answer.paid < Money{};
  switch (answer.kind) {
    // A negative payment is a takeback, whichever status the payer gives it.
    case domain::AnswerKind::processed:
      return takes_back ? PaymentKind::taken_back : PaymentKind::processed;
    case domain::AnswerKind::denied:
      return takes_back ? PaymentKind::taken_back : PaymentKind::denied;
    case domain::AnswerKind::taken_back:
      return takes_back ? std::optional(PaymentKind::taken_back) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<PaymentKind> automatic_kind(const domain::RemittanceClaim& claim) {
  return domain::answer_of(claim).contradiction.empty() ? kind_as_decided(claim) : std::nullopt;
}

bool is_funded(const AllocationTarget& target) {
  return target.settlement.status == domain::SettlementStatus::funded;
}
bool is_funded(const std::optional<AllocationTarget>& target) {
  return target && is_funded(*target);
}

Money unposted(const Remittance& remittance, const AllocationTargets& targets, AllocationTargets::Ownership ownership) {
  Money sum;
  for (std::size_t i = 0; i < targets.ownership.size(); ++i)
    if (remittance.claims[i].state == State::unmatched && targets.ownership[i] == ownership)
      sum += remittance.claims[i].claim.paid_amount;
  return sum;
}

Money kept_for_reviewers(const Remittance& remittance, const AllocationTargets& targets) {
  Money sum;
  for (std::size_t i = 0; i < targets.ownership.size(); ++i)
    if (remittance.claims[i].state == State::unmatched &&
        (targets.ownership[i] == Ownership::in_question || targets.ownership[i] == Ownership::of_advance))
      sum += std::max(remittance.claims[i].claim.paid_amount, Money{});
  return sum;
}

domain::Position position_of(const ports::Records& records, const domain::TenantId& tenant,
                             const AllocationTarget& target) {
  return domain::position_of(records.reconciliations().of(tenant, target.settlement.id));
}

bool may_take_back(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                   Money amount) {
  return domain::may_take_back(position_of(records, tenant, target),
                               amount + records.reconciliations().accepted_loss(tenant, target.settlement.id));
}

Money advance_of(const domain::Settlement& settlement) {
  return settlement.funded_amount.value_or(settlement.terms.advance_amount);
}

Cover cover_of(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
               const AllocationTargets& targets, const Deposit* deposit) {
  // Money that belongs to no claim (PLB) is credited to the provider and must not pay advances.
  const Money beside = std::max(domain::beside_claims_of(remittance.draft) - remittance.paid_to_provider, Money{});
  Money open;
  for (const auto& [advance, amount] : open_of(records, tenant, remittance, targets)) open += amount;
  const Money left = left_of(remittance, deposit) - beside - open;
  const Money takes =
      takes_of_balance(records, tenant, remittance, reserved_of(remittance, targets) + remittance.withheld - left);
  return {takes, left + takes};
}

bool awaits_funding(const Remittance& remittance, const AllocationTargets& targets) {
  for (std::size_t i = 0; i < targets.of.size(); ++i)
    if (targets[i] && remittance.claims[i].state == State::waiting && !is_funded(targets[i])) return true;
  return false;
}

Money acceptable_loss(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
                      const AllocationTargets& targets) {
  auto open = open_of(records, tenant, remittance, targets);
  Money all;
  for (const auto& target : targets.of) {
    const auto paid = is_funded(target) ? open.find(target->settlement.id) : open.end();
    if (paid == open.end()) continue;
    const auto split = position_of(records, tenant, *target).split;
    // Only what the advance and its fee still lack can be a loss. More would be paid to the provider as a residual.
    const Money owed =
        advance_of(target->settlement) + target->settlement.terms.fee_estimate - split.recovered - split.fee;
    all += std::max(Money{}, std::min(paid->second, owed));
    open.erase(paid);
  }
  // A loss that was accepted before uses up a part of the limit.
  return std::max(Money{}, all - remittance.withheld);
}

Money above_charge(const ports::Records& records, const domain::TenantId& tenant, const domain::Settlement& settlement,
                   Money amount) {
  return domain::above_charge(domain::position_of(records.reconciliations().of(tenant, settlement.id)), amount,
                              settlement.billed.charge);
}

Money left_over(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
                const AllocationTargets& targets, const Deposit* deposit) {
  return cover_of(records, tenant, remittance, targets, deposit).left;
}

std::string_view why_not(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                         const Remittance& remittance, const RemittanceClaimRecord& paid, const Deposit* deposit) {
  const Money amount = paid.claim.paid_amount;
  const auto kind = kind_as_decided(paid.claim);
  if (!kind) return "This claim status (CLP02) has no payment to post.";
  if (!is_funded(target)) return "The advance is not funded.";
  if (kind == PaymentKind::taken_back && !may_take_back(records, tenant, target, -amount))
    return "The claim takes back more than was paid for it.";
  if (amount > Money{} && amount > left_of(remittance, deposit))
    return "The money for this claim is missing: its remittance or deposit does not have enough left.";
  return {};
}

}  // namespace tideover::usecases
