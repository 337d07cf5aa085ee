// Decisions of reviewers about money, and undo.
#include <algorithm>
#include <map>
#include <sstream>

#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::MatchReasons;
using domain::MatchStep;
using domain::MatchVerdict;
using domain::Money;
using domain::Remittance;
using domain::Settlement;
using State = domain::RemittanceClaimRecord::State;

/// The candidate in the match trail of released money.
constexpr const char* kProvider = "provider";

/// In the reasons of an assigned payer: the payer before.
constexpr std::string_view kPayerWas = "payer_was:";

domain::Error not_funded_yet(const Remittance& remittance) {
  return domain::Error::of(domain::ErrorCode::invalid_state,
                           "An advance of this remittance is not funded yet. Decide after it is funded or has ended.")
      .with("remittance_id", remittance.id.text());
}

domain::Error nothing_to_release(const std::string& object) {
  return domain::Error::of(domain::ErrorCode::invalid_state, "No money is left to release. Read the task again.")
      .with("object_id", object);
}

/// A record that a remittance added after its money was posted.
bool is_confirmation(const domain::ReconciliationRecord& record) {
  return record.payer_payment.is_zero() && record.remittance &&
         record.matched_by == name_of(MatchStep::amount_and_date);
}

/// The reason why a match with this remittance or deposit cannot be undone; nullopt when it can.
std::optional<domain::Error> refusal_of_undo(const ports::Records& records, const domain::TenantId& tenant,
                                             const domain::MatchCandidate& decided,
                                             const std::optional<Remittance>& remittance, const Deposit* deposit) {
  if (deposit && deposit->status == domain::MatchState::returned)
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "The bank took this deposit back. Nothing of its match is left.")
        .with("deposit_id", deposit->id.text());
  if (remittance && deposit && !decided.claim && deposit->released > Money{})
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "A part of this deposit was released to the provider. Undo the release first.")
        .with("deposit_id", deposit->id.text());
  if (remittance && !decided.claim && !released_claims(records, tenant, *remittance).empty())
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "A part of this remittance's money was released to the provider. Undo the release first.")
        .with("remittance_id", remittance->id.text());
  return std::nullopt;
}

/// The records of the advance `settlement` that a reviewer paid from the deposit without a remittance: those of the
/// last decision and of its confirmation. Earlier decisions were undone before.
std::vector<domain::ReconciliationRecord> records_of_deposit(const ports::Records& records,
                                                             const domain::TenantId& tenant, const Deposit& deposit,
                                                             const std::string& settlement) {
  std::vector<domain::ReconciliationRecord> found;
  for (auto& record : records.reconciliations().of_deposit(tenant, deposit.id))
    if (record.settlement.text() == settlement &&
        (record.matched_by == name_of(MatchStep::person) || is_confirmation(record)))
      found.push_back(std::move(record));
  // Records are numbered per settlement. Those before the last decision belong to decisions that were undone.
  std::int64_t last = 0;
  for (const auto& record : found)
    if (!is_confirmation(record)) last = std::max<std::int64_t>(last, record.number);
  std::erase_if(found, [&](const auto& record) { return record.number < last; });
  return found;
}

}  // namespace

domain::Status MatchPayments::join_as_decided(std::vector<Deposit> deposits, Remittance& remittance,
                                              const domain::TaskId& task, Missing missing) {
  if (missing == Missing::is_a_loss && awaits_funding(remittance, targets_of(remittance, false)))
    return not_funded_yet(remittance);
  for (const auto& deposit : deposits)
    keep({deposit.id.text()}, MatchStep::person, remittance.id.text(), MatchVerdict::taken, {task.text()});
  const auto joined = join(remittance, FundsPool::pool(std::move(deposits)), MatchStep::person,
                           missing == Missing::is_a_loss ? &task : nullptr);
  if (!joined) return joined;
  reevaluate_waiting();
  return {};
}

void MatchPayments::report_excess(const domain::DepositId& deposit) {
  const auto whole = FundsPool::of(records_, tenant_, deposit);
  const Money excess = whole.amount() - records_.remittances().announced_of(tenant_, deposit);
  if (excess > Money{})
    open_task("deposit_unmatched", deposit.text(),
              format_money(excess) + " more than announced was received. Find out what it is, or release it.");
}

