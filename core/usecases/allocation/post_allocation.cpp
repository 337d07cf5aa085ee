#include "core/usecases/allocation/post_allocation.hpp"

#include <algorithm>
#include <map>

#include "core/domain/reconciliation/answer.hpp"
#include "core/domain/reconciliation/match.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/learn_payee.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::AllocationAccount;
using domain::AllocationLine;
using domain::AllocationReason;
using domain::AllocationRow;
using domain::ClaimOutcome;
using domain::Deposit;
using domain::HoldReason;
using domain::Money;
using domain::PaymentKind;
using domain::Remittance;
using domain::RemittanceClaimRecord;
using State = RemittanceClaimRecord::State;

/// A takeback reverses a decided charge. Payers write that charge with either sign.
domain::Payment payment_of(const domain::RemittanceClaim& claim, PaymentKind kind, Money amount) {
  const Money charge = domain::answer_of(claim).charge;
  return {amount, kind, kind == PaymentKind::taken_back ? -charge : charge};
}

std::string no_rule_for(const domain::RemittanceClaim& claim) {
  const auto contradiction = domain::answer_of(claim).contradiction;
  if (contradiction.empty()) return "The claim status does not allow automatic posting (CLP02 " + claim.status + ").";
  return "The answer to a claim (CLP02 " + claim.status + ") contradicts itself: " + std::string(contradiction) +
         ". Only a reviewer can post it.";
}

std::string text_of(const domain::AllocationHold& hold, const Remittance& remittance) {
  switch (hold.reason) {
    case HoldReason::money_missing:
      return "The claims of this remittance pay more than its money and takebacks: held. Wait for the missing money, "
             "or accept it as a loss (accept_short).";
    case HoldReason::takeback_in_question: {
      const auto& claim = remittance.claims[*hold.claim].claim;
      return automatic_kind(claim) ? "The advance of a takeback is not certain: held as a whole. Accept a proposal."
                                   : no_rule_for(claim);
    }
    case HoldReason::takeback_beyond_payments:
      return "A claim takes back more than was paid for it: held as a whole. Wait for that payment, or charge the rest "
             "to the practice (accept_short).";
    case HoldReason::paid_twice:
      return "The payer pays more than expected for a settlement that is final, possibly the same payment twice. It "
             "waits for a takeback.";
    case HoldReason::above_charge:
      return "The payer pays " + format_money(hold.amount) +
             " more for a claim than its charge: held. Accept it (accept_over), or wait for the payer's takeback.";
    case HoldReason::no_rule:
      return no_rule_for(remittance.claims[*hold.claim].claim);
    case HoldReason::payer_unknown:
      return kRemitterUnknown;
  }
  return {};
}

/// What is left of the remittance's money for a reviewer's decision.
Money left_of(const Remittance& remittance, const std::vector<AllocationRow>& rows, const Deposit* deposit) {
  const Money announced = std::max(remittance.draft.payment_amount, Money{}) - sum_of(rows);
  return deposit ? std::min(announced, deposit->amount - deposit->matched_amount)
                 : std::min(announced, Money{} - sum_of(rows));
}

constexpr const char* kTakesBackMore = "The claim takes back more than was paid for it.";

/// What a takeback of this remittance may take at most: what was paid, what other remittances withheld before it was
/// announced, and what this remittance pays for the same advance.
Money most_of(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
              const Remittance& remittance) {
  Money most = position_of(records, tenant, target).paid +
               records.allocations().recovered_of(tenant, target.settlement.id, remittance.id);
  for (const auto& paid : remittance.claims)
    if (paid.state == State::waiting && paid.settlement == target.settlement.id && paid.claim.paid_amount > Money{})
      most += paid.claim.paid_amount;
  return most;
}

AllocationRow row_of(const RemittanceClaimRecord& paid, Money amount, AllocationAccount account,
                     AllocationReason reason, const Remittance& remittance) {
  AllocationRow row;
  row.line = AllocationLine::claim;
  row.index = paid.index;
  row.account = account;
  row.amount = amount;
  row.reason = reason;
  row.payer_id = remittance.draft.payer_id;
  return row;
}

}  // namespace

void PostAllocation::post(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit,
                          std::string_view matched_by, const std::optional<domain::TaskId>& task) {
  auto gathered = gather_allocation(records_, tenant_, remittance, targets, deposit);
  auto plan = allocate(gathered.input);
  // An id that this remittance makes ambiguous must not name its lines: plan again without it.
  if (learn_payee(unit_, remittance, gathered, plan)) return post(remittance, targets, deposit, matched_by, task);
  apply(remittance, targets, gathered, std::move(plan), deposit, matched_by, task);
}

