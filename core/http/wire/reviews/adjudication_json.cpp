#include "core/http/wire/reviews/adjudication_json.hpp"

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/reviews/explanation_json.hpp"
#include "core/usecases/funding/book_outcome.hpp"

namespace tideover::wire {
namespace {

void put_plan(json::Writer& out, const domain::FundingPlan& plan, bool is_simulated) {
  out.key("rail").string(plan.rail);
  if (is_simulated) out.key("simulated").boolean(true);
  if (plan.desired_date) out.key("desired_date").string(format_date(*plan.desired_date));
  out.key("effective_date").string(format_date(plan.effective_date));
  out.key("adjusted").boolean(plan.adjusted);
  if (plan.expected_settlement_at)
    out.key("expected_settlement_at").string(format_timestamp(*plan.expected_settlement_at));
}

/// Why and when the money did not leave or was returned.
void put_undone(json::Writer& out, const domain::DisbursementAttempt& attempt) {
  if (!is_undone(attempt.state)) return;
  out.key(attempt.state == domain::AttemptState::returned ? "return" : "reject").begin_object();
  out.key("code").string(attempt.reason_code);
  out.key("reason").string(attempt.reason);
  out.key("at").string(format_timestamp(attempt.updated_at));  // no step leaves these states
  out.end_object();
}

void put_attempt(json::Writer& out, const domain::DisbursementAttempt& attempt) {
  out.begin_object();
  out.key("transfer_id").string(attempt.id.text());
  out.key("number").number(attempt.number);
  out.key("rail").string(attempt.rail);
  out.key("status").string(name_of(usecases::funding_status_of(attempt.state)));
  out.key("amount").cents(attempt.amount.cents());
  out.key("effective_date").string(format_date(attempt.effective_date));
  out.key("created_at").string(format_timestamp(attempt.created_at));
  out.key("updated_at").string(format_timestamp(attempt.updated_at));
  put_undone(out, attempt);
  out.end_object();
}

void put_funding(json::Writer& out, const usecases::SettlementView& view, bool is_simulated) {
  out.key("funding").begin_object();
  if (!view.attempts.empty()) out.key("transfer_id").string(view.attempts.back().id.text());
  put_plan(out, view.settlement.funding, is_simulated);
  out.key("funding_status").string(name_of(view.settlement.funding_status));
  if (!view.attempts.empty()) put_undone(out, view.attempts.back());
  if (!view.settlement.fallback.empty()) {
    out.key("fallback").begin_array();
    for (const auto& rail : view.settlement.fallback) out.string(rail);
    out.end_array();
  }
  out.key("attempts").begin_array();
  for (const auto& attempt : view.attempts) put_attempt(out, attempt);
  out.end_array();
  out.end_object();
}

}  // namespace

usecases::AdjudicationRequest decode_adjudication(const json::Value& body, Faults& faults) {
  usecases::AdjudicationRequest request;
  ObjectReader in(body, "", faults);
  request.authorization_id = in.required(in.text("authorization_id"), "authorization_id");
  if (auto funding = in.object("funding")) {
    request.rail = funding->required_text("rail", 64);
    request.desired_date = funding->date("desired_date");
    request.fallback = funding->texts("fallback");
    funding->finish();
  } else {
    in.require("funding");
  }
  const auto token = in.short_text("payout_account_token", 255);
  if (token && token->empty())
    in.fault("payout_account_token", "must not be empty; leave it out for the default account");
  request.payout_account_token = domain::Sensitive(token.value_or(""));
  in.finish();
  return request;
}

/// The fee by the days from the funding until the principal is recovered.
void put_fee_steps(json::Writer& out, const domain::Terms& terms) {
  if (terms.fee_steps.empty()) return;
  out.key("fee_by_days").begin_array();
  for (const auto& step : terms.fee_steps) {
    out.begin_object();
    out.key("from_day").number(step.from_day);
    out.key("fee").cents(step.fee.cents());
    out.end_object();
  }
  out.end_array();
  out.key("fee_at_most").cents(largest_fee(terms).cents());
}

void put_advance_terms(json::Writer& out, const domain::Terms& terms) {
  out.key("terms").begin_object();
  out.key("advance_percentage").decimal4(terms.advance_bps);
  out.key("advance_amount").cents(terms.advance_amount.cents());
  out.key("fees_estimate").cents(terms.fee_estimate.cents());
  put_fee_steps(out, terms);
  if (terms.hold_days > 0) out.key("residual_hold_days").number(terms.hold_days);
  if (terms.reserve_bps > 0) {
    out.key("reserve_percentage").decimal4(terms.reserve_bps);
    out.key("reserve_days").number(terms.reserve_days);
  }
  out.end_object();
}

void put_adjudication(json::Writer& out, const usecases::SettlementView& view, bool is_simulated,
                      const usecases::TermsExplanation* explanation) {
  const auto& settlement = view.settlement;
  out.begin_object();
  out.key("settlement_id").string(settlement.id.text());
  out.key("decision").string(name_of(settlement.decision));
  out.key("status").string(name_of(settlement.status));
  if (settlement.decision != domain::Decision::declined) put_advance_terms(out, settlement.terms);
  out.key("expected_reimbursement").cents(settlement.expected_reimbursement.cents());
  out.key("expected_payment_date").string(format_date(settlement.expected_payment_date));

  out.key("claim_identifier").string(settlement.claim_identifier);
  out.key("authorization_id").string(settlement.authorization_id.text());
  out.key("decision_reasons").begin_array();
  for (const auto& reason : settlement.decision_reasons) out.string(reason);
  out.end_array();
  if (view.task) out.key("task_id").string(view.task->text());
  // A settlement whose lost payment was found after its cancellation is funded and keeps its reason in the store.
  if (settlement.status == domain::SettlementStatus::canceled)
    out.key("cancel_reason").string(settlement.cancel_reason);
  put_funding(out, view, is_simulated);
  if (settlement.funded_amount) out.key("funded_amount").cents(settlement.funded_amount->cents());
  if (settlement.funded_at) out.key("funded_at").string(format_timestamp(*settlement.funded_at));
  out.key("rules_version").string(settlement.rules.version);
  out.key("created_at").string(format_timestamp(settlement.created_at));
  out.key("expires_at").string(format_timestamp(settlement.expires_at));
  if (explanation != nullptr) put_explanation(out, *explanation);
  out.end_object();
}

std::string encode_adjudication(const usecases::SettlementView& view, bool is_simulated,
                                const usecases::TermsExplanation* explanation) {
  std::string body;
  json::Writer out(body);
  put_adjudication(out, view, is_simulated, explanation);
  return body;
}

std::string encode_settlements(const std::vector<usecases::SettlementView>& views, const PageFrame& page,
                               const std::function<bool(const std::string& rail)>& is_simulated) {
  return encode_list(
      views, page,
      [&](json::Writer& out, const usecases::SettlementView& view) {
        put_adjudication(out, view, is_simulated(view.settlement.funding.rail));
      },
      [](const usecases::SettlementView& view) { return view.settlement.id.text(); });
}

std::string encode_confirmation(const usecases::Confirmation& confirmation, bool is_simulated) {
  const auto& settlement = confirmation.settlement;
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("settlement_id").string(settlement.id.text());
  out.key("status").string(name_of(domain::SettlementStatus::funded));
  out.key("funded_amount").cents(settlement.funded_amount.value_or(domain::Money{}).cents());
  out.key("timestamp").string(format_timestamp(settlement.funded_at.value_or(domain::Timestamp{})));
  if (is_simulated) out.key("simulated").boolean(true);
  out.key("funding").begin_object();
  out.key("transfer_id").string(confirmation.transfer.text());
  put_plan(out, settlement.funding, is_simulated);
  out.end_object();
  out.end_object();
  return body;
}

}  // namespace tideover::wire
