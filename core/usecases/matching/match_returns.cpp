// Deposits that the bank took back (declared in match_payments.hpp).
#include <set>

#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::MatchStep;
using domain::MatchVerdict;
using domain::Money;
using domain::Remittance;

constexpr const char* kReturned = "deposit_returned";

}  // namespace

domain::Status MatchPayments::deposit_returned(Deposit& deposit) {
  finish_postings(deposit.id.text());
  auto pool = FundsPool::of(records_, tenant_, deposit.pooled_into ? *deposit.pooled_into : deposit.id);
  auto& money = *pool.money();
  money.returned_date = deposit.returned_date;  // the postings below take effect on this day; not stored here
  const auto paid = records_.remittances().paid_by(tenant_, money.id);
  std::set<domain::TaskId> decisions;
  const auto add_decisions_about = [&](const std::string& subject) {
    for (const auto& seen : records_.matches().decided(tenant_, subject))
      if (seen.step == MatchStep::person && seen.verdict == MatchVerdict::taken && !seen.reasons.empty())
        decisions.insert(domain::TaskId::trusted(seen.reasons.front()));
  };
  for (const auto& part : pool.parts()) add_decisions_about(part.id.text());
  for (auto id = paid.rbegin(); id != paid.rend(); ++id) {  // latest first: an undo needs the last record
    auto remittance = with_claims(*id);
    add_decisions_about(id->text());
    decisions.merge(posting_.decisions_of(remittance));
    if (auto taken = take_money_from(remittance, pool); !taken) return taken;
  }
  // What the deposit paid without a remittance, or before its remittance came.
  std::set<domain::SettlementId> settlements;
  for (const auto& record : records_.reconciliations().of_deposit(tenant_, money.id))
    settlements.insert(record.settlement);
  for (const auto& settlement : settlements) {
    auto standing = booking_.standing_of(settlement);
    std::erase_if(standing, [&](const auto& record) { return record.deposit != money.id; });
    const auto left = domain::position_of(standing);
    if (left.paid.is_zero() && left.charge.is_zero()) continue;  // taken back with its remittance
    keep({money.id.text()}, MatchStep::amount_and_date, settlement.text(), MatchVerdict::undone, {kReturned});
    for (auto record = standing.rbegin(); record != standing.rend(); ++record) {
      if (auto forgotten = forget_repeats(*record, true); !forgotten) return forgotten;
      if (auto reversed = booking_.reverse(settlement, record->id, &money); !reversed) return reversed;
    }
  }
  if (!money.released.is_zero()) booking_.release(money, -money.released);
  // Other deposits of the pool are free for another match.
  money.status = domain::MatchState::unmatched;
  pool.dissolve();
  pool.keep(records_, tenant_);
  for (const auto& part : pool.parts())
    for (const auto kind : {domain::kDepositUnmatched, domain::kMatchAmbiguous})
      close_tasks(unit_, kind, part.id.text(), kReturned);
  mark_undone(decisions);
  for (const auto& record : booking_.posted())
    if (domain::position_of(records_.reconciliations().of(tenant_, record.settlement)).paid < Money{})
      return domain::Error::of(domain::ErrorCode::invalid_state,
                               "The payer took back what this deposit paid. Undo that takeback first.")
          .with("settlement_id", record.settlement.text());
  deposit = *records_.deposits().find(tenant_, deposit.id);
  reevaluate_waiting();
  return {};
}

domain::Status MatchPayments::take_money_from(Remittance& remittance, FundsPool& pool) {
  const auto step = joined_by(remittance);
  for (const auto& record : unlink_records(remittance))
    if (auto forgotten = forget_repeats(record, false); !forgotten) return forgotten;
  if (auto reversed = posting_.reverse(remittance, pool.money()); !reversed) return reversed;
  reopen_claims(remittance);
  unlink_money(remittance);
  records_.remittances().update_status(tenant_, remittance);
  keep({remittance.id.text()}, step, pool.money()->id.text(), MatchVerdict::undone, {kReturned});
  close_tasks(unit_, domain::kMatchAmbiguous, remittance.id.text(), kReturned);
  open_task(
      "match_ambiguous", remittance.id.text(),
      "The bank took the money of this remittance back. It waits for another deposit. Ask the payer to pay again.");
  return {};
}

}  // namespace tideover::usecases
