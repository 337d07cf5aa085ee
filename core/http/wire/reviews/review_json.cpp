#include "core/http/wire/reviews/review_json.hpp"

#include "core/http/wire/basics/list_json.hpp"
#include "core/http/wire/reviews/explanation_json.hpp"

namespace tideover::wire {
namespace {

constexpr std::size_t kUsualBytes = 2048;

void put_finding(json::Writer& out, const domain::Finding& finding) {
  out.begin_object();
  out.key("code").string(finding.code);
  out.key("description").string(finding.description);
  out.key("group").string(finding.group);
  out.key("probability").decimal4(finding.probability_bps);
  if (finding.line) out.key("line").number(*finding.line);
  if (finding.amount_at_risk) out.key("amount_at_risk").cents(finding.amount_at_risk->cents());
  if (!finding.fix.empty()) out.key("fix").string(finding.fix);
  out.key("rule").string(finding.rule_id);
  out.end_object();
}

}  // namespace

void put_findings(json::Writer& out, const char* name, const std::vector<domain::Finding>& findings) {
  out.key(name).begin_array();
  for (const auto& finding : findings) put_finding(out, finding);
  out.end_array();
}

void put_forecast(json::Writer& out, const domain::Review& review) {
  const auto& forecast = review.forecast;
  out.key("denial_predicted").boolean(forecast.denial_predicted);
  put_findings(out, "denial_reasons", review.denial_reasons);
  out.key("expected_reimbursement").begin_object();
  out.key("allowed").cents(forecast.allowed.cents());
  out.key("expected").cents(forecast.expected.cents());
  out.end_object();
  out.key("expected_payment_date").string(format_date(forecast.payment_date));
  out.key("confidence").decimal4(forecast.confidence_bps);
}

void put_grounds(json::Writer& out, const domain::Review& review) {
  out.key("denial_probability").decimal4(review.forecast.denial_probability_bps);
  put_findings(out, "warnings", review.warnings);
  if (!review.rule_faults.empty()) {
    out.key("rule_faults").begin_array();
    for (const auto& fault : review.rule_faults) {
      out.begin_object();
      out.key("rule").string(fault.rule_id);
      out.key("problem").string(fault.problem);
      out.end_object();
    }
    out.end_array();
  }
  if (review.learned) {
    const auto& learned = *review.learned;
    out.key("prediction").begin_object();
    out.key("denial_probability_low").decimal4(learned.denial_low_bps);
    out.key("denial_probability_high").decimal4(learned.denial_high_bps);
    out.key("cash").begin_object();
    out.key("p10").cents(learned.cash_q10.cents());
    out.key("p50").cents(learned.cash_q50.cents());
    out.key("p90").cents(learned.cash_q90.cents());
    out.end_object();
    out.key("answered_claims").number(learned.evidence);
    out.key("weight").decimal4(learned.weight_bps);
    out.key("snapshot").string(review.basis.snapshot);
    out.end_object();
  }
  out.key("model").begin_object();
  out.key("name").string("tideover-rules");
  out.key("version").string("1");
  out.key("rules_version").string(review.rules.version);
  out.key("rules_sha256").string(review.rules.sha256);
  out.end_object();
}

void put_review(json::Writer& out, const domain::Review& review, const usecases::ReviewExplanation* explanation) {
  out.begin_object();
  out.key("id").string(review.id.text());
  out.key("authorization_id").string(review.authorization_id.text());
  put_forecast(out, review);
  out.key("claim_identifier").string(review.claim_identifier);
  out.key("claim_id").string(review.claim_id.text());
  put_grounds(out, review);
  out.key("created_at").string(format_timestamp(review.created_at));
  out.key("expires_at").string(format_timestamp(review.expires_at));
  if (explanation != nullptr) put_explanation(out, review, *explanation);
  out.end_object();
}

std::string encode_review(const domain::Review& review, const usecases::ReviewExplanation* explanation) {
  std::string body;
  body.reserve(kUsualBytes);
  json::Writer out(body);
  put_review(out, review, explanation);
  return body;
}

std::string encode_reviews(const std::vector<domain::Review>& reviews, const PageFrame& page) {
  return encode_list(
      reviews, page, [](json::Writer& out, const domain::Review& review) { put_review(out, review); },
      [](const domain::Review& review) { return review.authorization_id.text(); });
}

}  // namespace tideover::wire