domain::Status MatchPayments::accept_missing_as_decided(Remittance& remittance, const domain::TaskId& task) {
  keep({remittance.id.text()}, MatchStep::person, remittance.deposit ? remittance.deposit->text() : "",
       MatchVerdict::taken, {task.text()});
  auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
  if (awaits_funding(remittance, targets_of(remittance, false))) return not_funded_yet(remittance);
  if (auto posted = posting_.post_short(remittance, targets_of(remittance, true), pool.money(), task); !posted)
    return posted;
  pool.keep(records_, tenant_);
  reevaluate_waiting();
  return {};
}

domain::Status MatchPayments::release_as_decided(Deposit& deposit, const domain::TaskId& task) {
  auto pool = FundsPool::of(records_, tenant_, deposit.id);
  auto& money = *pool.money();
  // Money that remittances announce belongs to their claims: only the rest may be released.
  const Money left = std::min(money.amount - money.matched_amount,
                              money.amount - records_.remittances().announced_of(tenant_, deposit.id));
  if (deposit.pooled_into || left <= Money{}) return nothing_to_release(deposit.id.text());
  keep({deposit.id.text()}, MatchStep::person, kProvider, MatchVerdict::taken, {task.text()});
  booking_.release(money, left);
  pool.keep(records_, tenant_);
  for (const auto kind : {domain::kDepositUnmatched, domain::kMatchAmbiguous})
    close_tasks(unit_, kind, deposit.id.text(), domain::kRelease);
  return {};
}

domain::Status MatchPayments::release_as_decided(Remittance& remittance, const domain::TaskId& task) {
  if (!remittance.deposit && remittance.draft.payment_amount > Money{})
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "The money of this remittance is not received. There is nothing to release.")
        .with("remittance_id", remittance.id.text());
  auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
  if (posting_.release(remittance, targets_of(remittance, false), pool.money(), task) == 0)
    return nothing_to_release(remittance.id.text());
  keep({remittance.id.text()}, MatchStep::person, kProvider, MatchVerdict::taken, {task.text()});
  pool.keep(records_, tenant_);
  return {};
}

void MatchPayments::name_duplicate_as_decided(Deposit& deposit, const domain::DepositId& known,
                                              const domain::TaskId& task) {
  keep({deposit.id.text()}, MatchStep::person, known.text(), MatchVerdict::taken, {task.text()});
  deposit.status = domain::MatchState::duplicate;
  records_.deposits().update_match(tenant_, deposit);
}

void MatchPayments::name_payer_as_decided(Deposit& deposit, const std::string& payer_id, const domain::TaskId& task) {
  keep_name(deposit.id.text(), deposit.payer_id, task);
  payer_assigned(deposit, payer_id);
}

void MatchPayments::name_payer_as_decided(Remittance& remittance, const std::string& payer_id,
                                          const domain::TaskId& task) {
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
  booking_.payment({settlement, {}}, {deposit.amount, domain::PaymentKind::none, {}}, &deposit, nullptr,
                   name_of(MatchStep::person));
  records_.deposits().update_match(tenant_, deposit);
  reevaluate_waiting();
}

domain::Status MatchPayments::post_as_decided(Remittance& remittance, int position, const Settlement& settlement,
                                              const domain::TaskId& task) {
  auto& paid = remittance.claims[static_cast<std::size_t>(position)];
  auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
  auto* money = pool.money();
  auto targets = targets_of(remittance, false);
  const auto index = static_cast<std::size_t>(position);
  targets.of[index] = AllocationTarget{settlement, settlement.billed.charge};
  targets.ownership[index] = AllocationTargets::Ownership::of_advance;
  // The decision is stored only when the money was posted: an undo must find both or neither.
  if (auto posted = posting_.claim_as_decided(targets, remittance, paid, money, task); !posted) return posted;
  keep({remittance.id.text(), position}, MatchStep::person, settlement.id.text(), MatchVerdict::taken, {task.text()});
  pool.keep(records_, tenant_);
  reevaluate_waiting();
  return {};
}

