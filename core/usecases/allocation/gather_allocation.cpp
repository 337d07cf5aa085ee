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

class Gatherer {
 public:
  Gatherer(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
           const AllocationTargets& targets)
      : records_(records), tenant_(tenant), remittance_(remittance), targets_(targets) {}

  GatheredAllocation run(const domain::Deposit* deposit, const AllocationQuestion& question) {
    decided_ = question.decided;
    part_ = question.part;
    if (part_) names_.assume(part_->whole, part_->names.is_practice);
    if (deposit) day_ = deposit->received_date;
    gathered_.rows = part_ ? part_->rows : records_.allocations().of(tenant_, remittance_.id);
    standing_ = domain::standing(gathered_.rows);
    if (question.are_recoveries_open)
      for (const auto& open : charged_recoveries(standing_))
        std::erase_if(standing_, [&](const auto& row) { return row.number == open.number; });
    for (const auto& row : standing_) stands_.emplace(row.line, row.index);
    input_.standing = part_ ? part_->allocated : sum_of(standing_);
    if (deposit) input_.funds = deposit->amount - deposit->matched_amount;
    input_.remittance = remittance_.id;
    input_.next_number = part_ ? part_->next_number : next_number(gathered_.rows);
    input_.is_payment_open = !stands(AllocationLine::payment, 0);
    is_migrated_ = !input_.is_payment_open && remittance_.draft.payment_amount >= Money{};
    gathered_.practices.resize(remittance_.claims.size());
    for (std::size_t i = 0; i < remittance_.claims.size(); ++i) input_.claims.push_back(claim(i));
    const auto forward = has_adjustments() ? payee_of_takebacks() : NamedPractice{};
    input_.payee_npi = named(AllocationLine::payment, 0, forward);
    if (has_adjustments()) input_.practice = names_.practice(forward.npi, whole());
    const auto& plbs = remittance_.draft.provider_adjustments;
    for (std::size_t i = 0; i < plbs.size(); ++i) input_.adjustments.push_back(adjustment(i, forward));
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
    const auto [at, is_new] = by_settlement_.try_emplace(settlement.id, gathered_.advances.size());
    if (is_new) {
      gathered_.advances.push_back(target);
      const auto known = records_.reconciliations().of(tenant_, settlement.id);
      input_.advances.push_back({settlement.id,
                                 settlement.billed.billing_npi,
                                 is_funded(target),
                                 {advance_of(settlement), fee_on(day_, records_, tenant_, settlement, known),
                                  settlement.expected_reimbursement, target.billed},
                                 domain::position_of(known)});
    }
    return at->second;
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
    if (claim.is_open || claim.paid < Money{}) claim.payee_npi = payee_of(i);
    if (!claim.is_open) return claim;
    if (targets_[i]) claim.advance = advance(*targets_[i]);
    // A claim that waits for a reviewer is posted by a decision only.
    if (claim.owner == ClaimOwner::of_advance && record.state == State::unmatched && !is_decided)
      claim.owner = ClaimOwner::in_question;
    return claim;
  }

  std::string payee_of(std::size_t i) {
    const auto& claim = remittance_.claims[i].claim;
    auto& practice = gathered_.practices[i];
    if (targets_[i]) return practice = targets_[i]->settlement.billed.billing_npi;
    const auto known = records_.claims().find(tenant_, claim.claim_identifier);
    if (known) practice = known->claim.draft.billing_npi;
    if (!practice.empty()) return practice;
    return claim.billing_npi.empty() ? named(AllocationLine::claim, i, names_.payee(whole())) : claim.billing_npi;
  }

  /// The NPI of the practice of a line; a learned id that named it is noted.
  std::string named(AllocationLine line, std::size_t index, const NamedPractice& practice) {
    if (practice.alias) gathered_.named.insert_or_assign({line, static_cast<int>(index)}, practice);
    return practice.npi;
  }

  /// The practice of the takebacks when they have one practice, else the payee.
  NamedPractice payee_of_takebacks() {
    std::map<std::string, NamedPractice> payees;
    for (std::size_t i = 0; i < input_.claims.size(); ++i) {
      const auto& claim = input_.claims[i];
      if (claim.paid >= Money{}) continue;
      const auto by_alias = gathered_.named.find({AllocationLine::claim, static_cast<int>(i)});
      payees.emplace(claim.payee_npi,
                     by_alias == gathered_.named.end() ? NamedPractice{claim.payee_npi} : by_alias->second);
    }
    return payees.size() == 1 ? payees.begin()->second : names_.payee(whole());
  }

