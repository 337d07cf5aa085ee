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

bool is_recovery(const domain::ProviderAdjustment& plb) {
  return domain::is_carried(plb) && plb.amount > Money{};
}

bool is_forward(const domain::ProviderAdjustment& plb) {
  return domain::is_carried(plb) && plb.amount < Money{};
}

/// Tells practices from the billing platforms and clearinghouses that payers name as the payee of a remittance.
class Practices {
 public:
  Practices(const ports::Records& records, const domain::TenantId& tenant) : records_(records), tenant_(tenant) {}
  /// The NPI if it is that of a practice, else empty.
  std::string of(const std::string& npi, const Remittance& remittance) {
    if (npi.empty() || npi != remittance.draft.payee_npi) return npi;
    const auto [known, is_new] = known_.try_emplace({npi, remittance.id}, false);
    if (is_new) known->second = is_practice(npi, remittance);
    return known->second ? npi : std::string();
  }

 private:
  /// It has advances, or claims of the remittance.
  bool is_practice(const std::string& npi, const Remittance& remittance) const {
    if (records_.settlements().has_advanced_provider(tenant_, npi)) return true;
    return std::any_of(remittance.claims.begin(), remittance.claims.end(), [&](const auto& record) {
      if (record.claim.billing_npi == npi) return true;
      const auto known = records_.claims().find(tenant_, record.claim.claim_identifier);
      return known && known->claim.draft.billing_npi == npi;
    });
  }

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  std::map<std::pair<std::string, domain::RemittanceId>, bool> known_;
};

class Gatherer {
 public:
  Gatherer(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
           const AllocationTargets& targets)
      : records_(records), tenant_(tenant), remittance_(remittance), targets_(targets) {}

  GatheredAllocation run(const domain::Deposit* deposit, const AllocationQuestion& question) {
    decided_ = question.decided;
    part_ = question.part;
    gathered_.rows = part_ ? part_->rows : records_.allocations().of(tenant_, remittance_.id);
    standing_ = domain::standing(gathered_.rows);
    if (question.are_recoveries_open) std::erase_if(standing_, is_charged_recovery);
    for (const auto& row : standing_) stands_.emplace(row.line, row.index);
    input_.standing = part_ ? part_->allocated : sum_of(standing_);
    if (deposit) input_.funds = deposit->amount - deposit->matched_amount;
    input_.remittance = remittance_.id;
    input_.next_number = part_ ? part_->next_number : next_number(gathered_.rows);
    input_.is_payment_open = !stands(AllocationLine::payment, 0);
    is_migrated_ = !input_.is_payment_open && remittance_.draft.payment_amount >= Money{};
    for (std::size_t i = 0; i < remittance_.claims.size(); ++i) input_.claims.push_back(claim(i));
    input_.payee_npi = payee_of_takebacks();
    if (has_adjustments()) input_.practice = practices_.of(input_.payee_npi, whole());
    const auto& plbs = remittance_.draft.provider_adjustments;
    for (std::size_t i = 0; i < plbs.size(); ++i) input_.adjustments.push_back(adjustment(i));
    if (!has_adjustments()) return std::move(gathered_);
    if (std::any_of(plbs.begin(), plbs.end(), is_recovery) && !remittance_.draft.payer_id.empty())
      input_.balances = balances_of(records_, tenant_, remittance_.draft.payer_id);
    const bool is_debit = remittance_.draft.payment_amount < Money{};
    if (is_debit || std::any_of(plbs.begin(), plbs.end(), is_forward))
      for (auto& advance : input_.advances)
        advance.recovered = records_.allocations().recovered_of(tenant_, advance.settlement, remittance_.id);
    return std::move(gathered_);
  }

