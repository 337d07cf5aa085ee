#include "core/usecases/matching/book_payment.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/domain/basics/within.hpp"
#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/carried_balance.hpp"
#include "core/domain/reconciliation/ledger.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/matching/funds_pool.hpp"
#include "core/usecases/matching/residual_due.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

namespace {

using domain::Deposit;
using domain::Money;
using domain::PaymentWord;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = RemittanceClaimRecord::State;
using Whose = AllocationTargets::Whose;

/// Of a payer, the last ones that carried a balance on or took of one.
constexpr std::size_t kMostMoved = 1000;

/// What a reviewer may post the claim as; nullopt where there is no payment to post: forwarded, pending, a reversal
/// that takes nothing back or pays.
std::optional<PaymentWord> word_as_decided(const domain::RemittanceClaim& claim) {
  const auto answer = domain::answer_of(claim);
  const bool takes_back = answer.paid < Money{};
  switch (answer.kind) {
    case domain::AnswerKind::processed:
      return takes_back ? PaymentWord::taken_back : PaymentWord::processed;
    case domain::AnswerKind::denied:
      return takes_back ? PaymentWord::taken_back : PaymentWord::denied;
    case domain::AnswerKind::taken_back:
      return takes_back ? std::optional(PaymentWord::taken_back) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The same, posted without a reviewer: never an answer that contradicts itself.
std::optional<PaymentWord> word_of(const domain::RemittanceClaim& claim) {
  return domain::answer_of(claim).contradiction.empty() ? word_as_decided(claim) : std::nullopt;
}

/// Where nothing is paid either: a reversal, a claim that was forwarded, one that was determined beforehand.
bool moves_nothing(const domain::RemittanceClaim& claim) {
  using Kind = domain::AnswerKind;
  const auto answer = domain::answer_of(claim);
  return answer.contradiction.empty() &&
         (answer.kind == Kind::taken_back || answer.kind == Kind::forwarded || answer.kind == Kind::predetermined);
}

/// A takeback undoes a decision on its charge, whichever sign the payer writes that with.
domain::Payment payment_of(const domain::RemittanceClaim& claim, PaymentWord word) {
  const Money charge = domain::answer_of(claim).charge;
  return {claim.paid_amount, word, word == PaymentWord::taken_back ? -charge : charge};
}

std::string not_processed(const domain::RemittanceClaim& claim) {
  const auto contradiction = domain::answer_of(claim).contradiction;
  if (contradiction.empty()) return "A claim was not simply processed (CLP02 " + claim.status + ").";
  return "The answer to a claim (CLP02 " + claim.status + ") contradicts itself: " + std::string(contradiction) +
         ". It is posted only by a reviewer's decision.";
}

bool is_funded(const AllocationTarget& target) {
  return target.settlement.status == domain::SettlementStatus::funded;
}
bool is_funded(const std::optional<AllocationTarget>& target) {
  return target && is_funded(*target);
}

/// A claim that is somebody's is not posted yet.
bool waits(const Remittance& remittance, const AllocationTargets& targets) {
  for (std::size_t i = 0; i < targets.of.size(); ++i)
    if (targets[i] && remittance.claims[i].state == State::waiting) return true;
  return false;
}

void spend(Deposit& deposit, Money amount) {
  deposit.matched_amount += amount;
  deposit.status =
      deposit.matched_amount == deposit.amount ? domain::MatchState::matched : domain::MatchState::partly_matched;
}

/// What is left of the remittance's money. One deposit may pay several remittances: each spends what it announces, and
/// together they spend what came.
Money left_of(const Remittance& remittance, const Deposit* deposit) {
  Money announced = (deposit ? remittance.draft.payment_amount : Money{}) + remittance.withheld - remittance.carried -
                    remittance.paid_to_provider;
  for (const auto& paid : remittance.claims)
    if (paid.state == State::posted) announced -= paid.claim.paid_amount;
  return deposit ? std::min(announced, deposit->amount - deposit->matched_amount) : announced;
}

/// What was paid for claims that are so and will not be posted by themselves.
Money unposted(const Remittance& remittance, const AllocationTargets& targets, AllocationTargets::Whose whose) {
  Money sum;
  for (std::size_t i = 0; i < targets.whose.size(); ++i)
    if (remittance.claims[i].state == State::unmatched && targets.whose[i] == whose)
      sum += remittance.claims[i].claim.paid_amount;
  return sum;
}

/// What claims in question were paid, and those of advances that no rule posts: it stays for the person who decides on
/// them.
Money reserved_of(const Remittance& remittance, const AllocationTargets& targets) {
  return std::max(unposted(remittance, targets, Whose::in_question) + unposted(remittance, targets, Whose::an_advances),
                  Money{});
}

/// What of the remittance's money is kept for reviewers: a takeback that waits as well lowers nothing of it, because it
/// may be posted elsewhere.
Money kept_for_reviewers(const Remittance& remittance, const AllocationTargets& targets) {
  Money sum;
  for (std::size_t i = 0; i < targets.whose.size(); ++i)
    if (remittance.claims[i].state == State::unmatched &&
        (targets.whose[i] == Whose::in_question || targets.whose[i] == Whose::an_advances))
      sum += std::max(remittance.claims[i].claim.paid_amount, Money{});
  return sum;
}

/// What the remittance can still take of what its payer carried on: what it says it withholds of that, and else what
/// its advances need. What is withheld for others is no advance's business, as long as others are paid for it.
Money takes_of_balance(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
                       Money needed) {
  const auto& payer = remittance.draft.payer_id;
  const Money carries = domain::carries_of(remittance.draft);
  if (carries >= Money{} || payer.empty()) return {};
  const Money most = std::min(remittance.carried - carries, records.remittances().carried_by(tenant, payer));
  if (most <= Money{}) return {};
  if (needed >= most) return most;
  std::vector<Remittance> moved;
  if (domain::names_balances(remittance.draft)) moved = records.remittances().moved_balances(tenant, payer, kMostMoved);
  std::erase_if(moved, [&](const Remittance& other) { return other.id == remittance.id; });
  const Money named = domain::withheld_of(remittance.draft, moved) + remittance.carried;
  return std::min(most, std::max({named, needed, Money{}}));
}

domain::Position position_of(const ports::Records& records, const domain::TenantId& tenant,
                             const AllocationTarget& target) {
  return domain::position_of(records.reconciliations().of(tenant, target.settlement.id));
}

/// A payer takes back at most what it paid, less what was given up of that: else a settlement loses the same money
/// twice.
bool may_take_back(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                   Money amount) {
  return domain::may_take_back(position_of(records, tenant, target),
                               amount + records.reconciliations().given_up(tenant, target.settlement.id));
}

Money advance_of(const domain::Settlement& settlement) {
  return settlement.funded_amount.value_or(settlement.terms.advance_amount);
}

/// What the waiting claims of the remittance pay, less what they give back, by advance; only what is booked as a
/// takeback gives back.
std::map<domain::SettlementId, Money> open_of(const ports::Records& records, const domain::TenantId& tenant,
                                              const Remittance& remittance, const AllocationTargets& targets) {
  std::map<domain::SettlementId, Money> open, taken;
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& paid = remittance.claims[i];
    const Money amount = paid.claim.paid_amount;
    if (paid.state != State::waiting || !targets[i]) continue;
    const auto& advance = targets[i]->settlement.id;
    if (amount >= Money{}) {
      open[advance] += amount;
    } else if (word_of(paid.claim) == PaymentWord::taken_back && is_funded(targets[i]) &&
               may_take_back(records, tenant, *targets[i], taken[advance] - amount)) {
      taken[advance] -= amount;
      open[advance] += amount;
    }
  }
  return open;
}

/// What the remittance has for its advances.
struct Cover {
  Money takes;  // of what its payer carried on
  Money left;   // with that, behind what its waiting advances were paid
};

/// What the payer withheld or took back of others is taken from what it pays for others; beyond that it is missing for
/// somebody: whom, a reviewer has to say.
Cover cover_of(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
               const AllocationTargets& targets, const Deposit* deposit) {
  const Money beside = std::max(domain::beside_claims_of(remittance.draft) - remittance.paid_to_provider, Money{});
  Money open;
  for (const auto& [advance, amount] : open_of(records, tenant, remittance, targets)) open += amount;
  const Money left = left_of(remittance, deposit) - beside - open;
  const Money takes =
      takes_of_balance(records, tenant, remittance, reserved_of(remittance, targets) + remittance.withheld - left);
  return {takes, left + takes};
}

}  // namespace

bool awaits_funding(const Remittance& remittance, const AllocationTargets& targets) {
  for (std::size_t i = 0; i < targets.of.size(); ++i)
    if (targets[i] && remittance.claims[i].state == State::waiting && !is_funded(targets[i])) return true;
  return false;
}

Money may_be_given_up(const ports::Records& records, const domain::TenantId& tenant, const Remittance& remittance,
                      const AllocationTargets& targets) {
  auto open = open_of(records, tenant, remittance, targets);
  Money all;
  for (const auto& target : targets.of) {
    const auto paid = is_funded(target) ? open.find(target->settlement.id) : open.end();
    if (paid == open.end()) continue;
    const auto split = position_of(records, tenant, *target).split;
    const Money owed =
        advance_of(target->settlement) + target->settlement.terms.fee_estimate - split.recovered - split.fee;
    all += std::max(Money{}, std::min(paid->second, owed));
    open.erase(paid);
  }
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
  const auto word = word_as_decided(paid.claim);
  if (!word) return "The payer did not simply process this claim (CLP02): there is no payment to post.";
  if (!is_funded(target)) return "The advance is not funded.";
  if (word == PaymentWord::taken_back && !may_take_back(records, tenant, target, -amount))
    return "The claim takes back more than was paid for it.";
  if (amount > Money{} && amount > left_of(remittance, deposit))
    return "The money of this claim is not there: its remittance or its deposit has less left.";
  return {};
}

void BookPayment::notice(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit,
                         std::string_view matched_by) {
  const bool covered = covers(remittance, targets, deposit);
  std::set<domain::SettlementId> unreversed;  // a correction waits for the takeback beside it
  if (!covered)
    open_task(remittance, "The advances were paid more than the money that came and what was taken back: held.");
  for (const bool takebacks : {true, false})
    for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
      auto& paid = remittance.claims[i];
      if (paid.state != State::waiting || (paid.claim.paid_amount < Money{}) != takebacks) continue;
      paid.settlement.reset();
      if (targets[i])
        paid.settlement = targets[i]->settlement.id;  // what happens to it brings this remittance up again
      if (covered && is_funded(targets[i]) && !unreversed.contains(*paid.settlement))
        claim(*targets[i], remittance, paid, deposit, matched_by);
      if (takebacks && targets[i] && paid.state == State::waiting) unreversed.insert(*paid.settlement);
      if (covered && !targets[i]) paid.state = State::unmatched;
      records_.remittances().update_claim(tenant_, remittance.id, paid);
    }
  records_.remittances().update_status(tenant_, remittance);
  if (covered) adjust(remittance, targets, deposit);
}

