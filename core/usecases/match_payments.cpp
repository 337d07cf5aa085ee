#include "core/usecases/match_payments.hpp"

#include <algorithm>
#include <set>

#include "core/domain/deposit_sums.hpp"
#include "core/usecases/move_claim_status.hpp"
#include "core/usecases/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::MatchReasons;
using domain::MatchStep;
using domain::MatchVerdict;
using domain::Money;
using domain::MoneyRange;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using domain::Settlement;
using State = domain::RemittanceClaimRecord::State;
namespace mismatch = domain::mismatch;

/// Candidates of one step. Where there are more, none of them is the only one.
constexpr std::size_t kMostCandidates = 100;

constexpr const char* kPayerUnknown = "Nobody knows who paid: name the payer (assign_payer), or wait for its remittance.";

constexpr const char* kAdviserUnknown = "Nobody knows the payer of this remittance, and nothing else leads to its money: name the payer (assign_payer).";

/// The candidate of a match trail that money was released to.
constexpr const char* kProvider = "provider";

/// Behind the task of a person who released money of a notice: how many cents.
constexpr std::string_view kReleased = "released_cents:";

/// Behind the task of a person who named a payer: whom it was taken for before.
constexpr std::string_view kPayerWas = "payer_was:";

constexpr const char* kSeveralSums = "Deposits of this payer add up to remittances in several ways.";

constexpr const char* kNamesakeDiffers = "A remittance with this trace number waits, but does not fit: amount, date or balance differ, as its trail says.";

/// Candidates of one step. Where there are too many to look at, only those that can match.
template <class Search>
auto candidates_of(Search search, const MoneyRange& that_match, const domain::DateRange& days_that_match) {
  auto found = search(MoneyRange::any(), std::optional<domain::DateRange>());
  if (found.size() < kMostCandidates) return found;
  return search(that_match, std::optional(days_that_match));
}

/// Two payers may use one trace number: then it says nothing.
bool is_another_payers(const MatchReasons& reasons) {
  return std::any_of(reasons.begin(), reasons.end(), [](const auto& reason) { return reason == mismatch::kPayer || reason == mismatch::kOriginator; });
}

/// What a secondary or tertiary payer (CLP02) adds is the provider's: the advance was on what the first one owes.
bool is_another_payers_share(const domain::RemittanceClaim& paid, const MatchReasons& reasons) {
  return domain::is_behind_another_payer(paid.status) && reasons == MatchReasons{mismatch::kPayer};
}

/// Of a trace number's parts only the amount may differ: together they are the sum.
bool is_part(const MatchReasons& reasons) { return reasons == MatchReasons{mismatch::kAmount}; }

domain::Error carries_balance(const Remittance& remittance) {
  return domain::Error::of(domain::ErrorCode::invalid_state, "This remittance carries a balance to or from other payments; it cannot be undone.")
      .with("remittance_id", remittance.id.text());
}

domain::Error nothing_to_release(const std::string& object) {
  return domain::Error::of(domain::ErrorCode::invalid_state, "Nothing is left of this money that could be released; read the task again.").with("object_id", object);
}

/// What a notice decided that came behind its money.
bool is_confirmation(const domain::ReconciliationRecord& record) {
  return record.payer_payment.is_zero() && record.remittance && record.matched_by == name_of(MatchStep::amount_and_date);
}

}  // namespace

void MatchPayments::deposit_arrived(Deposit& deposit) {
  find_notice(deposit);
  look_again();
}

void MatchPayments::remittance_arrived(Remittance& remittance) {
  find_money(remittance);
  if (!remittance.deposit && remittance.draft.payment_amount > Money{} && balance_of(remittance.draft).balanced()) announce(remittance);
  look_again();
}

void MatchPayments::find_notice(Deposit& deposit) {
  auto by_trace = Found::nobody;
  if (!deposit.trace_number.empty()) by_trace = find_notice_by_trace(deposit);
  if (by_trace == Found::one) return;
  if (by_trace == Found::several) return open_task("match_ambiguous", deposit.id.text(), "Several remittances carry this trace number and amount.");

  if (!deposit.payer_id.empty()) {
    auto found = find_notice_by_amount(deposit);
    if (found == Found::several) return open_task("match_ambiguous", deposit.id.text(), "Several remittances fit payer, amount and date.");
    if (found != Found::one) found = find_sum_of(deposit);
    if (found == Found::several) return open_task("match_ambiguous", deposit.id.text(), kSeveralSums);
    // A deposit with a trace number waits in suspense for the notice of that number.
    if (found != Found::one && deposit.trace_number.empty()) found = find_settlement(deposit);
    if (found == Found::several) return open_task("deposit_unmatched", deposit.id.text(), "Several settlements fit payer, amount and date.");
    if (found == Found::one) return;
  }
  if (deposit.payer_id.empty())
    open_task("deposit_unmatched", deposit.id.text(), kPayerUnknown);
  else if (by_trace == Found::none_that_fits)
    open_task("deposit_unmatched", deposit.id.text(), kNamesakeDiffers);
  else if (deposit.trace_number.empty())
    open_task("deposit_unmatched", deposit.id.text(), "Nothing fits payer, amount and date.");
}