  domain::AdjustmentToAllocate adjustment(std::size_t i, const NamedPractice& forward) {
    const auto& plb = remittance_.draft.provider_adjustments[i];
    domain::AdjustmentToAllocate adjustment;
    adjustment.is_open = has_adjustments() && !is_migrated_ && !stands(AllocationLine::provider_adjustment, i);
    if (!adjustment.is_open) return adjustment;
    for (const auto& name : domain::names_in(plb.reference))
      if (find_claim(name, is_recovery(plb), adjustment)) break;
    if (!adjustment.advance && !adjustment.names_claim) {
      const auto provider = names_.provider(whole(), plb);
      adjustment.payee_npi = named(AllocationLine::provider_adjustment, i,
                                   provider          ? *provider
                                   : is_forward(plb) ? forward
                                                     : names_.payee(whole()));
    }
    adjustment.practice = names_.practice(adjustment.payee_npi, whole());
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
  PayeeNames names_{records_, tenant_};
  GatheredAllocation gathered_{{remittance_.draft}};
  domain::AllocationInput& input_ = gathered_.input;
  std::vector<domain::AllocationRow> standing_;
  std::set<std::pair<AllocationLine, int>> stands_;  // the lines of standing_
  std::optional<int> decided_;
  domain::Date day_ = remittance_.created_at.utc_date();  // of its money
  const AllocationPart* part_ = nullptr;
  bool is_migrated_ = false;  // posted before allocations were stored: its rows name no lines
  std::map<domain::SettlementId, std::size_t> by_settlement_;
};

}  // namespace

std::vector<domain::BalanceToAllocate> balances_of(const ports::Records& records, const domain::TenantId& tenant,
                                                   const std::string& payer) {
  PayeeNames payees(records, tenant);
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
    balance.practice = payees.practice(open.payee_npi, *remittance);
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
  PayeeNames payees(records, tenant);
  const auto& plbs = remittance.draft.provider_adjustments;
  return std::any_of(plbs.begin(), plbs.end(), [&](const auto& plb) {
    if (!is_recovery(plb)) return false;
    const auto names = domain::names_in(plb.reference);
    // A reference may name a claim of another practice: the allocation compares it.
    const auto practice =
        names.empty()
            ? payees.practice(payees.provider(remittance, plb).value_or(payees.payee(remittance)).npi, remittance)
            : std::string();
    return std::any_of(balances.begin(), balances.end(),
                       [&](const auto& balance) { return domain::uses(practice, names, balance); });
  });
}

std::vector<domain::AllocationRow> charged_recoveries(const std::vector<domain::AllocationRow>& standing) {
  using domain::AllocationReason;
  const auto is_charged = [](const domain::AllocationRow& row) {
    return row.reason == AllocationReason::unknown_recovered || row.reason == AllocationReason::claim_recovered;
  };
  std::set<int> lines;
  for (const auto& row : standing)
    if (is_charged(row)) lines.insert(row.index);
  std::vector<domain::AllocationRow> charged;
  for (const auto& row : standing)
    // A balance that paid a part of the line is used again with the others.
    if (is_charged(row) || (row.reason == AllocationReason::balance_recovered && lines.contains(row.index)))
      charged.push_back(row);
  return charged;
}

GatheredAllocation gather_allocation(const ports::Records& records, const domain::TenantId& tenant,
                                     const Remittance& remittance, const AllocationTargets& targets,
                                     const domain::Deposit* deposit, const AllocationQuestion& question) {
  return Gatherer(records, tenant, remittance, targets).run(deposit, question);
}

void note_aliases(std::vector<domain::AllocationRow>& rows, const GatheredAllocation& gathered) {
  for (auto& row : rows) {
    const auto named = gathered.named.find({row.line, row.index});
    if (named != gathered.named.end() && row.account != domain::AllocationAccount::advance &&
        row.payee_npi == named->second.npi)
      row.payee_alias = named->second.alias;
  }
}

}  // namespace tideover::usecases