std::vector<domain::ReconciliationRecord> MatchPayments::unlink_records(Remittance& remittance,
                                                                        std::optional<int> claim,
                                                                        const std::set<int>& freed) {
  std::vector<domain::ReconciliationRecord> unlinked;
  for (auto& paid : remittance.claims) {
    const bool is_undone = claim ? claim == paid.index || freed.contains(paid.index) : paid.state == State::posted;
    if (!is_undone) continue;
    if (paid.state == State::posted)
      for (auto& record : records_.reconciliations().of(tenant_, *paid.settlement))
        if (record.id == *paid.record) unlinked.push_back(std::move(record));
    paid.state = claim == paid.index ? State::unmatched : State::waiting;
    paid.record.reset();
    records_.remittances().update_claim(tenant_, remittance.id, paid);
  }
  return unlinked;
}

domain::Status MatchPayments::undo(const domain::MatchCandidate& decided) {
  finish_postings(decided.subject);
  auto deposit_id = domain::DepositId::parse(decided.subject);
  const auto remittance_id = domain::RemittanceId::parse(deposit_id ? decided.candidate : decided.subject);
  auto remittance = remittance_id ? records_.remittances().find(tenant_, *remittance_id) : std::nullopt;
  if (remittance && decided.candidate == kProvider) return undo_release(decided, *remittance);
  if (remittance && remittance->deposit) deposit_id = remittance->deposit;  // the first deposit of its pool
  auto pool = FundsPool::of(records_, tenant_, deposit_id);
  auto* deposit = pool.money();
  if (deposit && domain::DepositId::parse(decided.candidate) && domain::DepositId::parse(decided.subject)) {
    deposit->status = domain::MatchState::suspected_duplicate;
    records_.deposits().update_match(tenant_, *deposit);
    keep({decided.subject}, MatchStep::person, decided.candidate, MatchVerdict::undone, decided.reasons);
    return {};
  }
  if (deposit && decided.candidate == kProvider)
    if (auto undone = booking_.undo_release(*deposit); !undone) return undone;
  if (auto refusal = refusal_of_undo(records_, tenant_, decided, remittance, deposit)) return *refusal;

  // The decision only accepted a loss, or the deposit pays other remittances as well: keep the deposit. No later search
  // would match that money again.
  const bool keeps_money =
      remittance && remittance->deposit && decided.subject == remittance->id.text() &&
      records_.remittances().announced_of(tenant_, *remittance->deposit) > remittance->draft.payment_amount;

  // Undo all records of a matched remittance, those of a decision about one claim, and the record that a deposit
  // without a remittance paid.
  const auto decision = decided.claim ? std::optional(domain::TaskId::trusted(decided.reasons.at(0))) : std::nullopt;
  std::vector<domain::ReconciliationRecord> records;
  if (remittance)
    records = unlink_records(*remittance, decided.claim,
                             decision ? posting_.claims_of(*remittance, *decided.claim, *decision) : std::set<int>());
  else if (deposit)
    records = records_of_deposit(records_, tenant_, *deposit, decided.candidate);
  for (const auto& record : records)
    if (auto forgotten = forget_repeats(record, !remittance); !forgotten) return forgotten;
  if (remittance) remittance = records_.remittances().find(tenant_, remittance->id);  // its claims may have changed
  std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) {
    return a.number > b.number;
  });  // newest first: a record can be undone only when none builds on it
  if (remittance) {
    std::erase_if(records, [&, posted = posting_.posted_by_rows(*remittance)](const auto& record) {
      return posted.contains(record.id);  // the undo of the rows includes them
    });
    auto canceled = posting_.decisions_of(*remittance);
    if (auto undone = posting_.undo(*remittance, deposit, decided.claim, decision); !undone) return undone;
    for (const auto& left : posting_.decisions_of(*remittance)) canceled.erase(left);
    canceled.erase(domain::TaskId::trusted(decided.reasons.at(0)));  // noted below
    mark_undone(canceled);
  }
  for (const auto& record : records)
    if (auto undone = booking_.undo(record.settlement, record.id, deposit); !undone) return undone;

  if (remittance && !decided.claim) {
    for (const auto& part : pool.parts())
      close_tasks(unit_, domain::kDepositUnmatched, part.id.text(),
                  "undone");  // the task about the excess
    reopen_claims(*remittance);
    if (!keeps_money) unlink_money(*remittance);
  }
  if (remittance) records_.remittances().update_status(tenant_, *remittance);
  if (deposit && !decided.claim && !keeps_money) free_if_unused(pool);
  if (deposit) pool.keep(records_, tenant_);
  keep({decided.subject, decided.claim}, MatchStep::person, decided.candidate, MatchVerdict::undone, decided.reasons);
  reevaluate_waiting();
  return {};
}