void MatchPayments::find_money(Remittance& remittance) {
  tell_of_reused_trace(remittance);
  if (!balance_of(remittance.draft).balanced())
    return open_task("remittance_unbalanced", remittance.id.text(), "Claims less provider adjustments differ from the payment: held.");
  for (const bool reversals : {true, false})  // a correction has the last word, wherever it stands
    for (const auto& paid : remittance.claims)
      if ((paid.claim.paid_amount < Money{} || domain::claim_status_of_clp02(paid.claim.status) == domain::ClaimStatus::reversed) == reversals)
        move_status(remittance, paid.claim);
  // No money comes with what only takes back: the payer withholds it from later payments.
  const bool is_unknown = remittance.draft.payer_id.empty();
  if (remittance.draft.payment_amount <= Money{}) {
    if (is_unknown && !domain::carries_of(remittance.draft).is_zero()) open_task("match_ambiguous", remittance.id.text(), kAdviserUnknown);
    return post_claims(remittance, nullptr, MatchStep::claim_identifier);
  }

  const auto by_trace = remittance.draft.trace_number.empty() ? Found::nobody : find_money_by_trace(remittance);
  if (by_trace == Found::one || announce_late(remittance)) return;
  if (by_trace == Found::several) return open_task("match_ambiguous", remittance.id.text(), "Several deposits carry this trace number and amount.");
  const auto by_amount = find_money_by_amount(remittance);
  if (by_amount == Found::one) return;
  const auto in_sum = by_amount == Found::several ? Found::nobody : find_sum_of(remittance);
  if (in_sum == Found::one) return;
  if (by_trace == Found::none_that_fits) tell_of_namesakes(remittance);
  if (is_unknown && remittance.draft.trace_number.empty()) open_task("match_ambiguous", remittance.id.text(), kAdviserUnknown);
  if (by_amount == Found::several) open_task("match_ambiguous", remittance.id.text(), "Several deposits fit payer, amount and date.");
  if (in_sum == Found::several) open_task("match_ambiguous", remittance.id.text(), kSeveralSums);
}

void MatchPayments::announce(Remittance& remittance) {
  for (auto& paid : remittance.claims) {
    bool may_be_ours = false;
    const auto place = place_of(remittance, paid, false, may_be_ours);
    if (!place || paid.settlement) continue;
    keep({remittance.id.text(), paid.index}, MatchStep::claim_identifier, place->settlement.id.text(), MatchVerdict::taken, {});
    paid.settlement = place->settlement.id;
    records_.remittances().update_claim(tenant_, remittance.id, paid);
  }
}

void MatchPayments::settlement_funded(const Settlement& settlement) {
  const auto waiting = records_.remittances().waiting_for(tenant_, settlement.id);
  take_up_waiting({waiting.begin(), waiting.end()});
  look_again();
}

void MatchPayments::settlement_ended(const domain::SettlementId& settlement) {
  const auto waiting = records_.remittances().waiting_for(tenant_, settlement);
  if (waiting.empty()) return;
  records_.clients().guard_matching(tenant_);
  for (const auto& id : waiting) {
    auto remittance = with_claims(id);
    take_up(remittance, [](const Places&, const Deposit*) { return true; });
  }
  look_again();
}

void MatchPayments::payer_assigned(Deposit& deposit, const std::string& payer_id) {
  deposit.payer_id = payer_id;
  records_.deposits().set_payer(tenant_, deposit.id, payer_id);
  deposit_arrived(deposit);
}

void MatchPayments::payer_assigned(Remittance& remittance, const std::string& payer_id) {
  remittance.draft.payer_id = payer_id;
  records_.remittances().set_payer(tenant_, remittance.id, payer_id);
  if (remittance.deposit || remittance.draft.payment_amount <= Money{})
    take_up(remittance, [](const Places&, const Deposit*) { return true; });
  else
    find_money(remittance);
  look_again();
}

void MatchPayments::look_again() {
  const auto& posted = booking_.posted();
  const auto& carried_on = booking_.carried_on();
  while (looked_again_ < posted.size() || balances_seen_ < carried_on.size()) {
    if (looked_again_ < posted.size()) {
      // Many records of one notice may free the same one that waits: it is judged once for all of them.
      std::set<domain::RemittanceId> waiting;
      for (; looked_again_ < posted.size(); ++looked_again_)
        for (auto& id : records_.remittances().waiting_for(tenant_, posted[looked_again_].settlement)) waiting.insert(std::move(id));
      take_up_waiting(waiting);
    } else {
      const auto payer = carried_on[balances_seen_++];  // a copy: booking adds to them
      for (auto& remittance : records_.remittances().taking_of(tenant_, payer))
        take_up(remittance, [&](const Places& places, const Deposit* money) { return balance_of(remittance.draft).balanced() && booking_.covers(remittance, places, money); });
    }
  }
}

void MatchPayments::take_up_waiting(const std::set<domain::RemittanceId>& waiting) {
  for (const auto& id : waiting) {
    auto remittance = with_claims(id);
    take_up(remittance, [&](const Places& places, const Deposit* money) { return booking_.may_book(remittance, places, money); });
  }
}

template <class May>
void MatchPayments::take_up(Remittance& remittance, May may) {
  if (!remittance.deposit && remittance.draft.payment_amount > Money{}) return;  // it waits for its money, even where its claims of ours net to a takeback
  auto purse = Purse::of(records_, tenant_, remittance.deposit);
  auto* money = purse.money();
  if (!may(places_of(remittance, false), money)) return;
  took_up_ = true;
  if (!holds_open_question(remittance)) close_tasks(records_, tenant_, ids_, now_, "match_ambiguous", remittance.id.text(), "matched");
  post_claims(remittance, money, money ? joined_by(remittance) : MatchStep::claim_identifier);
  purse.keep(records_, tenant_);
}

/// A claim that was nobody's though it carries the number of an advanced one: its task stays.
bool MatchPayments::holds_open_question(const Remittance& remittance) {
  return std::any_of(remittance.claims.begin(), remittance.claims.end(), [&](const RemittanceClaimRecord& paid) {
    bool may_be_ours = false;
    return paid.state == State::unmatched && (place_of(remittance, paid, false, may_be_ours) || may_be_ours);
  });
}