void BookPayment::adjust(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit) {
  const Money carries = domain::carries_of(remittance.draft);
  const auto cover = cover_of(records_, tenant_, remittance, targets, deposit);
  Money carried = -cover.takes;
  const Money left = cover.left - kept_for_reviewers(remittance, targets);
  if (carries > remittance.carried && !remittance.draft.payer_id.empty() && !waits(remittance, targets))
    carried = domain::within(left, Money{}, carries - remittance.carried);
  // First what the payer pays beside all claims, then for those that nobody advanced, as far as that is there.
  const Money beside = std::max(domain::beside_claims_of(remittance.draft), Money{}),
              first = std::max(beside - remittance.paid_to_provider, Money{});
  Money spare = std::max(left - std::max(carried, Money{}), Money{});
  // What was given up is announced after all, where it is more than the advances needed.
  const Money restored = std::min(remittance.withheld, spare);
  spare -= restored;
  const Money nobodys =
      std::max(unposted(remittance, targets, Whose::nobodys), Money{}) + unposted(remittance, targets, Whose::released);
  const Money unadvanced =
      std::min(spare, std::max(beside + nobodys - std::max(remittance.paid_to_provider, beside), Money{}));
  const Money paid = first + unadvanced;
  if (carries > remittance.carried && remittance.draft.payer_id.empty()) open_task(remittance, kAdviserUnknown);
  book_adjustments(remittance, carried, paid, deposit);
  book_loss(remittance, -restored, deposit);
}