void MatchPayments::free_if_unused(FundsPool& pool) {
  auto& deposit = *pool.money();
  if (!deposit.matched_amount.is_zero() || !records_.remittances().announced_of(tenant_, deposit.id).is_zero()) return;
  deposit.status = domain::MatchState::unmatched;
  pool.dissolve();
}

void MatchPayments::mark_undone(const std::set<domain::TaskId>& decisions) {
  for (const auto& task : decisions) {
    const auto rows = records_.matches().of_task(tenant_, task);
    if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.verdict == MatchVerdict::undone; }))
      continue;
    for (const auto& row : rows)
      if (!row.candidate.empty())  // an assigned payer stays
        keep({row.subject, row.claim}, MatchStep::person, row.candidate, MatchVerdict::undone, row.reasons);
  }
}

void MatchPayments::unlink_money(Remittance& remittance) {
  remittance.deposit.reset();
  records_.remittances().link_deposit(tenant_, remittance.id, std::nullopt);
  const auto seen = records_.matches().decided(tenant_, remittance.id.text());
  const auto taken = std::find_if(seen.rbegin(), seen.rend(),
                                  [](const auto& one) { return one.reasons == MatchReasons{kPayerOfMoney}; });
  if (taken == seen.rend() || taken->verdict == MatchVerdict::undone) return;
  // The payer was known only from the deposit that was removed.
  remittance.draft.payer_id.clear();
  records_.remittances().set_payer(tenant_, remittance.id, "");
  keep({remittance.id.text()}, MatchStep::trace_number, "", MatchVerdict::undone, {kPayerOfMoney});
}

domain::Status MatchPayments::undo_release(const domain::MatchCandidate& decided, Remittance& remittance) {
  auto pool = FundsPool::of(records_, tenant_, remittance.deposit);
  if (auto undone =
          posting_.undo(remittance, pool.money(), std::nullopt, domain::TaskId::trusted(decided.reasons.at(0)));
      !undone)
    return undone;
  pool.keep(records_, tenant_);
  keep({decided.subject}, MatchStep::person, decided.candidate, MatchVerdict::undone, decided.reasons);
  return {};
}

domain::Status MatchPayments::forget_payer(const domain::MatchCandidate& named) {
  const auto built_on = [&] {
    return domain::Error::of(domain::ErrorCode::invalid_state,
                             "Money was matched or posted since this payer was assigned. The payer cannot be removed.")
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
    // Matches depend on the payer, so it is removed only while there are none.
    if (!remittance || is_built_on(*remittance)) return built_on();
    reopen_claims(*remittance);
    records_.remittances().update_status(tenant_, *remittance);
    records_.remittances().set_payer(tenant_, remittance->id, former);
  }
  for (const auto kind : {domain::kDepositUnmatched, domain::kMatchAmbiguous})
    close_tasks(unit_, kind, named.subject, "undone");
  keep({named.subject}, MatchStep::person, "", MatchVerdict::undone, named.reasons);
  return {};
}

domain::Status MatchPayments::forget_repeats(const domain::ReconciliationRecord& record, bool of_money_alone) {
  // Each pass reopens the claims of one remittance, so the search ends.
  while (auto remittance = records_.remittances().posted_by(tenant_, record)) {
    records_.postings().note_change(tenant_, remittance->id);
    const bool lets_go = of_money_alone && remittance->deposit == record.deposit;
    for (const auto& paid : remittance->claims)
      if (!lets_go && paid.record == record.id)
        if (auto undone = posting_.undo(*remittance, nullptr, paid.index); !undone) return undone;
    if (lets_go)
      if (auto undone = posting_.undo(*remittance, nullptr, std::nullopt); !undone) return undone;
    for (auto& paid : remittance->claims) {
      if (paid.record != record.id) continue;
      paid.state = State::waiting;
      paid.record.reset();
      records_.remittances().update_claim(tenant_, remittance->id, paid);
    }
    if (lets_go) {
      remittance->deposit.reset();
      records_.remittances().link_deposit(tenant_, remittance->id, std::nullopt);
    }
    records_.remittances().update_status(tenant_, *remittance);
  }
  return {};
}

}  // namespace tideover::usecases
