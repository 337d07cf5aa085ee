#include "core/usecases/matching/find_proposals.hpp"

#include <algorithm>
#include <map>

#include "core/domain/claims/claim_number.hpp"
#include "core/domain/reconciliation/deposit_sums.hpp"
#include "core/usecases/matching/alike_advances.hpp"
#include "core/usecases/matching/funds_pool.hpp"
#include "core/usecases/matching/match_payments.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::Money;
using domain::MoneyRange;
namespace mismatch = domain::mismatch;
using domain::Remittance;
using State = domain::RemittanceClaimRecord::State;

constexpr std::size_t kMostProposals = 10;
constexpr std::size_t kMostCandidates = 50;
/// The search for sums tries all subsets of this many remittances.
constexpr std::size_t kMostParts = 12;
constexpr std::size_t kMostPayers = 200;  // one query for each
constexpr std::size_t kMostTwins = 100;
constexpr int kMostDaysApart = 3650;
constexpr int kTwinScore = 100;
constexpr const char* kMissing = "missing";
constexpr int kMissingScore = 50;  // low: the reviewer has to know that nothing else explains it
constexpr int kCardScore = 55;     // the fee explains the difference, but nothing names the payer
constexpr int kSumScore = 60;      // exact cents, but any part may fit by chance

/// Within a tenth. An amount that differs more is found by its number or not at all.
MoneyRange around(Money amount) {
  const auto tenth = amount.cents() / 10;
  return {amount - Money::cents(tenth), amount + Money::cents(tenth)};
}

/// Amounts above this one, which may contain it.
MoneyRange beyond(Money amount) {
  return {amount + Money::cents(1), MoneyRange::any().most};
}

bool is_no_more_than(const Deposit& part, const domain::RemittanceDraft& remittance) {
  return part.amount <= remittance.payment_amount && balance_of(remittance).balanced();
}

/// Payments by virtual card from which the processor kept at most a twentieth to make `amount`.
MoneyRange before_card_fee(Money amount) {
  return {amount + Money::cents(1), Money::cents(amount.cents() / 19 * 20)};
}

/// The remittance of a payment by virtual card (BPR04 NON): the money comes from a card processor, less its fee.
bool is_paid_by_card(const domain::RemittanceDraft& remittance) {
  return remittance.payment_method == "NON";
}

/// The id of a proposal with several candidates.
std::string joined(const std::vector<std::string>& ids) {
  std::string all;
  for (const auto& id : ids) all += (all.empty() ? "" : "+") + id;
  return all;
}

/// Within one percent, at least one dollar. Narrow, because the payer of the money is unknown.
MoneyRange near(Money amount) {
  const auto off = Money::cents(std::max<std::int64_t>(100, amount.cents() / 100));
  return {amount - off, amount + off};
}

template <class T>
void add_new(std::vector<T>& all, std::vector<T> more) {
  for (auto& one : more)
    if (std::none_of(all.begin(), all.end(), [&](const T& known) { return known.id == one.id; }))
      all.push_back(std::move(one));
}

/// The reasons why both deposits may report one payment.
domain::MatchReasons reasons_of(const Deposit& deposit, const Deposit& twin) {
  domain::MatchReasons reasons{"amount_equal", "date_in_window"};
  if (!deposit.trace_number.empty())
    reasons.insert(reasons.begin(),
                   domain::normal_trace(deposit.trace_number) == domain::normal_trace(twin.trace_number)
                       ? "trace_number_equal"
                       : "trace_number_similar");
  return reasons;
}

class Search {
 public:
  Search(const ports::Records& records, const domain::TenantId& tenant) : records_(records), tenant_(tenant) {}

  void for_duplicate(const Deposit& deposit) {
    for (const auto& twin : sent_before(records_, tenant_, deposit))
      found_.push_back({twin.id.text(), kTwinScore, reasons_of(deposit, twin), {twin.id.text()}});
  }