domain::Status BookPayment::give_up_missing(Remittance& remittance, const AllocationTargets& targets,
                                            Deposit* deposit) {
  const Money missing = std::max(Money{}, -left_over(records_, tenant_, remittance, targets, deposit));
  if (missing > may_be_given_up(records_, tenant_, remittance, targets))
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "More is missing than the advances and fees that this remittance pays back: the provider "
                             "would be paid from a loss. Wait for the money, or for the payer's correction.")
        .with("remittance_id", remittance.id.text());
  book_loss(remittance, missing, deposit);
  return {};
}

void BookPayment::book_loss(Remittance& remittance, Money loss, Deposit* deposit) {
  if (loss.is_zero()) return;
  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "withholding";
  entry.cause_id = remittance.id.text();
  entry.at = now_;
  entry.debit(std::string(domain::account::kLossOnReceivable), loss);
  entry.credit(std::string(domain::account::kSuspenseUnmatched), loss);
  records_.ledger().append(tenant_, entry);
  remittance.withheld += loss;
  records_.remittances().update_adjustments(tenant_, remittance);
  if (deposit) spend(*deposit, -loss);
}

domain::Status BookPayment::undo_release(Deposit& deposit) {
  if (auto owed = owes(deposit.released, deposit.id.text()); !owed) return owed;
  book_release(deposit, -deposit.released);
  return {};
}

