#include "core/usecases/sandbox/simulate_transfers.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptEvent;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;
using Kind = ports::RailOutcome::Kind;

AttemptEvent event_for(Kind outcome) {
  return outcome == Kind::settled    ? AttemptEvent::settle
         : outcome == Kind::returned ? AttemptEvent::return_
                                     : AttemptEvent::reject;
}

bool is_irrevocable(ports::FundingRails& rails, const std::string& name) {
  const auto* rail = rails.find(name);
  return rail && rail->describe().irrevocable;
}

/// Such a payment is not at the bank yet, so the bank can say nothing about it.
Error no_step(const DisbursementAttempt& attempt) {
  return Error::of(ErrorCode::invalid_state,
                   "The payment is not in a state in which this can happen; see details.status.")
      .with("status", std::string(name_of(attempt.state)));
}

}  // namespace

domain::Result<StoredResponse> SimulateTransfers::operator()(const RequestContext& context, const TransferOrder& order,
                                                             const Render<DisbursementAttempt>& render) {
  const auto& tenant = context.caller.tenant;
  const auto missing = Error::of(ErrorCode::not_found, "Transfer not found.");
  const auto id = domain::TransferId::parse(order.transfer_id);
  if (!id) return missing;
  const auto attempt = fetch(
      store_, missing, [&](const ports::Records& records) { return records.settlements().transfer(tenant, *id); });
  if (!attempt) return attempt.error();
  if (!is_simulated(rails_, attempt->rail))
    return Error::of(ErrorCode::invalid_state, "The rail of this payment is not simulated.")
        .with("rail", attempt->rail);
  if (order.outcome == Kind::returned && is_irrevocable(rails_, attempt->rail))
    return Error::of(ErrorCode::invalid_state,
                     "Payments over " + attempt->rail +
                         " are irrevocable: they do not come back. Use a rail whose irrevocable is false.")
        .with("status", std::string(name_of(attempt->state)))
        .with("rail", attempt->rail);
  const auto event = event_for(order.outcome);
  if (is_in_flight(attempt->state) || !next_state(attempt->state, event)) return no_step(*attempt);

  ports::RailOutcome outcome;
  outcome.kind = order.outcome;
  if (attempt->rail_reference.empty()) outcome.reference = "sandbox-" + id->text();
  outcome.reason_code = order.code;
  if (!order.code.empty()) outcome.reason = domain::kSimulatedByRequest;
  std::string body;
  const auto recorded = disburse_.record(
      tenant, *attempt, event, outcome,
      [&](ports::Records& records, const domain::Settlement*, const DisbursementAttempt& stands) -> domain::Status {
        body = render(stands);
        leave_trace(records, context, ids_, id->text(), body);
        audit_rail_answer({records, tenant, context.now, ids_}, context.operation, stands);  // of the settlement
        return {};
      });
  if (!recorded) return recorded.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