domain::Status PostAllocation::post_short(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit,
                                          const domain::TaskId& task) {
  auto gathered = gather_allocation(records_, tenant_, remittance, targets, deposit);
  gathered.input.accepts_short = true;
  auto plan = allocate(gathered.input);
  if (plan.is_held)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "More money is missing than this remittance pays for advances. Wait for the money or for "
                             "the payer's correction.")
        .with("remittance_id", remittance.id.text());
  apply(remittance, targets, gathered, std::move(plan), deposit, name_of(domain::MatchStep::person), task);
  return {};
}

bool PostAllocation::may_post(const Remittance& remittance, const AllocationTargets& targets,
                              const Deposit* deposit) const {
  return !allocate(gather_allocation(records_, tenant_, remittance, targets, deposit).input).rows.empty();
}

bool PostAllocation::use_balances(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit,
                                  std::string_view matched_by) {
  const auto gathered = gather_allocation(records_, tenant_, remittance, targets, deposit, {true, std::nullopt});
  const auto plan = allocate(gathered.input);
  std::set<int> recovered;  // provider adjustments that a balance pays now
  for (const auto& row : plan.rows)
    if (row.reason == AllocationReason::balance_recovered) recovered.insert(row.index);
  std::vector<AllocationRow> opposite;
  for (const auto& row : charged_recoveries(domain::standing(gathered.rows)))
    if (recovered.contains(row.index)) opposite.push_back(opposite_of(row));
  if (opposite.empty()) return false;
  append(remittance, std::move(opposite), next_number(gathered.rows), deposit, std::nullopt);
  post(remittance, targets, deposit, matched_by);
  return true;
}

void PostAllocation::apply(Remittance& remittance, const AllocationTargets& targets, GatheredAllocation& gathered,
                           domain::AllocationPlan plan, Deposit* deposit, std::string_view matched_by,
                           const std::optional<domain::TaskId>& task) {
  std::map<domain::SettlementId, const AllocationTarget*> advances;
  for (const auto& advance : gathered.advances) advances[advance.settlement.id] = &advance;
  std::map<int, Money> shortfall;
  for (const auto& row : plan.rows)
    if (row.line == AllocationLine::shortfall) shortfall[row.index] += row.amount;
  std::map<int, domain::ReconciliationId> records;  // of claims
  for (auto& row : plan.rows) {
    if (row.account != AllocationAccount::advance) continue;
    const bool is_claim = row.line == AllocationLine::claim;
    if (row.line == AllocationLine::shortfall) {
      row.record = records.at(row.index);  // the record of its claim has both
      continue;
    }
    const auto payment = is_claim ? payment_of(remittance.claims[static_cast<std::size_t>(row.index)].claim,
                                               *gathered.input.claims[static_cast<std::size_t>(row.index)].kind,
                                               row.amount + shortfall[row.index])
                                  : domain::Payment{row.amount, PaymentKind::taken_back, {}};
    booking_.payment(*advances.at(*row.settlement), payment, deposit, &remittance, matched_by);
    row.record = booking_.posted().back().id;
    if (is_claim) records.emplace(row.index, *row.record);
  }
  for (const auto& [index, record] : records) remittance.claims[static_cast<std::size_t>(index)].record = record;
  update_claims(remittance, targets, plan);
  report(remittance, plan);
  note_aliases(plan.rows, gathered);
  for (auto& row : plan.rows)  // the plan counts the claims that it was given; a row names them by their index
    if (row.line == AllocationLine::claim || row.line == AllocationLine::shortfall)
      row.index = remittance.claims[static_cast<std::size_t>(row.index)].index;
  append(remittance, std::move(plan.rows), gathered.input.next_number, deposit, task);
}

void PostAllocation::update_claims(Remittance& remittance, const AllocationTargets& targets,
                                   const domain::AllocationPlan& plan) {
  for (std::size_t i = 0; i < remittance.claims.size(); ++i) {
    auto& paid = remittance.claims[i];
    if (plan.outcomes[i] == ClaimOutcome::untouched || paid.state != State::waiting) continue;
    paid.settlement.reset();
    if (targets[i]) paid.settlement = targets[i]->settlement.id;  // its events re-evaluate this remittance
    switch (plan.outcomes[i]) {
      case ClaimOutcome::posted:
        paid.state = State::posted;
        break;
      case ClaimOutcome::unmatched:
        paid.state = State::unmatched;
        break;
      case ClaimOutcome::duplicate:
        paid.state = State::duplicate;
        paid.record = records_.reconciliations().of(tenant_, *paid.settlement).back().id;
        break;
      default:
        break;
    }
    records_.remittances().update_claim(tenant_, remittance.id, paid);
  }
  records_.remittances().update_status(tenant_, remittance);
}

