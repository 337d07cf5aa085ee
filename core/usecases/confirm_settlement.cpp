#include "core/usecases/confirm_settlement.hpp"

namespace tideover::usecases {
namespace {

using domain::AttemptState;
using domain::DisbursementAttempt;
using domain::Error;
using domain::ErrorCode;

bool is_unclear(const DisbursementAttempt& attempt) {
  return attempt.state == AttemptState::unknown || attempt.state == AttemptState::manual;
}

Error not_found() { return Error::of(ErrorCode::settlement_not_found, "There is no such settlement."); }

}  // namespace

domain::Result<Answer> ConfirmSettlement::operator()(const Act& act, const std::string& settlement_id,
                                                     const Render<Confirmation>& render, const Render<Error>& render_refusal) {
  const auto& tenant = act.caller.tenant;
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return not_found();

  std::optional<ports::StoredSettlement> stored;
  std::optional<DisbursementAttempt> last;
  const auto read = store_.read([&](const ports::Records& records) {
    stored = records.settlements().find(tenant, *id);
    if (stored) last = records.settlements().latest_attempt(tenant, *id);
  });
  if (!read) return read.error();
  if (!stored) return not_found();

  const std::string key = act.idempotency ? act.idempotency->key : "";
  if (stored->settlement.status == domain::SettlementStatus::funded && last) {
    // The settlement itself is the key: saying it again is answered again, with the truth of the moment of funding.
    if (!key.empty() && key != stored->confirm_key)
      return Error::of(ErrorCode::settlement_already_funded, "This settlement was funded under another Idempotency-Key.")
          .with("settlement_id", id->text());
    return Answer{render({stored->settlement, last->id}), true};
  }

  auto claimed = disburse_.claim(act, stored->settlement);
  if (!claimed) return claimed.error();

  std::string body;
  auto sent = disburse_.send(tenant, *claimed,
                             [&](ports::Records& records, const domain::Settlement& settlement, const DisbursementAttempt& attempt) {
                               if (is_unclear(attempt))
                                 return leave_audit_row(records, act, ids_, id->text(), name_of(ErrorCode::rail_outcome_unknown));
                               if (attempt.state == AttemptState::rejected) {
                                 const Error refusal = rail_rejected(attempt);
                                 leave_trace(records, act, ids_, id->text(), render_refusal(refusal), &refusal);
                                 return;
                               }
                               body = render({settlement, attempt.id});
                               leave_trace(records, act, ids_, id->text(), body);
                             });
  if (!sent) return sent.error();
  if (sent->state == AttemptState::rejected) return rail_rejected(*sent);
  if (is_unclear(*sent)) return outcome_unknown(*id);
  return Answer{std::move(body)};
}

}  // namespace tideover::usecases
