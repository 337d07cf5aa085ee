#include "core/usecases/post_deposit.hpp"

#include "core/faults/crash_point.hpp"
#include "core/usecases/match_payments.hpp"

namespace tideover::usecases {
namespace {

using domain::Deposit;
using domain::Error;
using domain::ErrorCode;

bool same_money(const Deposit& a, const Deposit& b) {
  return a.payer_id == b.payer_id && a.amount == b.amount && a.received_date == b.received_date && a.trace_number == b.trace_number;
}

}  // namespace

domain::Result<Answer> PostDeposit::operator()(const Act& act, Deposit deposit, const Render<PostedDeposit>& render) {
  const auto payer = payers_.get(deposit.payer_id);
  if (!payer) return payer.error();
  deposit.payer_id = *payer ? (*payer)->payer_id : domain::plain_payer_id(deposit.payer_id);
  deposit.id = ids_.next<domain::DepositId>();
  deposit.created_at = act.now;

  const auto& tenant = act.caller.tenant;
  Answer answer;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.clients().guard_matching(tenant);
    answer = {};
    if (!deposit.external_id.empty())
      if (const auto known = records.deposits().find_external(tenant, deposit.external_id)) {
        if (!same_money(*known, deposit)) {
          Error error = Error::of(ErrorCode::validation_error, "A deposit with this external_id but other content is known already.")
                            .with("deposit_id", known->id.text());
          error.fields.push_back({"external_id", "is taken by another deposit"});
          return error;
        }
        answer = {render({*known, {}}), true};
        return {};
      }

    Deposit arrived = deposit;
    records.deposits().insert(tenant, arrived);
    faults::crash_point("deposit.recorded");
    domain::LedgerTransaction received;
    received.id = ids_.next<domain::LedgerTransactionId>();
    received.cause_kind = "deposit";
    received.cause_id = arrived.id.text();
    received.at = act.now;
    received.debit(std::string(domain::account::kDepositClearing), arrived.amount);
    received.credit(std::string(domain::account::kSuspenseUnmatched), arrived.amount);
    records.ledger().append(tenant, received);
    faults::crash_point("deposit.booked");

    MatchPayments matching(records, tenant, act.now, ids_);
    matching.deposit_arrived(arrived);
    faults::crash_point("deposit.matched");
    if (matching.collided()) return Error::of(ErrorCode::conflict, "A claim changed at the same moment.");
    records.events().append(tenant, {ids_.next<domain::EventId>(), act.now,
                                     domain::DepositReceived{arrived.id, arrived.amount, arrived.status}});
    answer.body = render({arrived, matching.posted()});
    leave_trace(records, act, ids_, arrived.id.text(), answer.body);
    faults::crash_point("deposit.traced");
    return {};
  });
  faults::crash_point("deposit.committed");
  if (!done) return done.error();
  return answer;
}

}  // namespace tideover::usecases
