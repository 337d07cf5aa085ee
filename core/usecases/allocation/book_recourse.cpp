#include "core/usecases/allocation/book_recourse.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/domain/reconciliation/ledger.hpp"
#include "core/faults/crash_point.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/usecases/ledger/post_entry.hpp"

namespace tideover::usecases {
namespace {

using domain::AllocationAccount;
using domain::AllocationReason;
using domain::AllocationRow;
using domain::Money;
using domain::RecourseEntry;
using domain::RecourseEvent;
using domain::RecourseFacts;
using Kind = RecourseEntry::Kind;

/// From the first day of release; after them, what the reserve lost stays lost.
constexpr int kDaysOfRelease = 365;

/// What the usual bearers bear of the change by a record; nullopt: it is no event.
std::optional<RecourseFacts> event_in(const domain::ReconciliationRecord& record, const domain::Position& before,
                                      const domain::Payment& payment, const domain::AdvanceTerms& terms,
                                      Money returned) {
  RecourseFacts facts;
  const bool is_returned =
      payment.kind == domain::PaymentKind::money_returned || record.matched_by == domain::kDepositReturned;
  const bool is_takeback = !is_returned && payment.amount < Money{};
  facts.usual.funder = std::max(record.split.principal_loss, Money{});
  if (is_returned || is_takeback) {
    facts.event = is_returned ? RecourseEvent::returned_deposit : RecourseEvent::takeback;
    facts.usual.future_residuals = std::max(-record.split.residual - returned, Money{});
  } else if (!facts.usual.funder.is_zero()) {
    facts.event = RecourseEvent::short_payment;
  } else {
    facts.event = RecourseEvent::overpayment;
    facts.usual.future_residuals =
        std::min(overpaid_by(before, payment.amount, terms), std::max(record.split.residual, Money{}));
  }
  facts.amount = facts.usual.sum();
  if (facts.amount.is_zero()) return std::nullopt;
  return facts;
}

std::optional<RecourseFacts> event_in(const AllocationRow& row, bool is_returned) {
  if (row.account != AllocationAccount::payable || row.amount >= Money{}) return std::nullopt;
  const bool is_foreign =
      row.reason == AllocationReason::claim_recovered || row.reason == AllocationReason::unknown_recovered;
  const bool is_beyond = row.reason == AllocationReason::takeback_beyond_payments;
  if (row.undoes ? !is_returned : !is_foreign && !is_beyond) return std::nullopt;
  RecourseFacts facts;
  facts.event = row.undoes   ? RecourseEvent::returned_deposit
                : is_foreign ? RecourseEvent::foreign_recovery
                             : RecourseEvent::takeback;
  facts.amount = facts.usual.future_residuals = -row.amount;
  facts.payer_id = row.payer_id;
  facts.payee_npi = row.payee_npi;
  return facts;
}

}  // namespace

RecourseEntry BookRecourse::entry_of(const domain::Settlement& settlement, const domain::ReconciliationRecord& record,
                                     Kind kind) const {
  RecourseEntry entry;
  entry.kind = kind;
  entry.settlement = settlement.id;
  entry.record = record.id;
  entry.facts.payer_id = settlement.payer_id;
  entry.facts.payee_npi = settlement.billed.billing_npi;
  entry.facts.reserve = unit_.records.recourse().practice(unit_.tenant, entry.facts.payee_npi).reserve;
  return entry;
}

/// Asks the rule. The amount is booked to its usual bearers already, or will be: the facts are those without it.
RecourseEntry BookRecourse::decide(RecourseFacts facts) {
  RecourseEntry entry;
  auto assessed = unit_.rules->decide_recourse(facts);
  entry.decision = bound_recourse(assessed.proposal, facts);
  if (!assessed.faults.empty()) entry.decision.problem = assessed.faults.front().problem;
  entry.moved = transfer_of(entry.decision, facts);
  entry.rule_id = std::move(assessed.rule_id);
  entry.rule_rev = assessed.rule_rev;
  entry.rules = std::move(assessed.rules);
  entry.facts = std::move(facts);
  return entry;
}

void BookRecourse::of_record(const domain::Settlement& settlement, const domain::ReconciliationRecord& record,
                             const domain::Position& before, const domain::Payment& payment,
                             const domain::AdvanceTerms& terms) {
  returned_ = reimbursed_ = {};
  const auto& split = record.split;
  if (record.number > 1) give_back(settlement, record, continued(before, payment, terms));
  Money moved_to_reserve;
  if (auto facts = unit_.rules != nullptr && payment.kind != domain::PaymentKind::advance_returned
                       ? event_in(record, before, payment, terms, returned_)
                       : std::nullopt) {
    facts->payer_id = settlement.payer_id;
    facts->payee_npi = settlement.billed.billing_npi;
    facts->advance = terms.advance;
    facts->paid_out = claimed_by(unit_.records.settlements().payouts_of(unit_.tenant, settlement.id)) +
                      unit_.records.payees().covered_of(unit_.tenant, settlement.id);
    if (settlement.funded_at)
      facts->days_since_funding = days_between(settlement.funded_at->utc_date(), unit_.now.utc_date());
    const auto balance = unit_.records.recourse().practice(unit_.tenant, facts->payee_npi);
    const bool is_credit = facts->event == RecourseEvent::overpayment;
    facts->owed = is_credit ? balance.owed - facts->usual.future_residuals
                            : balance.owed + facts->usual.future_residuals;  // without this event
    facts->carried = balance.carried;
    facts->reserve = balance.reserve;
    auto entry = decide(std::move(*facts));
    entry.settlement = settlement.id;
    entry.record = record.id;
    if (!is_credit) entry.relief = std::max(entry.moved.future_residuals, Money{});
    if (is_credit && entry.moved.reserve > Money{}) {
      moved_to_reserve = entry.held = entry.moved.reserve;
      const int days = settlement.terms.reserve_days > 0 ? settlement.terms.reserve_days
                                                         : unit_.rules->recourse_policy().reserve_days;
      entry.release_on = unit_.now.utc_date().plus(days);
    }
    append(std::move(entry));
  }
  const Money share =
      portion(std::max(split.residual - moved_to_reserve - reimbursed_, Money{}), settlement.terms.reserve_bps);
  if (share.is_zero() || payment.kind == domain::PaymentKind::advance_returned) return;
  auto entry = entry_of(settlement, record, Kind::held);
  entry.facts.event = RecourseEvent::overpayment;
  entry.moved = {-share, share, {}};
  entry.held = share;
  entry.release_on = unit_.now.utc_date().plus(settlement.terms.reserve_days);
  append(std::move(entry));
}

/// A payer that takes a residual back takes its held part. A payer that pays after all pays back those who bore a loss
/// or a takeback.
void BookRecourse::give_back(const domain::Settlement& settlement, const domain::ReconciliationRecord& record,
                             const domain::Position& after) {
  const auto entries = unit_.records.recourse().of(unit_.tenant, settlement.id);
  if (entries.empty()) return;
  const auto excess = std::max(held_of(entries) - std::max(after.split.residual, Money{}), Money{});
  const auto in_reserve = unit_.records.recourse().practice(unit_.tenant, settlement.billed.billing_npi).reserve;
  // What the reserve lost to other events stays lost: then the practice owes it.
  returned_ = std::min(excess, std::max(in_reserve, Money{}));
  if (returned_ > Money{}) {
    auto entry = entry_of(settlement, record, Kind::given_back);
    entry.moved = {returned_, -returned_, {}};
    entry.held = -returned_;
    append(std::move(entry));
  }
  const auto shifted = shifted_of(entries);
  if (const Money beyond = shifted.funder - std::max(after.split.principal_loss, Money{}); beyond > Money{}) {
    const Money to_practice = std::min(beyond, std::max(shifted.future_residuals, Money{}));
    auto entry = entry_of(settlement, record, Kind::given_back);
    entry.moved = {to_practice, beyond - to_practice, -beyond};
    append(std::move(entry));
  }
  const auto relieved = relieved_of(entries);
  if (relieved.sum() <= Money{}) return;
  // Others bear at most what is missing of the largest residual so far.
  Money residual, largest;
  for (const auto& one : standing(unit_.records.reconciliations().of(unit_.tenant, settlement.id)))
    largest = std::max(largest, residual += one.split.residual);
  const Money beyond = relieved.sum() - std::max(largest - after.split.residual, Money{});
  if (beyond <= Money{}) return;
  const Money to_funder = std::min(beyond, relieved.funder);
  reimbursed_ = beyond;
  auto entry = entry_of(settlement, record, Kind::given_back);
  entry.moved = {-beyond, beyond - to_funder, to_funder};
  entry.relief = -beyond;
  append(std::move(entry));
}

void BookRecourse::undo_record(const domain::ReconciliationRecord& undone) {
  for (const auto& entry : standing(unit_.records.recourse().of(unit_.tenant, undone.settlement)))
    if (entry.record == undone.id) {
      if (entry.release_on) unit_.records.recourse().end_hold(unit_.tenant, entry.id);
      auto opposite = opposite_of(entry);
      // The first day of release may have passed: a part that is held again gets a new one.
      if (opposite.held > Money{})
        opposite.release_on = unit_.now.utc_date().plus(unit_.rules ? unit_.rules->recourse_policy().reserve_days
                                                                    : domain::RecoursePolicy{}.reserve_days);
      append(std::move(opposite));
      refill(undone, entry.facts);
    }
}

/// What other events took from the reserve is not there for an undo: the practice owes it.
void BookRecourse::refill(const domain::ReconciliationRecord& undone, const RecourseFacts& facts) {
  const auto reserve = unit_.records.recourse().practice(unit_.tenant, facts.payee_npi).reserve;
  if (facts.payee_npi.empty() || reserve >= Money{}) return;
  RecourseEntry entry;
  entry.kind = Kind::given_back;
  entry.record = undone.id;
  entry.facts.event = facts.event;
  entry.facts.payer_id = facts.payer_id;
  entry.facts.payee_npi = facts.payee_npi;
  entry.facts.reserve = reserve;
  entry.moved = {reserve, -reserve, {}};
  append(std::move(entry));
}

Money BookRecourse::held_by(const domain::ReconciliationRecord& record) const {
  Money held;
  for (const auto& entry : standing(unit_.records.recourse().of(unit_.tenant, record.settlement)))
    if (entry.record == record.id) held += entry.held - entry.relief;
  return held;
}

void BookRecourse::of_rows(const domain::RemittanceId& remittance, const std::vector<AllocationRow>& rows,
                           bool is_returned) {
  if (!rows.empty() && rows.front().number > 1) undo_of_rows(remittance, rows);
  if (unit_.rules == nullptr) return;
  for (const auto& row : rows) {
    auto facts = event_in(row, is_returned);
    if (!facts) continue;
    const auto balance = unit_.records.recourse().practice(unit_.tenant, facts->payee_npi);
    facts->owed = balance.owed;
    facts->carried = balance.carried;
    facts->reserve = balance.reserve;
    auto entry = decide(std::move(*facts));
    entry.remittance = remittance;
    entry.row = row.number;
    append(std::move(entry));
  }
}

/// Cancels the decisions about rows that are undone, and about lines whose returned money came again.
void BookRecourse::undo_of_rows(const domain::RemittanceId& remittance, const std::vector<AllocationRow>& rows) {
  const auto known = standing(unit_.records.recourse().of_remittance(unit_.tenant, remittance));
  if (known.empty()) return;
  std::set<int> undone;                                         // rows
  std::set<std::pair<domain::AllocationLine, int>> paid_again;  // lines
  for (const auto& row : rows) {
    if (row.undoes)
      undone.insert(*row.undoes);
    else
      paid_again.emplace(row.line, row.index);
  }
  std::map<int, std::pair<domain::AllocationLine, int>> line_of;  // the rows of the remittance
  const auto is_return = [](const RecourseEntry& entry) {
    return entry.facts.event == RecourseEvent::returned_deposit;
  };
  if (std::any_of(known.begin(), known.end(), is_return))
    for (const auto& row : unit_.records.allocations().of(unit_.tenant, remittance))
      line_of.emplace(row.number, std::pair(row.line, row.index));
  for (const auto& entry : known) {
    const auto caused = is_return(entry) ? line_of.find(entry.row) : line_of.end();
    if (undone.contains(entry.row) || (caused != line_of.end() && paid_again.contains(caused->second)))
      append(opposite_of(entry));
  }
}

void BookRecourse::release(const RecourseEntry& held) {
  auto& recourse = unit_.records.recourse();
  // A takeback may have used a part of what is held, and other events the reserve.
  const Money of_settlement = std::min(held.held, recourse.held_of(unit_.tenant, *held.settlement));
  const Money in_reserve = std::max(recourse.practice(unit_.tenant, held.facts.payee_npi).reserve, Money{});
  const Money released = std::min(of_settlement, in_reserve);
  // What other events took from the reserve may come back: a short release is tried again.
  const bool waits = released < of_settlement && unit_.now.utc_date() < held.release_on->plus(kDaysOfRelease);
  if (!waits && !recourse.end_hold(unit_.tenant, held.id)) return;
  if (released <= Money{}) return;
  RecourseEntry entry;
  entry.kind = Kind::released;
  entry.settlement = held.settlement;
  entry.record = held.record;
  entry.facts.event = held.facts.event;
  entry.facts.payer_id = held.facts.payer_id;
  entry.facts.payee_npi = held.facts.payee_npi;
  entry.facts.reserve = in_reserve;
  entry.moved = {released, -released, {}};
  entry.held = -released;
  append(std::move(entry));
}

void BookRecourse::append(RecourseEntry entry) {
  entry.id = unit_.ids.next<domain::LedgerTransactionId>();
  entry.posted_at = unit_.now;
  unit_.records.recourse().append(unit_.tenant, entry);
  if (entry.settlement && entry.held != entry.relief)
    unit_.records.settlements().add_residual_due(unit_.tenant, *entry.settlement, entry.relief - entry.held);
  if (entry.moved == domain::RecourseSplit{}) return;
  if (entry.settlement && !entry.moved.funder.is_zero())
    unit_.records.settlements().add_to_portfolio(unit_.tenant, *entry.settlement, unit_.now.utc_date(),
                                                 {{}, {}, -entry.moved.funder});
  const domain::LedgerParty party{entry.facts.payer_id, entry.facts.payee_npi};
  // A payable of the settlement is a part of its residual. What the practice owes beyond that is not.
  const auto settlement = entry.held != entry.relief ? entry.settlement : std::nullopt;
  auto booked =
      domain::LedgerTransaction::of(entry.id, {std::string(domain::kRecourse), entry.id.text(), settlement}, unit_.now);
  booked.credit(domain::account::provider_payable(unit_.tenant), entry.moved.future_residuals, party);
  booked.credit(domain::account::practice_reserve(unit_.tenant), entry.moved.reserve, party);
  booked.credit(std::string(domain::account::kLossOnReceivable), entry.moved.funder);
  post_entry(unit_, std::move(booked));
  faults::crash_point("reconciliation.recourse");
}

}  // namespace tideover::usecases
