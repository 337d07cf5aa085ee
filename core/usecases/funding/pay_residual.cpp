#include "core/usecases/funding/pay_residual.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;

/// A settlement with a residual that is due.
using Due = std::pair<domain::TenantId, domain::SettlementId>;

}  // namespace

domain::Result<StoredResponse> PayResidual::operator()(const RequestContext& context, const std::string& settlement_id,
                                                       const Render<DisbursementAttempt>& render,
                                                       const Render<Error>& render_refusal) {
  const auto& tenant = context.caller.tenant;
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
  if (!allowed_)
    return Error::of(
        ErrorCode::invalid_state,
        "This service does not pay out residuals. The operator can change that with funding.residual_payouts.");

  const auto answer_of = [&](const DisbursementAttempt& payout, bool replayed) -> domain::Result<StoredResponse> {
    if (payout.state == AttemptState::rejected) return rail_rejected(payout);
    if (is_unclear(payout.state)) return outcome_unknown(*id);
    if (is_in_flight(payout.state))  // another node sends over this rail
      return Error::of(ErrorCode::idempotency_in_progress,
                       "The payout is being sent. Send the request again with the same Idempotency-Key.")
          .retry_after(1);
    return StoredResponse{render(payout), replayed};
  };

  const std::string key = disburse_.stored_key(context);
  const auto claimed = disburse_.claim_residual(
      tenant, *id, {domain::Money::cents(1), key, false},
      // The audit row is part of the claim, so that no payout exists without one.
      [&](ports::Records& records, const domain::Settlement*, const DisbursementAttempt&) -> domain::Status {
        leave_audit_row(records, context, ids_, id->text(), "claimed");
        return {};
      });
  if (!claimed && claimed.error().code == ErrorCode::conflict && context.idempotency) {
    // The request came before, and its stored response is lost: answer with the payout that it made.
    const auto payouts =
        fetch(store_, [&](const ports::Records& records) { return records.settlements().payouts_of(tenant, *id); });
    if (!payouts) return payouts.error();
    // Its own key first. A payout that the journal restored has lost its key and answers for any.
    for (const std::string_view asked : {std::string_view(key), ports::kAnyKey})
      for (auto made = payouts->rbegin(); made != payouts->rend(); ++made)
        if (made->request_key == asked) return answer_of(*made, true);
  }
  if (!claimed) return refused_claim(context, claimed.error());

  const auto ended = disburse_.carry_out(
      tenant, *claimed,
      [&](ports::Records& records, const domain::Settlement*, const DisbursementAttempt& payout) -> domain::Status {
        // An unclear outcome is not stored as the response: a retry under the same key gets the final one.
        if (is_unclear(payout.state)) {
          leave_audit_row(records, context, ids_, id->text(), name_of(ErrorCode::rail_outcome_unknown));
        } else if (payout.state == AttemptState::rejected) {
          const Error refusal = rail_rejected(payout);
          leave_trace(records, context, ids_, id->text(), render_refusal(refusal), &refusal);
        } else {
          leave_trace(records, context, ids_, id->text(), render(payout));
        }
        return {};
      });
  if (!ended) return ended.error();
  return answer_of(*ended, false);
}

domain::Result<int> PayResiduals::operator()(const std::function<bool()>& stopping) {
  return claim_all_due<Due>(
      store_, stopping,
      [&](const ports::Records& records, const std::optional<Due>& after, std::size_t limit) {
        return records.settlements().residuals_due(minimum_, after ? after->second.text() : "", limit);
      },
      [&](const Due& due) {
        const auto& [tenant, settlement] = due;
        const auto in_time = disburse_.in_time_of(tenant);
        return disburse_.claim_residual(tenant, settlement, {minimum_, "", true},
                                        [this, &of = tenant](ports::Records& records, const domain::Settlement*,
                                                             const DisbursementAttempt& made) -> domain::Status {
                                          audit_rail_answer({records, of, made.created_at, ids_}, "pay residual", made);
                                          return {};
                                        });
      });
}

}  // namespace tideover::usecases
