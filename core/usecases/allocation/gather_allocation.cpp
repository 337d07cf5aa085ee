#include "core/usecases/allocation/gather_allocation.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/carried_balance.hpp"

namespace tideover::usecases {
namespace {

using domain::AllocationLine;
using domain::ClaimOwner;
using domain::Money;
using domain::Remittance;
using State = domain::RemittanceClaimRecord::State;

/// Open balances per payer; beyond it the oldest come first.
constexpr std::size_t kMostBalances = 1000;

class Gatherer {
 public:
  Gatherer(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
           const AllocationTargets& targets)
      : records_(records), tenant_(tenant), remittance_(remittance), targets_(targets) {}

  GatheredAllocation run(const domain::Deposit* deposit, bool open_recoveries) {
    gathered_.rows = records_.allocations().of(tenant_, remittance_.id);
    standing_ = domain::standing(gathered_.rows);
    if (open_recoveries) std::erase_if(standing_, is_charged_recovery);
    for (const auto& row : standing_) stands_.emplace(row.line, row.index);
    input_.standing = sum_of(standing_);
    if (deposit) input_.funds = deposit->amount - deposit->matched_amount;
    input_.is_payment_open = !stands(AllocationLine::payment, 0);
    is_migrated_ = !input_.is_payment_open && remittance_.draft.payment_amount >= Money{};
    for (std::size_t i = 0; i < remittance_.claims.size(); ++i) input_.claims.push_back(claim(i));
    input_.payee_npi = payee_of_takebacks();
    for (std::size_t i = 0; i < remittance_.draft.provider_adjustments.size(); ++i)
      input_.adjustments.push_back(adjustment(i));
    add_balances();
    return std::move(gathered_);
  }

 private:
  bool stands(AllocationLine line, std::size_t index) const {
    return stands_.contains({line, static_cast<int>(index)});
  }

  /// The position of the advance in the input; it is added with what was paid for it so far.
  std::size_t advance(const AllocationTarget& target) {
    const auto& settlement = target.settlement;
    const auto [known, is_new] = by_settlement_.try_emplace(settlement.id, gathered_.advances.size());
    if (is_new) {
      gathered_.advances.push_back(target);
      input_.advances.push_back(
          {settlement.id,
           settlement.billed.billing_npi,
           is_funded(target),
           {advance_of(settlement), settlement.terms.fee_estimate, settlement.expected_reimbursement, target.billed},
           position_of(records_, tenant_, target)});
    }
    return known->second;
  }

  domain::ClaimToAllocate claim(std::size_t i) {
    const auto& record = remittance_.claims[i];
    const auto answer = domain::answer_of(record.claim);
    domain::ClaimToAllocate claim;
    claim.paid = answer.paid;
    claim.charge = answer.charge;
    claim.kind = automatic_kind(record.claim);
    claim.refuses_repeat = answer.is_repeat_refused;
    claim.moves_nothing = moves_nothing(record.claim);
    claim.is_open =
        record.state != State::posted && record.state != State::duplicate && !stands(AllocationLine::claim, i);
    claim.owner = targets_.ownership[i];
    if (is_migrated_ && record.state == State::unmatched && claim.owner == ClaimOwner::not_advanced)
      claim.is_open = false;
    if (!claim.is_open) return claim;
    if (targets_[i]) claim.advance = advance(*targets_[i]);
    // A claim that waits for a reviewer is posted by a decision only.
    if (claim.owner == ClaimOwner::of_advance && record.state == State::unmatched)
      claim.owner = ClaimOwner::in_question;
    claim.payee_npi = payee_of(record.claim, targets_[i]);
    return claim;
  }

  std::string payee_of(const domain::RemittanceClaim& claim, const std::optional<AllocationTarget>& target) const {
    if (target) return target->settlement.billed.billing_npi;
    const auto known = records_.claims().find(tenant_, claim.claim_identifier);
    if (known && !known->claim.draft.billing_npi.empty()) return known->claim.draft.billing_npi;
    return claim.billing_npi.empty() ? remittance_.draft.payee_npi : claim.billing_npi;
  }

  /// The practice of the takebacks when they have one practice, else the payee.
  std::string payee_of_takebacks() const {
    std::set<std::string> payees;
    for (std::size_t i = 0; i < input_.claims.size(); ++i)
      if (input_.claims[i].paid < Money{} && input_.claims[i].is_open) payees.insert(input_.claims[i].payee_npi);
    return payees.size() == 1 ? *payees.begin() : remittance_.draft.payee_npi;
  }