// --- what a person decided ---------------------------------------------------------------------------------------------------

void MatchPayments::join_as_decided(std::vector<Deposit> deposits, Remittance& remittance, const domain::TaskId& task, Missing missing) {
  for (const auto& deposit : deposits) keep({deposit.id.text()}, MatchStep::person, remittance.id.text(), MatchVerdict::taken, {task.text()});
  join(remittance, Purse::pool(std::move(deposits)), MatchStep::person, missing);
  look_again();
}

void MatchPayments::tell_of_excess(const domain::DepositId& deposit) {
  const auto whole = Purse::of(records_, tenant_, deposit);
  const Money excess = whole.amount() - records_.remittances().announced_of(tenant_, deposit);
  if (excess > Money{}) open_task("deposit_unmatched", deposit.text(), format_money(excess) + " more came than is announced: release it, or see what it is.");
}

void MatchPayments::give_up_missing_as_decided(Remittance& remittance, const domain::TaskId& task) {
  keep({remittance.id.text()}, MatchStep::person, remittance.deposit ? remittance.deposit->text() : "", MatchVerdict::taken, {task.text()});
  auto purse = Purse::of(records_, tenant_, remittance.deposit);
  booking_.give_up_missing(remittance, places_of(remittance, false), purse.money());
  post_claims(remittance, purse.money(), MatchStep::person);
  purse.keep(records_, tenant_);
  look_again();
}

domain::Status MatchPayments::release_as_decided(Deposit& deposit, const domain::TaskId& task) {
  auto purse = Purse::of(records_, tenant_, deposit.id);
  auto& money = *purse.money();
  const Money left = std::min(money.amount - money.matched_amount, money.amount - records_.remittances().announced_of(tenant_, deposit.id));
  if (deposit.pooled_into || left <= Money{}) return nothing_to_release(deposit.id.text());
  keep({deposit.id.text()}, MatchStep::person, kProvider, MatchVerdict::taken, {task.text()});
  booking_.release(money, left);
  purse.keep(records_, tenant_);
  for (const auto kind : {domain::kDepositUnmatched, domain::kMatchAmbiguous}) close_tasks(records_, tenant_, ids_, now_, kind, deposit.id.text(), domain::kRelease);
  return {};
}

domain::Status MatchPayments::release_as_decided(Remittance& remittance, const domain::TaskId& task) {
  if (!remittance.deposit && remittance.draft.payment_amount > Money{})
    return domain::Error::of(domain::ErrorCode::invalid_state, "The money of this remittance has not come; there is nothing to release.").with("remittance_id", remittance.id.text());
  Money asked;  // paid for claims that may be ours, and are not, as this person says
  for (const auto& paid : remittance.claims) {
    bool may_be_ours = false;
    if (paid.state == State::unmatched && !place_of(remittance, paid, false, may_be_ours) && may_be_ours) asked += paid.claim.paid_amount;
  }
  auto purse = Purse::of(records_, tenant_, remittance.deposit);
  const Money released = std::min(asked, left_over(records_, tenant_, remittance, places_of(remittance, false), purse.money()));
  if (released <= Money{}) return nothing_to_release(remittance.id.text());
  keep({remittance.id.text()}, MatchStep::person, kProvider, MatchVerdict::taken, {task.text(), std::string(kReleased) + std::to_string(released.cents())});
  booking_.release(remittance, released, purse.money());
  purse.keep(records_, tenant_);
  return {};
}

void MatchPayments::name_duplicate_as_decided(Deposit& deposit, const domain::DepositId& known, const domain::TaskId& task) {
  keep({deposit.id.text()}, MatchStep::person, known.text(), MatchVerdict::taken, {task.text()});
  deposit.status = domain::MatchState::duplicate;
  records_.deposits().update_match(tenant_, deposit);
}

void MatchPayments::name_payer_as_decided(Deposit& deposit, const std::string& payer_id, const domain::TaskId& task) {
  keep_name(deposit.id.text(), deposit.payer_id, task);
  payer_assigned(deposit, payer_id);
}

void MatchPayments::name_payer_as_decided(Remittance& remittance, const std::string& payer_id, const domain::TaskId& task) {
  keep_name(remittance.id.text(), remittance.draft.payer_id, task);
  payer_assigned(remittance, payer_id);
}

void MatchPayments::keep_name(const std::string& subject, const std::string& former_payer, const domain::TaskId& task) {
  MatchReasons reasons{task.text()};
  if (!former_payer.empty()) reasons.push_back(std::string(kPayerWas) + former_payer);
  keep({subject}, MatchStep::person, "", MatchVerdict::taken, std::move(reasons));
}

void MatchPayments::pay_as_decided(Deposit& deposit, const Settlement& settlement, const domain::TaskId& task) {
  keep({deposit.id.text()}, MatchStep::person, settlement.id.text(), MatchVerdict::taken, {task.text()});
  booking_.payment({settlement, {}}, {deposit.amount, domain::PaymentWord::none, {}}, &deposit, nullptr, name_of(MatchStep::person));
  records_.deposits().update_match(tenant_, deposit);
  look_again();
}

domain::Status MatchPayments::post_as_decided(Remittance& remittance, int position, const Settlement& settlement, const domain::TaskId& task) {
  auto& paid = remittance.claims[static_cast<std::size_t>(position)];
  auto purse = Purse::of(records_, tenant_, remittance.deposit);
  auto* money = purse.money();
  const Place place{settlement, settlement.billed.charge};
  if (auto booked = booking_.claim_as_decided(place, remittance, paid, money); !booked) return booked;
  keep({remittance.id.text(), position}, MatchStep::person, settlement.id.text(), MatchVerdict::taken, {task.text()});
  records_.remittances().update_claim(tenant_, remittance.id, paid);
  records_.remittances().update_status(tenant_, remittance);
  if (const auto places = places_of(remittance, false); booking_.covers(remittance, places, money)) booking_.adjust(remittance, places, money);
  purse.keep(records_, tenant_);
  look_again();
  return {};
}