  void for_deposit(const Deposit& deposit) {
    if (deposit.status != domain::MatchState::unmatched) return;
    std::vector<Remittance> remittances;
    if (!deposit.trace_number.empty())
      remittances =
          records_.remittances().waiting_with_trace(tenant_, deposit.trace_number, MoneyRange::any(), kMostCandidates);
    if (!deposit.payer_id.empty())
      add_new(remittances, records_.remittances().waiting_of_payer(tenant_, deposit.payer_id, around(deposit.amount),
                                                                   std::nullopt, kMostCandidates));
    // Without a payer, amount and day have to be close.
    if (deposit.payer_id.empty())
      add_new(remittances, records_.remittances().waiting_of_amount(tenant_, near(deposit.amount),
                                                                    matching_days(deposit), kMostCandidates));
    // A reviewer may accept differences, but no loss above the limit.
    for (const auto& remittance : remittances)
      if (balance_of(remittance.draft).balanced() && may_fall_short(remittance, deposit))
        propose(remittance.id.text(), score_of(deposit, remittance.draft),
                remittance.draft.payment_amount - deposit.amount);
    if (deposit.payer_id.empty()) {
      for_card_payments(deposit);
      return for_money_of_unknown_payer(deposit);
    }
    for (const auto& settlement : records_.settlements().awaiting_payment(
             tenant_, deposit.payer_id, around(deposit.amount), std::nullopt, kMostCandidates))
      propose_advance(deposit, settlement);
    sums(deposit);
    sums_for(deposit.id.text(), deposit.payer_id, deposit.effective_date.value_or(deposit.received_date),
             records_.remittances().waiting_of_payer(tenant_, deposit.payer_id, beyond(deposit.amount), std::nullopt,
                                                     domain::kMostSummed + 1));
  }

  void for_remittance(const Remittance& remittance) {
    const auto& draft = remittance.draft;
    if (!balance_of(draft).balanced()) return;
    // The money is there, or none is announced: only the claims can be in question.
    if (remittance.deposit || draft.payment_amount <= Money{}) {
      for_missing(remittance);
      return for_claims(remittance);
    }
    std::vector<Deposit> deposits;
    if (!draft.trace_number.empty())
      deposits =
          records_.deposits().waiting_with_trace(tenant_, draft.trace_number, MoneyRange::any(), kMostCandidates);
    if (!draft.payer_id.empty())
      add_new(deposits, records_.deposits().waiting_of_payer(tenant_, draft.payer_id, around(draft.payment_amount),
                                                             std::nullopt, kMostCandidates));
    for (const auto& deposit : deposits)
      if (may_fall_short(remittance, deposit))
        propose(deposit.id.text(), score_of(deposit, draft), draft.payment_amount - deposit.amount);
    sums_for(remittance.id.text(), draft.payer_id, draft.payment_date.value_or(remittance.created_at.utc_date()),
             {remittance});
  }

