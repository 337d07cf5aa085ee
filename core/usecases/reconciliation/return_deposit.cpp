#include "core/usecases/reconciliation/return_deposit.hpp"

#include "core/domain/reconciliation/ledger.hpp"
#include "core/faults/crash_point.hpp"
#include "core/usecases/ledger/post_entry.hpp"
#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/matching/match_trail.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::Error;
using domain::ErrorCode;
using domain::MatchState;

std::optional<Error> refusal_of(const Deposit& deposit, const DepositReturn& returned, domain::Date today) {
  if (deposit.status == MatchState::returned)
    return Error::of(ErrorCode::invalid_state, "The bank returned this deposit before. Nothing changes.");
  if (deposit.status == MatchState::suspected_duplicate || deposit.status == MatchState::duplicate)
    return Error::of(ErrorCode::invalid_state,
                     "This deposit is held or a duplicate: it was never posted. There is nothing to return.");
  if (returned.returned_date >= deposit.received_date && returned.returned_date <= today.plus(kDepositDaysAhead))
    return std::nullopt;
  auto error = Error::of(ErrorCode::validation_error, "The bank cannot return a deposit on this day.");
  error.fields.push_back({"returned_date", "must be from received_date to tomorrow (UTC)"});
  return error;
}

/// The opposite of the entry that the deposit made when it came.
void book(const UnitOfWork& unit, const Deposit& deposit) {
  auto entry = domain::LedgerTransaction::of(unit.ids.next<domain::LedgerTransactionId>(),
                                             {"deposit_return", deposit.id.text()}, unit.now, deposit.returned_date);
  entry.debit(std::string(domain::account::kSuspenseUnmatched), deposit.amount);
  entry.credit(std::string(domain::account::kDepositClearing), deposit.amount);
  post_entry(unit, std::move(entry));
}

}  // namespace

domain::Result<StoredResponse> ReturnDeposit::operator()(const RequestContext& context, const DepositReturn& returned,
                                                         const Render<DepositView>& render) {
  const auto& tenant = context.caller.tenant;
  StoredResponse answer;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const UnitOfWork unit{records, tenant, context.now, ids_, rules_};
    records.clients().guard_matching(tenant);
    const auto id = domain::DepositId::parse(returned.deposit_id);
    auto deposit = id ? records.deposits().find(tenant, *id) : std::nullopt;
    if (!deposit) return Error::of(ErrorCode::not_found, "Deposit not found.");
    if (auto refusal = refusal_of(*deposit, returned, context.now.utc_date()))
      return std::move(*refusal).with("deposit_id", deposit->id.text());
    deposit->returned_date = returned.returned_date;  // what is taken back takes effect on this day
    MatchPayments matching(unit);
    if (auto undone = matching.deposit_returned(*deposit); !undone) return undone;
    if (matching.collided())
      return Error::of(ErrorCode::conflict, "A claim changed at the same time. Send the request again.");
    deposit->status = MatchState::returned;
    deposit->returned_date = returned.returned_date;
    deposit->return_reason = returned.reason;
    records.deposits().set_returned(tenant, *deposit);
    book(unit, *deposit);
    faults::crash_point("deposit.returned");
    answer = {render({*deposit, records.reconciliations().of_deposit(tenant, deposit->id),
                      trail_of(records, tenant, deposit->id.text())})};
    leave_trace(records, context, ids_, deposit->id.text(), answer.body);
    return {};
  });
  if (!done) return done.error();
  return answer;
}

}  // namespace tideover::usecases
