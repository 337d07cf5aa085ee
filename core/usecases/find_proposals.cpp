#include "core/usecases/find_proposals.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::Money;
using domain::MoneyRange;
using domain::Remittance;
using State = domain::RemittanceClaimRecord::State;

constexpr std::size_t kMostProposals = 10;
constexpr std::size_t kMostCandidates = 50;
/// Sums are tried over all subsets of so many notices.
constexpr std::size_t kMostParts = 12;
constexpr int kSumScore = 60;  // exact cents, but any part may be there by chance

/// A tenth more or less: what is farther away is found by its number or not at all.
MoneyRange around(Money amount) {
  const auto tenth = amount.cents() / 10;
  return {amount - Money::cents(tenth), amount + Money::cents(tenth)};
}

template <class T>
void add_new(std::vector<T>& all, std::vector<T> more) {
  for (auto& one : more)
    if (std::none_of(all.begin(), all.end(), [&](const T& known) { return known.id == one.id; })) all.push_back(std::move(one));
}

class Search {
 public:
  Search(const ports::Records& records, const domain::TenantId& tenant) : records_(records), tenant_(tenant) {}

  void for_deposit(const Deposit& deposit) {
    if (deposit.status != domain::MatchState::unmatched) return;
    std::vector<Remittance> notices;
    if (!deposit.trace_number.empty()) notices = records_.remittances().waiting_with_trace(tenant_, deposit.trace_number, kMostCandidates);
    if (!deposit.payer_id.empty()) add_new(notices, records_.remittances().waiting_of_payer(tenant_, deposit.payer_id, around(deposit.amount), kMostCandidates));
    for (const auto& notice : notices)
      if (can_pay(deposit, notice)) propose(notice.id.text(), score_of(deposit, notice.draft));
    if (deposit.payer_id.empty()) return;
    for (const auto& settlement : records_.settlements().awaiting_payment(tenant_, deposit.payer_id, around(deposit.amount), kMostCandidates))
      propose(settlement.id.text(), score_of(deposit, settlement));
    sums(deposit);
  }

  void for_remittance(const Remittance& remittance) {
    const auto& draft = remittance.draft;
    if (!balance_of(draft).balanced()) return;
    if (remittance.deposit || draft.payment_amount <= Money{}) return for_claims(remittance);
    std::vector<Deposit> deposits;
    if (!draft.trace_number.empty()) deposits = records_.deposits().waiting_with_trace(tenant_, draft.trace_number, kMostCandidates);
    if (!draft.payer_id.empty()) add_new(deposits, records_.deposits().waiting_of_payer(tenant_, draft.payer_id, around(draft.payment_amount), kMostCandidates));
    for (const auto& deposit : deposits)
      if (can_pay(deposit, remittance)) propose(deposit.id.text(), score_of(deposit, draft));
  }

  std::vector<Proposal> best() {
    std::stable_sort(found_.begin(), found_.end(), [](const Proposal& a, const Proposal& b) { return a.score > b.score; });
    if (found_.size() > kMostProposals) found_.resize(kMostProposals);
    return std::move(found_);
  }

 private:
  static bool can_pay(const Deposit& deposit, const Remittance& notice) {
    return balance_of(notice.draft).balanced() && notice.draft.payment_amount <= deposit.amount;
  }

  void propose(const std::string& candidate, domain::MatchScore score) {
    if (score.points >= domain::kLeastScore) found_.push_back({candidate, score.points, std::move(score.reasons), {candidate}});
  }

  /// The claims that found no place, each with the advance that carries its number.
  void for_claims(const Remittance& remittance) {
    for (const auto& paid : remittance.claims) {
      if (paid.state != State::unmatched && paid.state != State::waiting) continue;
      auto claim = records_.claims().find(tenant_, paid.claim.claim_identifier);
      if (!claim && !paid.claim.payer_claim_number.empty()) claim = records_.claims().find(tenant_, paid.claim.payer_claim_number);
      const auto live = claim ? records_.settlements().live_of(tenant_, claim->claim.id) : std::nullopt;
      if (!live || live->settlement.status != domain::SettlementStatus::funded) continue;
      auto score = score_of(remittance.draft, paid.claim, as_advanced(claim->claim.draft, live->settlement));
      const auto& settlement = live->settlement.id.text();
      if (score.points >= domain::kLeastScore)
        found_.push_back({std::to_string(paid.index) + ':' + settlement, score.points, std::move(score.reasons), {settlement}, paid.index});
    }
  }

  /// Several notices that add up to the deposit.
  void sums(const Deposit& deposit) {
    auto parts = records_.remittances().waiting_of_payer(tenant_, deposit.payer_id, {Money::cents(1), deposit.amount - Money::cents(1)}, kMostParts + 1);
    std::erase_if(parts, [](const Remittance& part) { return !balance_of(part.draft).balanced(); });
    if (parts.size() > kMostParts) return;  // then nearly every amount is some sum
    for (std::size_t chosen = 1; chosen < std::size_t{1} << parts.size(); ++chosen) {
      Money sum;
      std::vector<std::string> ids;
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (((chosen >> i) & 1) != 0) {
          sum += parts[i].draft.payment_amount;
          ids.push_back(parts[i].id.text());
        }
      if (sum != deposit.amount || ids.size() < 2) continue;
      Proposal proposal{ids.front(), kSumScore, {"amount_equal_in_sum", "payer_equal"}, ids};
      for (std::size_t i = 1; i < ids.size(); ++i) proposal.id += '+' + ids[i];
      found_.push_back(std::move(proposal));
    }
  }

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  std::vector<Proposal> found_;
};

}  // namespace

std::vector<Proposal> find_proposals(const ports::Records& records, const domain::TenantId& tenant, const domain::Task& task) {
  if (task.status == domain::TaskStatus::closed || !domain::is_about_matching(task.kind)) return {};
  Search search(records, tenant);
  if (const auto deposit_id = domain::DepositId::parse(task.object_id)) {
    if (const auto deposit = records.deposits().find(tenant, *deposit_id)) search.for_deposit(*deposit);
  } else if (const auto remittance_id = domain::RemittanceId::parse(task.object_id)) {
    if (const auto remittance = records.remittances().find(tenant, *remittance_id)) search.for_remittance(*remittance);
  }
  return search.best();
}

}  // namespace tideover::usecases