void PostAllocation::report(const Remittance& remittance, const domain::AllocationPlan& plan) {
  for (const auto& hold : plan.holds)
    open_task_once(unit_, {"match_ambiguous", remittance.id.text(), text_of(hold, remittance)});
  // A takeback of a claim waits under its settlement. A provider adjustment is found by the trail.
  for (const auto& hold : plan.holds) {
    if (!hold.settlement || hold.claim) continue;
    const auto known = records_.matches().held_recoveries(tenant_, *hold.settlement, kMostHeldRecoveries);
    if (std::find(known.begin(), known.end(), remittance.id) != known.end()) continue;
    records_.matches().insert(tenant_, {unit_.ids.next<domain::MatchCandidateId>(),
                                        remittance.id.text(),
                                        std::nullopt,
                                        domain::MatchStep::claim_identifier,
                                        hold.settlement->text(),
                                        domain::MatchVerdict::rejected,
                                        {domain::mismatch::kTakenBeyond},
                                        unit_.now});
  }
}

void PostAllocation::append(Remittance& remittance, std::vector<AllocationRow> rows, int first_number, Deposit* deposit,
                            const std::optional<domain::TaskId>& task, bool is_returned) {
  std::map<std::pair<std::string, domain::LedgerParty>, Money> credits;
  Money spent;
  const bool is_undo = !rows.empty() && rows.front().undoes;
  for (auto& row : rows) {
    row.number = first_number++;
    row.posted_at = unit_.now;
    if (task) row.task = task;
    // Of an advance, the record of the settlement moved the money.
    if (row.account != AllocationAccount::advance) spent += row.amount;
    const domain::LedgerParty party{row.payer_id, row.payee_npi};
    if (row.account == AllocationAccount::payable) {
      credits[{domain::account::provider_payable(tenant_), party}] += row.amount;
      remittance.paid_to_provider += row.amount;
    } else if (row.account == AllocationAccount::carried) {
      credits[{std::string(domain::account::kCarriedBalances), party}] += row.amount;
      remittance.carried += row.amount;
      const bool is_available = row.undoes ? row.reason == AllocationReason::balance_recovered
                                           : row.reason == AllocationReason::carried_forward;
      if (is_available) forwarded_payers_.insert(row.payer_id);
    }
  }
  std::erase_if(credits, [](const auto& credit) { return credit.second.is_zero(); });
  const auto transaction =
      credits.empty() ? std::nullopt : std::optional(unit_.ids.next<domain::LedgerTransactionId>());
  for (auto& row : rows) {
    if (row.account != AllocationAccount::advance) row.transaction = transaction;
    records_.allocations().append(tenant_, remittance.id, row);
  }
  recourse_.of_rows(remittance.id, rows, is_returned);
  if (!transaction) return;
  auto effective = is_undo ? std::nullopt : remittance.draft.payment_date;
  if (deposit && deposit->returned_date) effective = deposit->returned_date;
  auto entry =
      domain::LedgerTransaction::of(*transaction, {"provider_adjustments", remittance.id.text()}, unit_.now, effective);
  // Deposits were booked into suspense when they came. Each allocation moves its amount out of suspense.
  entry.debit(std::string(domain::account::kSuspenseUnmatched), spent);
  for (const auto& [credit, amount] : credits) entry.credit(credit.first, amount, credit.second);
  post_entry(unit_, std::move(entry));
  records_.remittances().update_adjustments(tenant_, remittance);
  faults::crash_point("reconciliation.adjusted");
  if (deposit) spend(*deposit, spent);
}

domain::Status PostAllocation::claim_as_decided(const AllocationTargets& targets, Remittance& remittance,
                                                RemittanceClaimRecord& paid, Deposit* deposit,
                                                const domain::TaskId& task) {
  const auto index = static_cast<std::size_t>(paid.index);
  if (const auto why = why_not(records_, tenant_, *targets[index], remittance, paid, deposit); !why.empty())
    return domain::Error::of(domain::ErrorCode::invalid_state, std::string(why));
  auto gathered = gather_allocation(records_, tenant_, remittance, targets, deposit, {false, paid.index});
  auto plan = allocate(gathered.input);
  if (plan.outcomes[index] != ClaimOutcome::posted) {
    if (auto posted = claim_alone(*targets[index], remittance, paid, deposit, task); !posted) return posted;
    post(remittance, targets, deposit, name_of(domain::MatchStep::person), task);
    return {};
  }
  for (auto& row : plan.rows)
    if (row.line == AllocationLine::claim && row.index == paid.index && row.account == AllocationAccount::advance)
      row.reason = AllocationReason::decided;
  paid.state = State::waiting;  // as the other claims: apply() posts it
  apply(remittance, targets, gathered, std::move(plan), deposit, name_of(domain::MatchStep::person), task);
  return {};
}