domain::Status BookPayment::undo_release(Remittance& remittance, Money amount, Deposit* deposit) {
  if (remittance.paid_to_provider < amount)
    return domain::Error::of(domain::ErrorCode::invalid_state, "The money was taken back from the provider before.")
        .with("remittance_id", remittance.id.text());
  if (auto owed = owes(amount, remittance.id.text()); !owed) return owed;
  book_adjustments(remittance, {}, -amount, deposit);
  return {};
}

domain::Status BookPayment::owes(Money released, const std::string& object) const {
  const auto account = domain::account::provider_payable(tenant_);
  Money owed;  // a credit is negative
  for (const auto& balance : records_.ledger().balances(tenant_, account.substr(0, account.find(':')), 1))
    if (balance.account == account) owed = -balance.posted;
  if (owed < released)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "The money was paid to the provider; it cannot be taken back.")
        .with("object_id", object);
  return {};
}

void BookPayment::book_release(Deposit& deposit, Money amount) {
  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "deposit_release";
  entry.cause_id = deposit.id.text();
  entry.at = now_;
  entry.debit(std::string(domain::account::kSuspenseUnmatched), amount);
  entry.credit(domain::account::provider_payable(tenant_), amount);
  records_.ledger().append(tenant_, entry);
  deposit.released += amount;
  spend(deposit, amount);
}

void BookPayment::undo_adjustments(Remittance& remittance, Deposit* deposit) {
  book_adjustments(remittance, {}, -remittance.paid_to_provider, deposit);
  book_loss(remittance, -remittance.withheld, deposit);
}