 private:
  const Remittance& whole() const { return part_ ? part_->whole : remittance_; }
  bool has_adjustments() const { return !part_ || part_->has_adjustments; }
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
    const bool is_decided = decided_ == record.index;
    claim.kind = is_decided ? kind_as_decided(record.claim) : automatic_kind(record.claim);
    claim.refuses_repeat = answer.is_repeat_refused;
    claim.moves_nothing = moves_nothing(record.claim);
    claim.is_open = record.state != State::posted && record.state != State::duplicate &&
                    !stands(AllocationLine::claim, static_cast<std::size_t>(record.index));
    claim.owner = targets_.ownership[i];
    if (is_migrated_ && record.state == State::unmatched && claim.owner == ClaimOwner::not_advanced)
      claim.is_open = false;
    // The practice of a posted takeback is still that of the balances of its remittance.
    if (claim.is_open || claim.paid < Money{}) claim.payee_npi = payee_of(record.claim, targets_[i]);
    if (!claim.is_open) return claim;
    if (targets_[i]) claim.advance = advance(*targets_[i]);
    // A claim that waits for a reviewer is posted by a decision only.
    if (claim.owner == ClaimOwner::of_advance && record.state == State::unmatched && !is_decided)
      claim.owner = ClaimOwner::in_question;
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
      if (input_.claims[i].paid < Money{}) payees.insert(input_.claims[i].payee_npi);
    return payees.size() == 1 ? *payees.begin() : remittance_.draft.payee_npi;
  }

  domain::AdjustmentToAllocate adjustment(std::size_t i) {
    const auto& plb = remittance_.draft.provider_adjustments[i];
    domain::AdjustmentToAllocate adjustment;
    adjustment.payee_npi = !plb.npi.empty()  ? plb.npi
                           : is_forward(plb) ? input_.payee_npi
                                             : remittance_.draft.payee_npi;
    adjustment.is_open = has_adjustments() && !is_migrated_ && !stands(AllocationLine::provider_adjustment, i);
    if (!adjustment.is_open) return adjustment;
    for (const auto& name : domain::names_in(plb.reference))
      if (find_claim(name, is_recovery(plb), adjustment)) break;
    adjustment.practice = practices_.of(adjustment.payee_npi, whole());
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

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  const Remittance& remittance_;
  const AllocationTargets& targets_;
  Practices practices_{records_, tenant_};
  GatheredAllocation gathered_{{remittance_.draft}};
  domain::AllocationInput& input_ = gathered_.input;
  std::vector<domain::AllocationRow> standing_;
  std::set<std::pair<AllocationLine, int>> stands_;  // the lines of standing_
  std::optional<int> decided_;
  const AllocationPart* part_ = nullptr;
  bool is_migrated_ = false;  // posted before allocations were stored: its rows name no lines
  std::map<domain::SettlementId, std::size_t> by_settlement_;
};

}  // namespace

std::vector<domain::BalanceToAllocate> balances_of(const ports::Records& records, const domain::TenantId& tenant,
                                                   const std::string& payer) {
  Practices practices(records, tenant);
  struct Carrier {
    std::optional<Remittance> remittance;
    std::shared_ptr<const std::set<std::string>> names;
  };
  std::map<domain::RemittanceId, Carrier> carriers;
  std::vector<domain::BalanceToAllocate> balances;
  for (auto& open : records.allocations().open_balances(tenant, payer, kMostBalances)) {
    auto& [remittance, names] = carriers[open.row.remittance];
    if (!remittance) {
      remittance = records.remittances().find(tenant, open.row.remittance);
      if (!remittance) continue;
      names = std::make_shared<const std::set<std::string>>(domain::names_of_carrier(*remittance));
    }
    auto& balance = balances.emplace_back();
    balance.row = open.row;
    balance.payee_npi = open.payee_npi;
    balance.practice = practices.of(open.payee_npi, *remittance);
    balance.left = open.left;
    balance.carrier_names = names;
    const auto index = static_cast<std::size_t>(open.index);
    const auto& adjustments = remittance->draft.provider_adjustments;
    if (open.line == AllocationLine::provider_adjustment && index < adjustments.size())
      balance.names = domain::names_in(adjustments[index].reference);
  }
  return balances;
}

bool may_use(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
             const std::vector<domain::BalanceToAllocate>& balances) {
  Practices practices(records, tenant);
  const auto& plbs = remittance.draft.provider_adjustments;
  return std::any_of(plbs.begin(), plbs.end(), [&](const auto& plb) {
    if (!is_recovery(plb)) return false;
    const auto names = domain::names_in(plb.reference);
    // A reference may name a claim of another practice: the allocation compares it.
    const auto practice = names.empty()
                              ? practices.of(plb.npi.empty() ? remittance.draft.payee_npi : plb.npi, remittance)
                              : std::string();
    return std::any_of(balances.begin(), balances.end(),
                       [&](const auto& balance) { return domain::uses(practice, names, balance); });
  });
}

bool is_charged_recovery(const domain::AllocationRow& row) {
  return row.reason == domain::AllocationReason::unknown_recovered ||
         row.reason == domain::AllocationReason::claim_recovered;
}

GatheredAllocation gather_allocation(const ports::Records& records, const domain::TenantId& tenant,
                                     const Remittance& remittance, const AllocationTargets& targets,
                                     const domain::Deposit* deposit, const AllocationQuestion& question) {
  return Gatherer(records, tenant, remittance, targets).run(deposit, question);
}

}  // namespace tideover::usecases