domain::Status MatchPayments::undo(const domain::MatchCandidate& decided) {
  auto deposit_id = domain::DepositId::parse(decided.subject);
  const auto remittance_id = domain::RemittanceId::parse(deposit_id ? decided.candidate : decided.subject);
  auto remittance = remittance_id ? records_.remittances().find(tenant_, *remittance_id) : std::nullopt;
  if (remittance && decided.candidate == kProvider) return undo_release(decided, *remittance);
  if (remittance && remittance->deposit) deposit_id = remittance->deposit;  // which stands for others that pay with it
  auto purse = Purse::of(records_, tenant_, deposit_id);
  auto* deposit = purse.money();
  if (deposit && domain::DepositId::parse(decided.candidate) && domain::DepositId::parse(decided.subject)) {
    deposit->status = domain::MatchState::suspected_duplicate;
    records_.deposits().update_match(tenant_, *deposit);
    keep({decided.subject}, MatchStep::person, decided.candidate, MatchVerdict::undone, decided.reasons);
    return {};
  }
  if (deposit && decided.candidate == kProvider)
    if (auto undone = booking_.undo_release(*deposit); !undone) return undone;

  if (remittance && deposit && !decided.claim && deposit->released > Money{})
    return domain::Error::of(domain::ErrorCode::invalid_state, "A part of this deposit was released to the provider; undo that first.").with("deposit_id", deposit->id.text());

  // A balance that is carried forward (PLB) is another notice's business too.
  if (remittance && !remittance->carried.is_zero()) return carries_balance(*remittance);

  // Of a joined notice everything is taken back, of a single claim its own record, of money alone the one that it paid.
  std::vector<domain::ReconciliationRecord> records;
  if (remittance) {
    for (auto& paid : remittance->claims) {
      if (paid.state != State::posted || (decided.claim && decided.claim != paid.index)) continue;
      for (auto& record : records_.reconciliations().of(tenant_, *paid.settlement))
        if (record.id == *paid.record) records.push_back(std::move(record));
      paid.state = decided.claim ? State::unmatched : State::waiting;
      paid.record.reset();
      records_.remittances().update_claim(tenant_, remittance->id, paid);
    }
  } else if (deposit) {
    // The last decision and what confirmed it: what was decided before and undone is taken back already.
    for (auto& record : records_.reconciliations().of_deposit(tenant_, deposit->id))
      if (record.settlement.text() == decided.candidate && (record.matched_by == name_of(MatchStep::person) || is_confirmation(record))) records.push_back(std::move(record));
    std::int64_t last = 0;
    for (const auto& record : records)
      if (!is_confirmation(record)) last = std::max<std::int64_t>(last, record.number);
    std::erase_if(records, [&](const auto& record) { return record.number < last; });
  }
  for (const auto& record : records)
    if (auto forgotten = forget_repeats(record, !remittance); !forgotten) return forgotten;
  if (remittance) remittance = records_.remittances().find(tenant_, remittance->id);  // it may repeat its own claims
  std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.number > b.number; });  // of each advance the last one first
  for (const auto& record : records)
    if (auto undone = booking_.undo(record, deposit); !undone) return undone;

  if (remittance && !decided.claim) {
    booking_.undo_adjustments(*remittance, deposit);
    for (const auto& part : purse.parts()) close_tasks(records_, tenant_, ids_, now_, domain::kDepositUnmatched, part.id.text(), "undone");  // about more than was announced
    for (auto& paid : remittance->claims)
      if (paid.state == State::unmatched) {  // it was nobody's, and may be somebody's with other money
        paid.state = State::waiting;
        records_.remittances().update_claim(tenant_, remittance->id, paid);
      }
    records_.remittances().link_deposit(tenant_, remittance->id, std::nullopt);
  }
  if (remittance) records_.remittances().update_status(tenant_, *remittance);
  if (deposit) {
    if (deposit->matched_amount.is_zero() && !decided.claim) {
      deposit->status = domain::MatchState::unmatched;
      purse.dissolve();
    }
    purse.keep(records_, tenant_);
  }
  keep({decided.subject, decided.claim}, MatchStep::person, decided.candidate, MatchVerdict::undone, decided.reasons);
  look_again();
  return {};
}

domain::Status MatchPayments::undo_release(const domain::MatchCandidate& decided, Remittance& remittance) {
  const Money released = Money::cents(std::stoll(decided.reasons.at(1).substr(kReleased.size())));
  auto purse = Purse::of(records_, tenant_, remittance.deposit);
  if (auto undone = booking_.undo_release(remittance, released, purse.money()); !undone) return undone;
  purse.keep(records_, tenant_);
  keep({decided.subject}, MatchStep::person, decided.candidate, MatchVerdict::undone, decided.reasons);
  return {};
}