void BookPayment::book_adjustments(Remittance& remittance, Money carried, Money paid, Deposit* deposit) {
  if (carried.is_zero() && paid.is_zero()) return;
  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "provider_adjustments";
  entry.cause_id = remittance.id.text();
  entry.at = now_;
  entry.debit(std::string(domain::account::kSuspenseUnmatched), carried + paid);
  entry.credit(std::string(domain::account::kCarriedBalances), carried);
  entry.credit(domain::account::provider_payable(tenant_), paid);
  records_.ledger().append(tenant_, entry);
  remittance.carried += carried;
  remittance.paid_to_provider += paid;
  records_.remittances().update_adjustments(tenant_, remittance);
  faults::crash_point("reconciliation.adjusted");
  if (deposit) spend(*deposit, carried + paid);
  if (carried > Money{}) carried_on_.push_back(remittance.draft.payer_id);
}

bool BookPayment::may_book(const Remittance& remittance, const AllocationTargets& targets,
                           const Deposit* deposit) const {
  if (!covers(remittance, targets, deposit)) return false;
  std::set<domain::SettlementId> unreversed;
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& paid = remittance.claims[i];
    if (paid.state == State::waiting && paid.claim.paid_amount < Money{} && is_funded(targets[i]) &&
        !may_take_back(records_, tenant_, *targets[i], -paid.claim.paid_amount))
      unreversed.insert(targets[i]->settlement.id);
  }
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    const auto& paid = remittance.claims[i];
    if (paid.state != State::waiting || !is_funded(targets[i]) || unreversed.contains(targets[i]->settlement.id) ||
        !word_of(paid.claim))
      continue;
    const Money amount = paid.claim.paid_amount;
    if (amount < Money{}) return true;
    const auto position = position_of(records_, tenant_, *targets[i]);
    if (continues(position, amount, targets[i]->settlement.expected_reimbursement) &&
        domain::above_charge(position, amount, targets[i]->billed) <= Money{})
      return true;
  }
  return false;
}

void BookPayment::claim(const AllocationTarget& target, const Remittance& remittance, RemittanceClaimRecord& paid,
                        Deposit* deposit, std::string_view matched_by) {
  const Money amount = paid.claim.paid_amount;
  const auto word = word_of(paid.claim);
  if (!word) {
    paid.state = State::unmatched;
    if (amount.is_zero() && moves_nothing(paid.claim)) return;
    return open_task(remittance, not_processed(paid.claim));
  }
  const auto before = records_.reconciliations().of(tenant_, target.settlement.id);
  const auto position = domain::position_of(before);
  if (amount.is_zero() && is_final(position.split.status)) {
    paid.state = State::duplicate;
    paid.record = before.back().id;
    return;
  }
  if (word == PaymentWord::taken_back && !may_take_back(records_, tenant_, target, -amount))
    return open_task(remittance,
                     "A claim takes back more than was paid for it and not given up: it waits for that payment.");
  if (word != PaymentWord::taken_back && !continues(position, amount, target.settlement.expected_reimbursement))
    return open_task(remittance,
                     "The payer pays more than expected for a settlement that is final, perhaps the same twice: it "
                     "waits for a takeback.");
  if (const Money above = domain::above_charge(position, amount, target.billed);
      word != PaymentWord::taken_back && above > Money{})
    return open_task(
        remittance,
        "The payer pays " + format_money(above) +
            " more for a claim than was charged: held. Accept it (accept_over), or wait for the payer's takeback.");
  payment(target, payment_of(paid.claim, *word), deposit, &remittance, matched_by);
  paid.state = State::posted;
  paid.record = posted_.back().id;
}

void BookPayment::payment(const AllocationTarget& target, const domain::Payment& payment, Deposit* deposit,
                          const Remittance* remittance, std::string_view matched_by) {
  const auto& settlement = target.settlement;
  go_on(target, payment, advance_of(settlement), settlement.terms.fee_estimate, deposit, remittance, matched_by);
}