domain::Status PostAllocation::claim_alone(const AllocationTarget& target, Remittance& remittance,
                                           RemittanceClaimRecord& paid, Deposit* deposit, const domain::TaskId& task) {
  const Money amount = paid.claim.paid_amount;
  if (amount < Money{} && !domain::may_take_back(position_of(records_, tenant_, target), -amount))
    return domain::Error::of(domain::ErrorCode::invalid_state, kTakesBackMore);
  // Alone it would be taken from the advance a second time.
  if (amount < Money{} && records_.allocations().recovered_of(tenant_, target.settlement.id, remittance.id) > Money{})
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "An earlier remittance withheld money for this claim. Decide the other takebacks of this "
                             "remittance first.")
        .with("settlement_id", target.settlement.id.text());
  booking_.payment(target, payment_of(paid.claim, *kind_as_decided(paid.claim), paid.claim.paid_amount), deposit,
                   &remittance, name_of(domain::MatchStep::person));
  paid.state = State::posted;
  paid.settlement = target.settlement.id;
  paid.record = booking_.posted().back().id;
  auto row = row_of(paid, paid.claim.paid_amount, AllocationAccount::advance, AllocationReason::decided, remittance);
  row.settlement = paid.settlement;
  row.payee_npi = target.settlement.billed.billing_npi;
  row.record = paid.record;
  append(remittance, {std::move(row)}, next_number(records_.allocations().of(tenant_, remittance.id)), deposit, task);
  records_.remittances().update_claim(tenant_, remittance.id, paid);
  return {};
}

void PostAllocation::confirm(const AllocationTarget& target, Remittance& remittance, RemittanceClaimRecord& paid,
                             Deposit* deposit, std::string_view matched_by) {
  booking_.confirmation(target, remittance, paid, deposit, matched_by);
  auto row = row_of(paid, paid.claim.paid_amount, AllocationAccount::advance, AllocationReason::confirmed, remittance);
  row.settlement = paid.settlement;
  row.payee_npi = target.settlement.billed.billing_npi;
  row.record = paid.record;
  append(remittance, {std::move(row)}, next_number(records_.allocations().of(tenant_, remittance.id)), deposit,
         std::nullopt);
}

std::size_t PostAllocation::release(Remittance& remittance, const AllocationTargets& targets, Deposit* deposit,
                                    const domain::TaskId& task) {
  const auto gathered = gather_allocation(records_, tenant_, remittance, targets, deposit);
  Money left = left_of(remittance, domain::standing(gathered.rows), deposit);
  std::vector<AllocationRow> rows;
  for (const auto& paid : remittance.claims) {
    const auto& claim = gathered.input.claims[static_cast<std::size_t>(paid.index)];
    if (paid.state != State::unmatched || !claim.is_open || claim.owner != domain::ClaimOwner::in_question ||
        claim.paid <= Money{} || claim.paid > left)
      continue;
    left -= claim.paid;
    rows.push_back(row_of(paid, claim.paid, AllocationAccount::payable, AllocationReason::released, remittance));
    rows.back().payee_npi = claim.payee_npi;
  }
  note_aliases(rows, gathered);
  const auto count = rows.size();
  append(remittance, std::move(rows), next_number(gathered.rows), deposit, task);
  return count;
}

std::set<int> released_claims(const ports::Records& records, const domain::TenantId& tenant,
                              const Remittance& remittance) {
  std::set<int> claims;
  if (remittance.paid_to_provider <= Money{}) return claims;
  for (const auto& row : domain::standing(records.allocations().of(tenant, remittance.id)))
    if (row.reason == AllocationReason::released) claims.insert(row.index);
  return claims;
}

std::string_view why_not(const ports::Records& records, const domain::TenantId& tenant, const AllocationTarget& target,
                         const Remittance& remittance, const RemittanceClaimRecord& paid, const Deposit* deposit) {
  const Money amount = paid.claim.paid_amount;
  const auto kind = kind_as_decided(paid.claim);
  if (!kind) return "This claim status (CLP02) has no payment to post.";
  if (!is_funded(target)) return "The advance is not funded.";
  const auto rows = domain::standing(records.allocations().of(tenant, remittance.id));
  if (std::any_of(rows.begin(), rows.end(), [&](const AllocationRow& row) {
        return row.line == AllocationLine::claim && row.index == paid.index;
      }))
    return "This claim has its account already. Read the allocation of its remittance.";
  if (kind == PaymentKind::taken_back && -amount > most_of(records, tenant, target, remittance)) return kTakesBackMore;
  if (amount > Money{} && amount > left_of(remittance, rows, deposit))
    return "The money for this claim is missing: its remittance or deposit does not have enough left.";
  return {};
}

}  // namespace tideover::usecases
