#include "core/http/wire/reviews/funding_json.hpp"

namespace tideover::wire {
namespace {

void put_terms(json::Writer& out, const domain::BoundedTerms& bounded) {
  out.key("terms").begin_object();
  out.key("decision").string(name_of(bounded.decision));
  out.key("advance_percentage").decimal4(bounded.terms.advance_bps);
  out.key("advance_amount").cents(bounded.terms.advance_amount.cents());
  out.key("fees_estimate").cents(bounded.terms.fee_estimate.cents());
  out.end_object();
}

void put_refusal(json::Writer& out, const domain::Error& refusal) {
  out.key("unavailable").begin_object();
  out.key("error").string(name_of(refusal.code));
  out.key("message").string(refusal.message);
  for (const auto& [name, text] : refusal.details)
    if (name == "next_effective_date") out.key("next_effective_date").string(text);
  out.end_object();
}

void put_quote(json::Writer& out, const usecases::RailQuote& quote, domain::Timestamp now) {
  out.begin_object();
  out.key("rail").string(quote.rail.rail);
  if (quote.rail.simulated) out.key("simulated").boolean(true);
  out.key("available").boolean(!quote.refusal);
  out.key("amount").cents(quote.amount.cents());
  out.key("fee").cents(quote.rail.fee.cents());
  out.key("min_amount").cents(quote.rail.min_amount.cents());
  out.key("max_amount").cents(quote.rail.max_amount.cents());
  if (quote.terms) put_terms(out, *quote.terms);
  if (quote.plan) {
    out.key("effective_date").string(format_date(quote.plan->effective_date));
    out.key("adjusted").boolean(quote.plan->adjusted);
    if (quote.plan->expected_settlement_at)
      out.key("expected_settlement_at").string(format_timestamp(*quote.plan->expected_settlement_at));
  }
  if (quote.next_cutoff) {
    out.key("next_cutoff_at").string(format_timestamp(*quote.next_cutoff));
    out.key("seconds_to_cutoff").number((quote.next_cutoff->ms() - now.ms()) / 1000);
  }
  if (quote.refusal) put_refusal(out, *quote.refusal);
  out.end_object();
}

}  // namespace

usecases::QuoteRequest decode_quote(const json::Value& body, Faults& faults) {
  usecases::QuoteRequest request;
  ObjectReader in(body, "", faults);
  const auto authorization = in.text("authorization_id");
  request.authorization_id = authorization.value_or("");
  request.amount = in.money("amount");
  request.desired_date = in.date("desired_date");
  if (authorization.has_value() == request.amount.has_value())
    in.fault("amount", "send either amount or authorization_id");
  if (request.amount && request.amount->is_zero()) in.fault("amount", "must be more than 0");
  in.finish();
  return request;
}

std::string encode_quotes(const std::vector<usecases::RailQuote>& quotes, domain::Timestamp now) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("quoted_at").string(format_timestamp(now));
  out.key("rails").begin_array();
  for (const auto& quote : quotes) put_quote(out, quote, now);
  out.end_array();
  out.end_object();
  return body;
}

usecases::FundingChange decode_funding_change(const json::Value& body, Faults& faults) {
  usecases::FundingChange change;
  ObjectReader in(body, "", faults);
  change.rail = in.short_text("rail", 64);
  if (change.rail && change.rail->empty()) in.fault("rail", "must not be empty; leave it out to keep the rail");
  change.desired_date = in.date("desired_date");
  const auto token = in.short_text("payout_account_token", 255);
  if (token && token->empty()) in.fault("payout_account_token", "must not be empty; leave it out to keep the account");
  change.payout_account_token = domain::Sensitive(token.value_or(""));
  if (in.array("fallback")) change.fallback = in.texts("fallback");
  if (!change.rail && !change.desired_date && !token && !change.fallback)
    in.fault("rail", "or desired_date, payout_account_token or fallback is required");
  in.finish();
  return change;
}

}  // namespace tideover::wire