void BookPayment::advance_returned(const AllocationTarget& target) {
  const auto records = records_.reconciliations().of(tenant_, target.settlement.id);
  const auto position = domain::position_of(records);
  if (position.paid.is_zero() && position.charge.is_zero() && position.split.absorbed.is_zero()) return;
  Money paid = position.paid;
  std::map<domain::RemittanceId, Money> paid_by;
  for (const auto& record : records)
    if (record.remittance) paid_by[*record.remittance] += record.payer_payment;
  for (const auto& [id, by_this] : paid_by) {
    auto remittance = records_.remittances().find(tenant_, id);
    const Money never_came = remittance ? std::min({remittance->withheld, by_this, paid}) : Money{};
    if (never_came <= Money{}) continue;
    auto pool = FundsPool::of(records_, tenant_, remittance->deposit);
    book_loss(*remittance, -never_came, pool.money());
    go_on(target, {-never_came, domain::PaymentWord::advance_returned, {}}, {}, {}, pool.money(), &*remittance,
          domain::kFundingReturned);
    pool.keep(records_, tenant_);
    paid -= never_came;
  }
  if (paid == position.paid)
    go_on(target, {{}, domain::PaymentWord::advance_returned, {}}, {}, {}, nullptr, nullptr, domain::kFundingReturned);
}

/// One more record of the settlement's waterfall, of an advance and a fee of these amounts.
void BookPayment::go_on(const AllocationTarget& target, const domain::Payment& payment, Money advance, Money fee,
                        Deposit* deposit, const Remittance* remittance, std::string_view matched_by) {
  const auto& settlement = target.settlement;
  const auto earlier = records_.reconciliations().of(tenant_, settlement.id);
  const auto before = domain::position_of(earlier);
  domain::ReconciliationRecord record;
  record.number = next_number(earlier);
  record.id = ids_.next<domain::ReconciliationId>();
  record.settlement = settlement.id;
  record.payer_payment = payment.amount;
  record.charge = payment.charge;
  record.split = continue_waterfall(before, payment, {advance, fee, settlement.expected_reimbursement, target.billed});
  record.matched_by = matched_by;
  if (deposit) {
    record.deposit = deposit->id;
    record.trace_number = deposit->trace_number;
  }
  if (remittance) {
    record.remittance = remittance->id;
    record.trace_number = remittance->draft.trace_number;
  }
  record.posted_at = now_;
  post(std::move(record), before.split.status, deposit);
  const bool is_over = is_final(posted_.back().split.status);  // a part leaves a reviewer's question open
  if (is_over && now_.utc_date() > settlement.expected_payment_date)
    close_tasks(records_, tenant_, ids_, now_, domain::kOverduePayment, settlement.id.text(), "matched");
}

void BookPayment::confirmation(const AllocationTarget& target, const Remittance& remittance,
                               RemittanceClaimRecord& paid, Deposit* deposit, std::string_view matched_by) {
  const auto standing = records_.reconciliations().of(tenant_, target.settlement.id).back();
  const auto word = word_of(paid.claim);
  paid.state = State::posted;
  paid.settlement = target.settlement.id;
  paid.record = standing.id;
  if (!word || is_final(standing.split.status)) return;
  payment(target, {{}, *word, domain::answer_of(paid.claim).charge}, deposit, &remittance, matched_by);
  paid.record = posted_.back().id;
}