domain::Status MatchPayments::forget_payer(const domain::MatchCandidate& named) {
  const auto built_on = [&] {
    return domain::Error::of(domain::ErrorCode::invalid_state, "Money was matched or posted since this payer was named; the name cannot be taken back any more.")
        .with("object_id", named.subject);
  };
  const std::string former = named.reasons.size() > 1 ? named.reasons[1].substr(kPayerWas.size()) : "";
  if (const auto deposit_id = domain::DepositId::parse(named.subject)) {
    const auto deposit = records_.deposits().find(tenant_, *deposit_id);
    if (!deposit || deposit->status != domain::MatchState::unmatched) return built_on();
    records_.deposits().set_payer(tenant_, *deposit_id, former);
  } else {
    const auto remittance_id = domain::RemittanceId::parse(named.subject);
    auto remittance = remittance_id ? records_.remittances().find(tenant_, *remittance_id) : std::nullopt;
    if (!remittance || is_built_on(*remittance)) return built_on();
    for (auto& paid : remittance->claims) {  // it was nobody's under this payer, and may be somebody's under another
      if (paid.state != State::unmatched) continue;
      paid.state = State::waiting;
      records_.remittances().update_claim(tenant_, remittance->id, paid);
    }
    records_.remittances().update_status(tenant_, *remittance);
    records_.remittances().set_payer(tenant_, remittance->id, former);
  }
  for (const auto kind : {domain::kDepositUnmatched, domain::kMatchAmbiguous}) close_tasks(records_, tenant_, ids_, now_, kind, named.subject, "undone");
  keep({named.subject}, MatchStep::person, "", MatchVerdict::undone, named.reasons);
  return {};
}

domain::Status MatchPayments::forget_repeats(const domain::ReconciliationRecord& record, bool of_money_alone) {
  while (auto notice = records_.remittances().posted_by(tenant_, record)) {
    const bool lets_go = of_money_alone && notice->deposit == record.deposit;
    if (lets_go && !notice->carried.is_zero()) return carries_balance(*notice);
    for (auto& paid : notice->claims) {
      if (paid.record != record.id) continue;
      paid.state = State::waiting;
      paid.record.reset();
      records_.remittances().update_claim(tenant_, notice->id, paid);
    }
    records_.remittances().update_status(tenant_, *notice);
    if (lets_go) records_.remittances().link_deposit(tenant_, notice->id, std::nullopt);
  }
  return {};
}

// --- the steps --------------------------------------------------------------------------------------------------------------

template <class Candidate, class Differences>
std::pair<MatchPayments::Found, Candidate*> MatchPayments::weigh(const Subject& subject, MatchStep step, std::vector<Candidate>& candidates,
                                                                 Differences differences) {
  Candidate* fitting = nullptr;
  int fit = 0, of_this_payer = 0;
  std::vector<MatchReasons> reasons;
  for (auto& candidate : candidates) {
    reasons.push_back(differences(candidate));
    if (!is_another_payers(reasons.back())) ++of_this_payer;
    if (!reasons.back().empty()) continue;
    ++fit;
    fitting = &candidate;
  }
  const bool is_only = fit == 1 && candidates.size() < kMostCandidates;  // behind the limit there may be one more that fits
  if (candidates.empty()) keep(subject, step, "", MatchVerdict::rejected, {mismatch::kNothingFound});
  if (candidates.size() >= kMostCandidates) keep(subject, step, "", MatchVerdict::rejected, {mismatch::kTooMany});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool fits = reasons[i].empty();
    if (fits && !is_only) reasons[i].emplace_back(mismatch::kSeveralFit);
    keep(subject, step, candidates[i].id.text(), fits && is_only ? MatchVerdict::taken : MatchVerdict::rejected, std::move(reasons[i]));
  }
  if (is_only) return {Found::one, fitting};
  return {fit > 0 ? Found::several : of_this_payer > 0 ? Found::none_that_fits : Found::nobody, nullptr};
}

void MatchPayments::keep(const Subject& subject, MatchStep step, const std::string& candidate, MatchVerdict verdict, MatchReasons reasons) {
  records_.matches().insert(
      tenant_, {ids_.next<domain::MatchCandidateId>(), subject.id, subject.claim, step, candidate, verdict, std::move(reasons), now_});
}

MatchPayments::Found MatchPayments::find_notice_by_trace(Deposit& deposit) {
  const auto search = [&](const MoneyRange& amounts, const auto&) {
    return records_.remittances().waiting_with_trace(tenant_, deposit.trace_number, amounts, kMostCandidates);
  };
  auto notices = candidates_of(search, MoneyRange::just(deposit.amount), matching_days(deposit));
  const auto differences = [&](const Remittance& notice) { return differences_by_trace(deposit, notice.draft); };
  const auto [found, notice] = weigh({deposit.id.text()}, MatchStep::trace_number, notices, differences);
  if (notice) {
    auto found_notice = with_claims(notice->id);
    join(found_notice, deposit, MatchStep::trace_number);
  }
  if (found != Found::none_that_fits) return found;

  std::erase_if(notices, [&](const Remittance& part) { return !is_part(differences(part)); });
  return join_all(deposit, notices) ? Found::one : found;
}

MatchPayments::Found MatchPayments::find_money_by_trace(Remittance& remittance) {
  const auto& trace = remittance.draft.trace_number;
  const auto search = [&](const MoneyRange& amounts, const auto&) { return records_.deposits().waiting_with_trace(tenant_, trace, amounts, kMostCandidates); };
  auto deposits = candidates_of(search, MoneyRange::just(remittance.draft.payment_amount), {});
  const auto differences = [&](const Deposit& deposit) { return differences_by_trace(deposit, remittance.draft); };
  const auto [found, deposit] = weigh({remittance.id.text()}, MatchStep::trace_number, deposits, differences);
  if (deposit) join(remittance, *deposit, MatchStep::trace_number);
  if (found != Found::none_that_fits) return found;

  for (auto& whole : deposits) {
    if (!is_part(differences(whole))) continue;
    auto parts = records_.remittances().waiting_with_trace(tenant_, trace, MoneyRange::any(), kMostCandidates);
    std::erase_if(parts, [&](const Remittance& part) { return !is_part(differences_by_trace(whole, part.draft)); });
    if (!join_all(whole, parts)) continue;
    remittance = with_claims(remittance.id);
    return Found::one;
  }
  return found;
}