  std::vector<Proposal> best() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Proposal& a, const Proposal& b) { return a.score > b.score; });
    if (found_.size() > kMostProposals) found_.resize(kMostProposals);
    return std::move(found_);
  }

 private:
  void for_card_payments(const Deposit& deposit) {
    for (const auto& remittance : records_.remittances().waiting_of_amount(tenant_, before_card_fee(deposit.amount),
                                                                           matching_days(deposit), kMostCandidates))
      if (is_paid_by_card(remittance.draft) && may_fall_short(remittance, deposit) &&
          std::none_of(found_.begin(), found_.end(), [&](const auto& one) { return one.id == remittance.id.text(); }))
        propose(remittance.id.text(), {kCardScore, {"card_fee", mismatch::kPayerUnknown}},
                remittance.draft.payment_amount - deposit.amount);
  }

  /// Money of an unknown payer: the advances of any payer that expect this amount around this day.
  void for_money_of_unknown_payer(const Deposit& deposit) {
    const auto paid_on = deposit.effective_date.value_or(deposit.received_date);
    const domain::DateRange days{paid_on.plus(-domain::kUnannouncedWindowDays),
                                 paid_on.plus(domain::kUnannouncedWindowDays)};
    for (const auto& payer : records_.settlements().payers_that_owe(tenant_, kMostPayers))
      for (const auto& settlement :
           records_.settlements().awaiting_payment(tenant_, payer, near(deposit.amount), days, kMostProposals))
        propose_advance(deposit, settlement);
  }

  void propose_advance(const Deposit& deposit, const domain::Settlement& settlement) {
    auto score = score_of(deposit, settlement);
    const auto& id = settlement.id.text();
    if (score.points >= domain::kLeastScore)
      add({id, score.points, std::move(score.reasons), {id}}, settlement, deposit.amount);
  }

  /// Adds a payment to the advance. A reviewer has to accept payments above the claim's charge explicitly.
  void add(Proposal proposal, const domain::Settlement& settlement, Money amount) {
    if (const Money excess = above_charge(records_, tenant_, settlement, amount);
        amount > Money{} && excess > Money{}) {
      proposal.decision = domain::kAcceptOver;
      proposal.excess = excess;
    }
    found_.push_back(std::move(proposal));
  }

  /// `missing`: the announced amount less the deposit. Zero or less: nothing is missing.
  void propose(const std::string& candidate, domain::MatchScore score, Money missing = {}) {
    if (score.points < domain::kLeastScore) return;
    auto& proposal = found_.emplace_back(Proposal{candidate, score.points, std::move(score.reasons), {candidate}});
    if (missing <= Money{}) return;
    proposal.decision = domain::kAcceptShort;
    proposal.missing = missing;
  }

  /// The advances that the claims of the remittance were matched with.
  AllocationTargets targets_of(const Remittance& remittance) const {
    AllocationTargets targets;
    for (const auto& paid : remittance.claims) {
      const auto settlement = paid.settlement ? records_.settlements().find(tenant_, *paid.settlement) : std::nullopt;
      targets.of.push_back(
          settlement ? std::optional(AllocationTarget{settlement->settlement, settlement->settlement.billed.charge})
                     : std::nullopt);
      targets.ownership.push_back(targets.of.back() ? domain::ClaimOwner::of_advance
                                                    : domain::ClaimOwner::not_advanced);
    }
    return targets;
  }

  /// Whether the money suffices, or the missing amount may be accepted as a loss.
  bool may_fall_short(const Remittance& remittance, const Deposit& deposit) const {
    if (deposit.amount >= remittance.draft.payment_amount) return true;
    const auto whole = records_.remittances().find(tenant_, remittance.id);  // with its claims
    const auto targets = targets_of(*whole);
    if (awaits_funding(*whole, targets)) return true;  // decided when the advance is known to be funded
    return !plan_of(*whole, targets, &deposit, true).is_held;
  }

  /// The remittance has its money, but its claims pay more than that.
  void for_missing(const Remittance& remittance) {
    const auto targets = targets_of(remittance);
    auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
    const auto held = plan_of(remittance, targets, pool.money(), false);
    // A loss is proposed within its limit only, and only when every advance is known to be funded.
    if (!held.is_held || awaits_funding(remittance, targets) ||
        plan_of(remittance, targets, pool.money(), true).is_held)
      return;
    auto& proposal = found_.emplace_back(Proposal{kMissing, kMissingScore, {mismatch::kAmount}, {}});
    if (remittance.deposit) proposal.candidates.push_back(remittance.deposit->text());
    proposal.decision = domain::kAcceptShort;
    proposal.missing = held.missing;
  }

  domain::AllocationPlan plan_of(const Remittance& remittance, const AllocationTargets& targets, const Deposit* deposit,
                                 bool accepts_short) const {
    auto gathered = gather_allocation(records_, tenant_, remittance, targets, deposit);
    gathered.input.accepts_short = accepts_short;
    return allocate(gathered.input);
  }

  /// Claims without a target: proposes the advance that has their number, and otherwise similar advances.
  void for_claims(const Remittance& remittance) {
    auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
    const auto released = released_claims(records_, tenant_, remittance);
    std::map<int, std::vector<domain::SettlementId>> asked;
    for (auto& [position, settlement] : records_.matches().asked_alike(tenant_, remittance.id))
      asked[position].push_back(std::move(settlement));
    for (const auto& paid : remittance.claims) {
      if ((paid.state != State::unmatched && paid.state != State::waiting) || released.contains(paid.index)) continue;
      auto claim = records_.claims().find(tenant_, paid.claim.claim_identifier);
      if (!claim && !paid.claim.payer_claim_number.empty())
        claim = records_.claims().find(tenant_, paid.claim.payer_claim_number);
      const auto live = claim ? records_.settlements().live_of(tenant_, claim->claim.id) : std::nullopt;
      if (live) for_claim(remittance, paid, live->settlement, pool.money(), domain::kLeastScore);
      if (asked.contains(paid.index)) for_alike(remittance, paid, std::move(asked[paid.index]), pool.money());
    }
  }

  /// `asked`: the advances that the reviewer was asked about. There may be more by now.
  void for_alike(const Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                 std::vector<domain::SettlementId> asked, const Deposit* money) {
    for (auto& alike : alike_advances(records_, tenant_, {remittance.draft, paid.claim, false, {}, {}}))
      if (std::find(asked.begin(), asked.end(), alike.settlement) == asked.end())
        asked.push_back(std::move(alike.settlement));
    for (const auto& id : asked)
      if (const auto stored = records_.settlements().find(tenant_, id); stored && is_live(stored->settlement))
        for_claim(remittance, paid, stored->settlement, money, 0);
  }

  void for_claim(const Remittance& remittance, const domain::RemittanceClaimRecord& paid,
                 const domain::Settlement& settlement, const Deposit* money, int least_score) {
    // A claim that cannot be posted to this advance now is not proposed.
    if (!why_not(records_, tenant_, {settlement, settlement.billed.charge}, remittance, paid, money).empty()) return;
    domain::ClaimDraft number_only;
    number_only.claim_identifier = settlement.claim_identifier;
    auto score = score_of(remittance.draft, paid.claim, as_advanced(std::move(number_only), settlement));
    const auto& id = settlement.id.text();
    if (score.points >= least_score)
      add({std::to_string(paid.index) + ':' + id, score.points, std::move(score.reasons), {id}, paid.index}, settlement,
          paid.claim.paid_amount);
  }

  /// Sums of several deposits that equal one of the remittances and contain `object`. Numbers or days may differ: the
  /// reviewer sees that.
  void sums_for(const std::string& object, const std::string& payer, domain::Date day,
                const std::vector<Remittance>& remittances) {
    if (payer.empty() || remittances.empty()) return;
    const domain::DateRange days{day.plus(-domain::kUnannouncedWindowDays), day.plus(domain::kUnannouncedWindowDays)};
    const auto deposits =
        records_.deposits().waiting_of_payer(tenant_, payer, MoneyRange::any(), days, domain::kMostSummed + 1);
    for (const auto& sum : domain::deposit_sums(deposits, remittances, is_no_more_than)) {
      std::vector<std::string> parts{remittances[sum.remittance].id.text()};
      for (const auto i : sum.deposits) parts.push_back(deposits[i].id.text());
      if (sum.deposits.size() < 2 || std::find(parts.begin(), parts.end(), object) == parts.end()) continue;
      std::erase(parts, object);
      found_.push_back({joined(parts), kSumScore, {"amount_equal_in_sum", "payer_equal"}, parts});
    }
  }

  /// Sums of several remittances that equal the deposit.
  void sums(const Deposit& deposit) {
    auto parts = records_.remittances().waiting_of_payer(
        tenant_, deposit.payer_id, {Money::cents(1), deposit.amount - Money::cents(1)}, std::nullopt, kMostParts + 1);
    std::erase_if(parts, [](const Remittance& part) { return !balance_of(part.draft).balanced(); });
    if (parts.size() > kMostParts) return;  // then almost every amount is a sum of some of them
    for (std::size_t chosen = 1; chosen < std::size_t{1} << parts.size(); ++chosen) {
      Money sum;
      std::vector<std::string> ids;
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (((chosen >> i) & 1) != 0) {
          sum += parts[i].draft.payment_amount;
          ids.push_back(parts[i].id.text());
        }
      if (sum != deposit.amount || ids.size() < 2) continue;
      found_.push_back({joined(ids), kSumScore, {"amount_equal_in_sum", "payer_equal"}, ids});
    }
  }

  const ports::Records& records_;
  const domain::TenantId& tenant_;
  std::vector<Proposal> found_;
};

}  // namespace