void BookPayment::post(domain::ReconciliationRecord record, domain::FinalStatus before, Deposit* deposit) {
  records_.reconciliations().insert(tenant_, record);
  if (const bool is_open = !is_final(record.split.status); is_open == is_final(before))
    records_.settlements().set_receivable(tenant_, record.settlement, is_open);
  if (!record.split.residual.is_zero()) {
    records_.settlements().add_residual_due(tenant_, record.settlement, record.split.residual);
    if (record.number > 1) tell_of_payouts_taken_back(records_, tenant_, now_, ids_, record.settlement);
  }
  records_.settlements().add_to_portfolio(tenant_, record.settlement, now_.utc_date(),
                                          {-(record.split.recovered + record.split.principal_loss),
                                           {},
                                           record.split.principal_loss + record.split.residual_loss});
  faults::crash_point("reconciliation.recorded");

  domain::LedgerTransaction entry;
  entry.id = ids_.next<domain::LedgerTransactionId>();
  entry.cause_kind = "reconciliation";
  entry.cause_id = record.id.text();
  entry.settlement = record.settlement;
  entry.at = now_;
  entry.debit(std::string(domain::account::kSuspenseUnmatched), record.payer_payment);
  entry.debit(std::string(domain::account::kLossOnReceivable),
              record.split.principal_loss + record.split.residual_loss);
  entry.credit(domain::account::purchased_receivable(record.settlement),
               record.split.recovered + record.split.principal_loss);
  entry.credit(std::string(domain::account::kFeeIncome), record.split.fee);
  entry.credit(domain::account::provider_payable(tenant_), record.split.residual);
  if (!entry.entries.empty())
    records_.ledger().append(tenant_, entry);  // a part of the charge on which nothing is paid moves nothing
  faults::crash_point("reconciliation.booked");

  if (deposit) spend(*deposit, record.payer_payment);
  records_.events().append(
      tenant_, {ids_.next<domain::EventId>(), now_,
                domain::ReconciliationPosted{record.id, record.settlement, record.number, record.payer_payment,
                                             record.split.fee, record.split.status}});
  posted_.push_back(std::move(record));
}

domain::Status BookPayment::claim_as_decided(const AllocationTarget& target, const Remittance& remittance,
                                             RemittanceClaimRecord& paid, Deposit* deposit) {
  if (const auto why = why_not(records_, tenant_, target, remittance, paid, deposit); !why.empty())
    return domain::Error::of(domain::ErrorCode::invalid_state, std::string(why));
  payment(target, payment_of(paid.claim, *word_as_decided(paid.claim)), deposit, &remittance,
          name_of(domain::MatchStep::person));
  paid.state = State::posted;
  paid.settlement = target.settlement.id;
  paid.record = posted_.back().id;
  return {};
}

domain::Status BookPayment::undo(const domain::ReconciliationRecord& record, Deposit* deposit) {
  std::vector<domain::ReconciliationRecord> standing;
  auto all = records_.reconciliations().of(tenant_, record.settlement);
  const int number = next_number(all);
  for (auto& earlier : all)
    if (earlier.matched_by == domain::kUndone)
      standing.pop_back();
    else
      standing.push_back(std::move(earlier));
  if (standing.empty() || standing.back().id != record.id)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "A later payment was posted to the same advance; it cannot be undone any more.")
        .with("settlement_id", record.settlement.text());
  if (record.split.residual > Money{} && record.split.residual > residual_due(records_, tenant_, record.settlement))
    return domain::Error::
        of(domain::ErrorCode::invalid_state,
           "The residual of this payment was paid out to the provider, or is on its way; it cannot be undone any more.")
            .with("settlement_id", record.settlement.text());
  auto counter = record;
  counter.id = ids_.next<domain::ReconciliationId>();
  counter.number = number;
  counter.payer_payment = -record.payer_payment;
  counter.charge = -record.charge;
  counter.split = -record.split;
  counter.split.status =
      standing.size() > 1 ? standing[standing.size() - 2].split.status : domain::FinalStatus::pending;
  counter.matched_by = domain::kUndone;
  counter.posted_at = now_;
  post(std::move(counter), record.split.status, deposit);
  return {};
}

void BookPayment::open_task(const Remittance& remittance, std::string note) {
  open_task_once(records_, tenant_, ids_, now_, {"match_ambiguous", remittance.id.text(), std::move(note)});
}

}  // namespace tideover::usecases