void MatchPayments::tell_of_namesakes(const Remittance& remittance) {
  for (const auto& namesake : records_.deposits().waiting_with_trace(tenant_, remittance.draft.trace_number, MoneyRange::any(), kMostCandidates))
    if (!is_another_payers(differences_by_trace(namesake, remittance.draft)))
      open_task_once(records_, tenant_, ids_, now_, {"deposit_unmatched", namesake.id.text(), kNamesakeDiffers});
}

/// One deposit may pay several notices of its trace number: all of them, and to the cent.
bool MatchPayments::join_all(Deposit& deposit, const std::vector<Remittance>& remittances) {
  Money sum;
  for (const auto& part : remittances) sum += part.draft.payment_amount;
  if (remittances.size() < 2 || remittances.size() >= kMostCandidates || sum != deposit.amount) return false;
  for (const auto& each : remittances) {
    auto part = with_claims(each.id);
    keep({deposit.id.text()}, MatchStep::one_to_many, part.id.text(), MatchVerdict::taken, {});
    join(part, deposit, MatchStep::one_to_many);
  }
  return true;
}

MatchPayments::Found MatchPayments::find_sum_of(Deposit& deposit) {
  const auto found = find_sum(deposit.payer_id, deposit.id.text(), matching_days(deposit), nullptr);
  if (found == Found::one) deposit = *records_.deposits().find(tenant_, deposit.id);
  return found;
}

MatchPayments::Found MatchPayments::find_sum_of(Remittance& remittance) {
  const auto& payer = remittance.draft.payer_id;
  const auto& announced = remittance.draft.payment_date;
  return payer.empty() || !announced ? Found::nobody : find_sum(payer, remittance.id.text(), matching_days(*announced), &remittance);
}

/// Several deposits may pay one notice: those of its payer that add up to it to the cent, where they do so in one way only and
/// none of them is wanted elsewhere.
MatchPayments::Found MatchPayments::find_sum(const std::string& payer, const std::string& arrived, const domain::DateRange& days, Remittance* notice) {
  constexpr std::size_t kOneTooMany = domain::kMostSummed + 1;
  // Money of a notice lies around it, and the notice of other money around that.
  const domain::DateRange around{matching_days(days.from).from, matching_days(days.to).to};
  const auto deposits = records_.deposits().waiting_of_payer(tenant_, payer, MoneyRange::any(), around, kOneTooMany);
  const auto notices = deposits.size() < 2 ? std::vector<Remittance>() : records_.remittances().waiting_of_payer(tenant_, payer, MoneyRange::any(), around, kOneTooMany);
  if (std::max(deposits.size(), notices.size()) == kOneTooMany && std::min(deposits.size(), notices.size()) > 0)
    keep({arrived}, MatchStep::many_to_one, "", MatchVerdict::rejected, {mismatch::kTooMany});
  const auto sums = domain::deposit_sums(deposits, notices, [](const auto& part, const auto& announced) { return differences_as_part(part, announced).empty(); });
  const auto is_meant = [&](const domain::DepositSum& sum) {
    return sum.deposits.size() > 1 && (notices[sum.notice].id.text() == arrived || std::any_of(sum.deposits.begin(), sum.deposits.end(), [&](std::size_t i) {
                                         return deposits[i].id.text() == arrived;
                                       }));
  };
  std::vector<const domain::DepositSum*> meant, alone;
  for (const auto& sum : sums) {
    if (!is_meant(sum)) continue;
    meant.push_back(&sum);
    if (std::none_of(sums.begin(), sums.end(), [&](const auto& other) { return &other != &sum && exclude_each_other(sum, other); })) alone.push_back(&sum);
  }
  for (const auto* sum : meant)
    for (const auto i : sum->deposits)
      keep({deposits[i].id.text()}, MatchStep::many_to_one, notices[sum->notice].id.text(), alone.empty() ? MatchVerdict::rejected : MatchVerdict::taken,
           alone.empty() ? MatchReasons{mismatch::kSeveralFit} : MatchReasons{});
  if (alone.empty()) return meant.empty() ? Found::nobody : Found::several;

  auto found = notice ? std::nullopt : records_.remittances().find(tenant_, notices[alone.front()->notice].id);
  auto& whole = notice ? *notice : *found;
  std::vector<Deposit> parts;
  for (const auto i : alone.front()->deposits) parts.push_back(deposits[i]);
  join(whole, Purse::pool(std::move(parts)), MatchStep::many_to_one);
  return Found::one;
}

MatchPayments::Found MatchPayments::find_notice_by_amount(Deposit& deposit) {
  const auto search = [&](const auto&, const auto& days) {
    return records_.remittances().waiting_of_payer(tenant_, deposit.payer_id, MoneyRange::just(deposit.amount), days, kMostCandidates);
  };
  auto notices = candidates_of(search, MoneyRange::just(deposit.amount), matching_days(deposit));
  if (!deposit.trace_number.empty())  // step 1 has looked at those
    std::erase_if(notices, [&](const Remittance& notice) { return notice.draft.trace_number == deposit.trace_number; });
  const auto [found, notice] = weigh({deposit.id.text()}, MatchStep::amount_and_date, notices,
                                     [&](const Remittance& candidate) { return differences_by_amount(deposit, candidate.draft); });
  if (notice) {
    auto found_notice = with_claims(notice->id);
    join(found_notice, deposit, MatchStep::amount_and_date);
  }
  return found;
}