  domain::AdjustmentToAllocate adjustment(std::size_t i) {
    const auto& plb = remittance_.draft.provider_adjustments[i];
    domain::AdjustmentToAllocate adjustment;
    adjustment.payee_npi = !plb.npi.empty()                                  ? plb.npi
                           : domain::is_carried(plb) && plb.amount < Money{} ? input_.payee_npi
                                                                             : remittance_.draft.payee_npi;
    adjustment.is_open = !is_migrated_ && !stands(AllocationLine::provider_adjustment, i);
    if (!adjustment.is_open) return adjustment;
    for (const auto& name : domain::names_in(plb.reference))
      if (find_claim(name, domain::is_carried(plb) && plb.amount > Money{}, adjustment)) break;
    return adjustment;
  }

  /// Whether `name` is the number of a known claim. It gives the practice and, for a recovery, the advance.
  bool find_claim(const std::string& name, bool recovers, domain::AdjustmentToAllocate& adjustment) {
    const auto known = records_.claims().find(tenant_, name);
    auto live = known ? records_.settlements().live_of(tenant_, known->claim.id) : advance_known_as(name);
    if (!known && !live) return false;
    adjustment.payee_npi = live ? live->settlement.billed.billing_npi : known->claim.draft.billing_npi;
    const bool is_of_payer = live && live->settlement.payer_id == remittance_.draft.payer_id;
    if (recovers && is_of_payer)
      adjustment.advance = advance({live->settlement, live->settlement.billed.charge});
    else
      adjustment.names_claim = true;
    return true;
  }

  /// The only advance whose claim the payer gave this number (CLP07) before.
  std::optional<ports::StoredSettlement> advance_known_as(const std::string& name) const {
    const auto form = domain::normal_number(name);
    if (form.empty()) return std::nullopt;
    const auto found = records_.alike().advances_known_as(tenant_, form, 2);
    return found.size() == 1 ? records_.settlements().find(tenant_, found.front().settlement) : std::nullopt;
  }

  void add_balances() {
    const auto& plbs = remittance_.draft.provider_adjustments;
    const bool recovers = std::any_of(plbs.begin(), plbs.end(),
                                      [](const auto& plb) { return domain::is_carried(plb) && plb.amount > Money{}; });
    if (!recovers || remittance_.draft.payer_id.empty()) return;
    const bool names = std::any_of(plbs.begin(), plbs.end(), [](const auto& plb) { return !plb.reference.empty(); });
    std::map<domain::RemittanceId, std::optional<Remittance>> carriers;
    for (auto& open : records_.allocations().open_balances(tenant_, remittance_.draft.payer_id, kMostBalances)) {
      auto& balance = input_.balances.emplace_back(domain::BalanceToAllocate{open.row, open.payee_npi, open.left});
      if (!names) continue;
      const auto [carrier, is_new] = carriers.try_emplace(open.row.remittance);
      if (is_new) carrier->second = records_.remittances().find(tenant_, open.row.remittance);
      if (carrier->second) balance.names = domain::names_of_balance(*carrier->second, open.line, open.index);
    }
  }

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  const Remittance& remittance_;
  const AllocationTargets& targets_;
  GatheredAllocation gathered_{{remittance_.draft}};
  domain::AllocationInput& input_ = gathered_.input;
  std::vector<domain::AllocationRow> standing_;
  std::set<std::pair<AllocationLine, int>> stands_;  // the lines of standing_
  bool is_migrated_ = false;                         // posted before allocations were stored: its rows name no lines
  std::map<domain::SettlementId, std::size_t> by_settlement_;
};

}  // namespace

bool is_charged_recovery(const domain::AllocationRow& row) {
  return row.reason == domain::AllocationReason::unknown_recovered ||
         row.reason == domain::AllocationReason::claim_recovered;
}

GatheredAllocation gather_allocation(const ports::Records& records, const domain::TenantId& tenant,
                                     const Remittance& remittance, const AllocationTargets& targets,
                                     const domain::Deposit* deposit, bool open_recoveries) {
  return Gatherer(records, tenant, remittance, targets).run(deposit, open_recoveries);
}

}  // namespace tideover::usecases