std::vector<Deposit> twins_of(const ports::Records& records, const domain::TenantId& tenant, const Deposit& deposit) {
  auto twins = records.deposits().reported_twice(tenant, deposit, matching_days(deposit), kMostTwins);
  std::erase_if(twins, [&](const Deposit& other) { return !may_be_one_payment(deposit, other); });
  return twins;
}

std::vector<Deposit> sent_before(const ports::Records& records, const domain::TenantId& tenant,
                                 const Deposit& deposit) {
  const bool stands_for_money = deposit.channel == domain::kByRemittance;
  auto days = matching_days(deposit);
  // A trace number names the payment, so its remittance may be sent again on any day.
  if (stands_for_money && !deposit.trace_number.empty())
    days = {deposit.received_date.plus(-kMostDaysApart), deposit.received_date.plus(kMostDaysApart)};
  auto known = records.deposits().reported_twice(tenant, deposit, days, kMostTwins);
  std::erase_if(known, [&](const Deposit& other) {
    const bool is_sent_again = stands_for_money && other.channel == domain::kByRemittance &&
                               domain::normal_trace(deposit.trace_number) == domain::normal_trace(other.trace_number) &&
                               (!deposit.trace_number.empty() || deposit.amount == other.amount);
    return !may_be_one_payment(deposit, other) && !is_sent_again;
  });
  return known;
}