MatchPayments::Found MatchPayments::find_money_by_amount(Remittance& remittance) {
  const auto& draft = remittance.draft;
  if (draft.payer_id.empty()) return Found::nobody;
  const auto search = [&](const auto&, const auto& days) {
    return records_.deposits().waiting_of_payer(tenant_, draft.payer_id, MoneyRange::just(draft.payment_amount), days, kMostCandidates);
  };
  auto deposits = draft.payment_date ? candidates_of(search, MoneyRange::just(draft.payment_amount), matching_days(*draft.payment_date))
                                     : search(MoneyRange::any(), std::nullopt);
  if (!draft.trace_number.empty())
    std::erase_if(deposits, [&](const Deposit& deposit) { return deposit.trace_number == draft.trace_number; });
  const auto [found, deposit] = weigh({remittance.id.text()}, MatchStep::amount_and_date, deposits,
                                      [&](const Deposit& candidate) { return differences_by_amount(candidate, draft); });
  if (deposit) join(remittance, *deposit, MatchStep::amount_and_date);
  return found;
}

MatchPayments::Found MatchPayments::find_settlement(Deposit& deposit) {
  const auto search = [&](const auto&, const auto& days) {
    return records_.settlements().awaiting_payment(tenant_, deposit.payer_id, MoneyRange::just(deposit.amount), days, kMostCandidates);
  };
  const auto paid_on = deposit.effective_date.value_or(deposit.received_date);
  auto awaited = candidates_of(search, MoneyRange::just(deposit.amount), {paid_on.plus(-domain::kUnannouncedWindowDays), paid_on.plus(domain::kUnannouncedWindowDays)});
  const auto [found, settlement] = weigh({deposit.id.text()}, MatchStep::amount_and_date, awaited,
                                         [&](const Settlement& candidate) { return differences_by_amount(deposit, candidate); });
  if (settlement) {
    booking_.payment({*settlement, {}}, {deposit.amount, domain::PaymentWord::none, {}}, &deposit, nullptr, name_of(MatchStep::amount_and_date));
    records_.deposits().update_match(tenant_, deposit);
  }
  return found;
}

/// The deposit came first, named no trace number and was posted to the one settlement that it fitted: this notice only
/// confirms it, and tells what was decided.
bool MatchPayments::announce_late(Remittance& remittance) {
  if (remittance.claims.size() != 1) return false;
  auto& paid = remittance.claims.front();
  bool may_be_ours = false;
  const auto place = place_of(remittance, paid, false, may_be_ours);
  if (!place) return false;
  const auto& settlement = place->settlement.id;
  const auto records = records_.reconciliations().of(tenant_, settlement);
  if (records.size() != 1 || !records.front().deposit || records.front().remittance ||
      records.front().payer_payment != paid.claim.paid_amount)
    return false;
  auto deposit = records_.deposits().find(tenant_, *records.front().deposit);
  if (!deposit || !differences_by_amount(*deposit, remittance.draft).empty()) return false;
  remittance.deposit = deposit->id;
  records_.remittances().link_deposit(tenant_, remittance.id, deposit->id);
  keep({remittance.id.text()}, MatchStep::amount_and_date, deposit->id.text(), MatchVerdict::taken, {});
  if (paid.settlement != settlement) keep({remittance.id.text(), paid.index}, MatchStep::claim_identifier, settlement.text(), MatchVerdict::taken, {});
  booking_.confirmation(*place, remittance, paid, &*deposit, name_of(MatchStep::amount_and_date));
  records_.remittances().update_claim(tenant_, remittance.id, paid);
  records_.remittances().update_status(tenant_, remittance);
  if (const auto places = places_of(remittance, false); booking_.covers(remittance, places, &*deposit)) booking_.adjust(remittance, places, &*deposit);
  records_.deposits().update_match(tenant_, *deposit);
  return true;
}

MatchStep MatchPayments::joined_by(const Remittance& remittance) const {
  return records_.matches().joined_by(tenant_, remittance.deposit->text(), remittance.id.text()).value_or(MatchStep::trace_number);
}

/// Not a reason to hold it: payers begin their numbers anew. But it may be a notice sent twice with other content.
void MatchPayments::tell_of_reused_trace(const Remittance& remittance) {
  if (remittance.draft.trace_number.empty() || remittance.draft.payment_amount <= Money{}) return;
  const auto replaced = replace_held(remittance);
  if (const auto other = records_.remittances().another_with_trace(tenant_, remittance); other && !replaced.contains(*other))
    open_task("trace_reused", remittance.id.text(), "Another remittance of this payer carries the trace number already: " + other->text() + ".");
}

std::set<domain::RemittanceId> MatchPayments::replace_held(const Remittance& remittance) {
  std::set<domain::RemittanceId> replaced;
  const auto& draft = remittance.draft;
  if (!balance_of(draft).balanced()) return replaced;
  for (const auto& held : records_.remittances().waiting_with_trace(tenant_, draft.trace_number, MoneyRange::any(), kMostCandidates)) {
    if (balance_of(held.draft).balanced() || held.draft.payer_id != draft.payer_id || held.draft.payment_date != draft.payment_date) continue;
    close_tasks(records_, tenant_, ids_, now_, "remittance_unbalanced", held.id.text(), domain::kCorrected);
    replaced.insert(held.id);
  }
  return replaced;
}

// --- what belongs together is posted ----------------------------------------------------------------------------------------

void MatchPayments::join(Remittance& remittance, Deposit& deposit, MatchStep step) {
  join(remittance, Purse::pool({deposit}), step);
  deposit = *records_.deposits().find(tenant_, deposit.id);
}

