#include "core/usecases/payouts/pay_practices.hpp"

#include "core/domain/basics/midnight.hpp"
#include "core/usecases/funding/pay_residual.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;

/// What the request gets for its payout as it stands.
domain::Result<StoredResponse> answer_of(const DisbursementAttempt& payout, bool replayed,
                                         const Render<DisbursementAttempt>& render) {
  if (payout.state == AttemptState::rejected) return rail_rejected(payout);
  if (is_unclear(payout.state)) return outcome_unknown(payout.subject);
  if (is_in_flight(payout.state)) return fenced_out();  // another node sends over this rail
  return StoredResponse{render(payout), replayed};
}

}  // namespace

domain::Result<StoredResponse> PayPractice::operator()(const RequestContext& context, const std::string& npi,
                                                       const Render<DisbursementAttempt>& render,
                                                       const Render<Error>& render_refusal) {
  const auto& tenant = context.caller.tenant;
  if (!allowed_)
    return Error::of(ErrorCode::invalid_state,
                     "This service pays nothing out. The operator can change that with funding.residual_payouts.");
  const std::string key = disburse_.stored_key(context);
  const auto claimed = disburse_.claim_practice(
      tenant, npi, {domain::Money::cents(1), key, false}, context.now.plus_ms(1),
      // The audit row is part of the claim, so that no payout exists without one.
      [&](ports::Records& records, const domain::Settlement*, const DisbursementAttempt&) -> domain::Status {
        leave_audit_row(records, context, ids_, npi, "claimed");
        return {};
      });
  if (!claimed && claimed.error().code == ErrorCode::conflict && context.idempotency) {
    // The request came before, and its stored response is lost: answer with the payout that it made.
    // Its own key first. A payout that the journal restored has lost its key and answers for any.
    for (const std::string_view asked : {std::string_view(key), ports::kAnyKey}) {
      const auto made = fetch(store_, [&](const ports::Records& records) {
        return records.settlements().payout_requested(tenant, domain::PaymentSubject::practice(npi),
                                                      domain::Purpose::payable, asked);
      });
      if (!made) return made.error();
      if (*made) return answer_of(**made, true, render);
    }
  }
  if (!claimed) return refused_claim(context, claimed.error());

  const auto ended = disburse_.carry_out(
      tenant, *claimed,
      [&](ports::Records& records, const domain::Settlement*, const DisbursementAttempt& payout) -> domain::Status {
        // An unclear outcome is not stored as the response: a retry under the same key gets the final one.
        if (is_unclear(payout.state)) {
          leave_audit_row(records, context, ids_, npi, name_of(ErrorCode::rail_outcome_unknown));
        } else if (payout.state == AttemptState::rejected) {
          const Error refusal = rail_rejected(payout);
          leave_trace(records, context, ids_, npi, render_refusal(refusal), &refusal);
        } else {
          leave_trace(records, context, ids_, npi, render(payout));
        }
        return {};
      });
  if (!ended) return ended.error();
  return answer_of(*ended, false, render);
}

domain::Result<int> PayPractices::operator()(const std::function<bool()>& stopping) {
  const auto before = [this] { return domain::midnight_of(clock_.now().utc_date().plus(-hold_days_)); };
  return claim_all_due<domain::PracticeDue>(
      store_, stopping,
      [&](const ports::Records& records, const std::optional<domain::PracticeDue>& after, std::size_t limit) {
        return records.payees().practices_due(before(), minimum_, after.value_or(domain::PracticeDue{}), limit);
      },
      [&](const domain::PracticeDue& practice) {
        const ports::InTimeOf in_time(clock_, practice.tenant);
        return disburse_.claim_practice(
            practice.tenant, practice.payee_npi, {minimum_, "", true}, before(),
            [&](ports::Records& records, const domain::Settlement*, const DisbursementAttempt& made) -> domain::Status {
              audit_rail_answer({records, practice.tenant, made.created_at, ids_}, "pay practice", made);
              return {};
            });
      });
}

}  // namespace tideover::usecases