std::vector<Proposal> find_money_for(const ports::Records& records, const domain::TenantId& tenant,
                                     const domain::Settlement& settlement) {
  std::vector<Proposal> found;
  const std::vector<std::string> wanted{settlement.id.text()};
  // The money's own proposals: one of them names this advance if the money may pay it.
  const auto add_of = [&](const std::string& money, Search& search, bool has_claims) {
    for (auto& proposal : search.best()) {
      if (proposal.candidates != wanted) continue;
      proposal.id = has_claims ? money + '/' + proposal.id : money;
      proposal.candidates = {money};
      found.push_back(std::move(proposal));
    }
  };
  for (const auto& deposit : records.deposits().waiting_of_payer(
           tenant, settlement.payer_id, around(settlement.expected_reimbursement), std::nullopt, kMostCandidates)) {
    if (found.size() >= kMostProposals) break;
    Search search(records, tenant);
    search.for_deposit(deposit);
    add_of(deposit.id.text(), search, false);
  }
  for (const auto& named : records.remittances().naming(tenant, settlement.claim_identifier, kMostProposals)) {
    const auto remittance = records.remittances().find(tenant, named.id);
    if (!remittance || found.size() > kMostProposals) continue;
    Search search(records, tenant);
    search.for_remittance(*remittance);
    add_of(remittance->id.text(), search, true);
  }
  return found;
}

std::vector<Proposal> find_proposals(const ports::Records& records, const domain::TenantId& tenant,
                                     const domain::Task& task) {
  if (task.status == domain::TaskStatus::open && task.kind == domain::kWriteOffProposed) {
    const auto id = domain::SettlementId::parse(task.object_id);
    const auto stored = id ? records.settlements().find(tenant, *id) : std::nullopt;
    return stored ? find_money_for(records, tenant, stored->settlement) : std::vector<Proposal>();
  }
  if (task.status == domain::TaskStatus::closed || !domain::is_about_matching(task.kind)) return {};
  Search search(records, tenant);
  if (const auto deposit_id = domain::DepositId::parse(task.object_id)) {
    if (const auto deposit = records.deposits().find(tenant, *deposit_id))
      task.kind == domain::kDepositDuplicate ? search.for_duplicate(*deposit) : search.for_deposit(*deposit);
  } else if (const auto remittance_id = domain::RemittanceId::parse(task.object_id)) {
    if (const auto remittance = records.remittances().find(tenant, *remittance_id)) search.for_remittance(*remittance);
  }
  return search.best();
}

}  // namespace tideover::usecases