void MatchPayments::join(Remittance& remittance, Purse purse, MatchStep step, Missing missing) {
  auto& money = *purse.money();
  remittance.deposit = money.id;
  records_.remittances().link_deposit(tenant_, remittance.id, money.id);
  close_tasks(records_, tenant_, ids_, now_, "match_ambiguous", remittance.id.text(), "matched");
  for (const auto& part : purse.parts())
    for (const char* kind : {"deposit_unmatched", "match_ambiguous"}) close_tasks(records_, tenant_, ids_, now_, kind, part.id.text(), "matched");
  if (missing == Missing::is_a_loss) booking_.give_up_missing(remittance, places_of(remittance, false), &money);
  post_claims(remittance, &money, step);
  // Even where none of its claims is ours, this money is announced: no other notice may take it.
  if (money.status == domain::MatchState::unmatched) money.status = domain::MatchState::partly_matched;
  purse.keep(records_, tenant_);
}

void MatchPayments::post_claims(Remittance& remittance, Deposit* deposit, MatchStep step) {
  booking_.notice(remittance, places_of(remittance, true), deposit, name_of(step));
}

Places MatchPayments::places_of(const Remittance& remittance, bool tell) {
  Places places;
  for (const auto& paid : remittance.claims) {
    bool may_be_ours = false;
    places.of.push_back(place_of(remittance, paid, tell && paid.state == State::waiting, may_be_ours));
    if (!may_be_ours && (paid.state == State::waiting || paid.state == State::unmatched)) places.nobodys += paid.claim.paid_amount;
  }
  return places;
}

void MatchPayments::move_status(const Remittance& remittance, const domain::RemittanceClaim& paid) {
  const auto status = domain::claim_status_of_clp02(paid.status);
  const auto claim = status ? claim_of(paid) : std::nullopt;
  if (!claim || !domain::may_move(claim->status.status, *status, domain::StatusSource::payer)) return;
  if (!is_about(remittance.draft, paid, claim->claim)) return;
  if (!move_claim_status(records_, tenant_, claim->status, *status, domain::StatusSource::payer, now_, ids_)) collided_ = true;
}

/// The claim as it is billed now, or as it was advanced.
bool MatchPayments::is_about(const domain::RemittanceDraft& draft, const domain::RemittanceClaim& paid, const domain::Claim& claim) const {
  if (differences(draft, paid, claim.draft).empty()) return true;
  const auto live = records_.settlements().live_of(tenant_, claim.id);
  return live && differences(draft, paid, as_advanced(claim.draft, live->settlement)).empty();
}

/// Ladder step 2: the patient control number, else the payer's claim number.
std::optional<ports::StoredClaim> MatchPayments::claim_of(const domain::RemittanceClaim& paid) const {
  auto claim = records_.claims().find(tenant_, paid.claim_identifier);
  if (!claim && !paid.payer_claim_number.empty()) claim = records_.claims().find(tenant_, paid.payer_claim_number);
  return claim;
}

/// What the notice decides on, or takes back, of this claim under this one's number. Summed once for all of them: a hostile
/// notice gives thousands the same number.
Money MatchPayments::fitting_charge(const Remittance& remittance, const RemittanceClaimRecord& paid, const domain::ClaimId& id, const domain::ClaimDraft& claim) {
  if (numbered_ != remittance.id) {
    numbered_ = remittance.id;
    by_number_.clear();
    for (std::size_t i = 0; i < remittance.claims.size(); ++i) by_number_[remittance.claims[i].claim.claim_identifier].positions.push_back(i);
  }
  auto& namesakes = by_number_[paid.claim.claim_identifier];
  const auto [fitting, is_new] = namesakes.fitting.try_emplace(id);
  auto& [charge, taken_back] = fitting->second;
  if (is_new)
    for (const auto position : namesakes.positions) {
      const auto& other = remittance.claims[position].claim;
      if (differences(remittance.draft, other, claim).empty()) (other.paid_amount < Money{} ? taken_back : charge) += charge_of(other);
    }
  return paid.claim.paid_amount < Money{} ? taken_back : charge;
}

/// The live settlement of the claim that this one is about. CLP01 is not unique: payer, charge and service date must agree. A
/// claim is decided on once, if in parts, and so is a decision taken back: where namesakes of the notice go beyond its charge,
/// some are another's, and nobody decides which.
std::optional<Place> MatchPayments::place_of(const Remittance& remittance, const RemittanceClaimRecord& paid, bool tell, bool& may_be_ours) {
  const auto claim = claim_of(paid.claim);
  const auto live = claim ? records_.settlements().live_of(tenant_, claim->claim.id) : std::nullopt;
  if (!live) return std::nullopt;

  const auto draft = as_advanced(claim->claim.draft, live->settlement);
  auto reasons = differences(remittance.draft, paid.claim, draft);
  const Money fitting = fitting_charge(remittance, paid, claim->claim.id, draft);
  const bool is_another_s = !reasons.empty() && fitting > Money{};  // its namesake is ours
  const bool several_fit = reasons.empty() && fitting > draft.submitted_amount;
  if (several_fit) reasons.emplace_back(mismatch::kSeveralFit);
  const bool fits = reasons.empty();
  may_be_ours = fits || !(is_another_s || is_another_payers_share(paid.claim, reasons));
  if (tell && !fits && may_be_ours)
    open_task_once(records_, tenant_, ids_, now_,
                   {"match_ambiguous", remittance.id.text(),
                    several_fit ? "Several claims of this notice fit one settlement."
                                : "A claim has the number of an advanced one, but another payer, charge or service date."});
  if (tell && (!fits || paid.settlement != live->settlement.id))  // else it was said before
    keep({remittance.id.text(), paid.index}, MatchStep::claim_identifier, live->settlement.id.text(),
         fits ? MatchVerdict::taken : MatchVerdict::rejected, std::move(reasons));
  if (!fits) return std::nullopt;
  return Place{live->settlement, draft.submitted_amount};
}

void MatchPayments::open_task(const char* kind, const std::string& object, std::string note) {
  usecases::open_task(records_, tenant_, ids_, now_, {kind, object, std::move(note)});
}

}  // namespace tideover::usecases
