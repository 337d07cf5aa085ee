#include "core/http/wire/reviews/explanation_json.hpp"

#include <cmath>
#include <string_view>

#include "core/http/wire/reviews/review_json.hpp"

namespace tideover::wire {
namespace {

using ports::RuleExplanation;
using Verdict = RuleExplanation::Verdict;

/// In ten-thousandths, as Writer::decimal4 takes it.
std::int64_t parts(double value) {
  return std::llround(value * domain::kOneInBps);
}

std::string_view outcome_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fired:
      return "fail";
    case Verdict::silent:
      return "pass";
    case Verdict::failed:
      return "error";
    case Verdict::off:
      return "off";
    case Verdict::not_applicable:
      return "not_applicable";
  }
  return "error";
}

void put_reads(json::Writer& out, const char* name, const std::vector<ports::FactRead>& reads) {
  out.key(name).begin_array();
  for (const auto& read : reads) {
    out.begin_object();
    out.key("name").string(read.name);
    out.key("value").string(read.value);
    out.end_object();
  }
  out.end_array();
}

void put_rules(json::Writer& out, const std::vector<RuleExplanation>& rules) {
  out.key("rules").begin_array();
  for (const auto& rule : rules) {
    out.begin_object();
    out.key("rule").string(rule.rule_id);
    out.key("rev").number(rule.rev);
    out.key("outcome").string(outcome_of(rule.verdict));
    if (rule.is_shadow) out.key("shadow").boolean(true);
    if (!rule.findings.empty()) put_findings(out, "findings", rule.findings);
    if (!rule.fault.empty()) out.key("problem").string(rule.fault);
    if (!rule.elsewhere.empty()) out.key("applies_to").string(rule.elsewhere);
    if (!rule.missing.empty()) {
      out.key("missing").begin_array();
      for (const auto& fact : rule.missing) out.string(fact);
      out.end_array();
    }
    put_reads(out, "read", rule.reads);
    if (rule.read_more) out.key("read_more").boolean(true);
    if (!rule.table_reads.empty()) put_reads(out, "tables", rule.table_reads);
    out.end_object();
  }
  out.end_array();
}

void put_forecast(json::Writer& out, const domain::Forecast& forecast) {
  out.begin_object();
  out.key("denial_probability").decimal4(forecast.denial_probability_bps);
  out.key("allowed").cents(forecast.allowed.cents());
  out.key("expected").cents(forecast.expected.cents());
  out.key("expected_payment_date").string(format_date(forecast.payment_date));
  out.key("confidence").decimal4(forecast.confidence_bps);
  out.end_object();
}

void put_record(json::Writer& out, const estimators::Prediction& record) {
  out.begin_object();
  out.key("denial_probability").decimal4(parts(record.p_denial));
  out.key("allowed").cents(record.allowed.cents());
  out.key("expected").cents(record.expected.cents());
  out.key("expected_payment_date").string(format_date(record.expected_payment_date));
  out.key("confidence").decimal4(parts(record.confidence));
  out.key("no_answer_probability").decimal4(parts(record.p_silent));
  out.key("features").begin_array();
  for (std::size_t i = 0; i < record.features.size(); ++i) {
    out.begin_object();
    out.key("name").string(name_of(static_cast<estimators::Feature>(i)));
    out.key("value").decimal4(parts(static_cast<double>(record.features[i])));
    out.key("contribution").decimal4(parts(record.contributions[i]));
    out.end_object();
  }
  out.end_array();
  out.key("prices").begin_array();
  for (const auto& line : record.lines) {
    out.begin_object();
    out.key("allowed").cents(line.allowed.cents());
    out.key("source").string(name_of(line.source));
    out.key("certainty").decimal4(line.certainty_bps);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

}  // namespace

void put_explanation(json::Writer& out, const domain::Review& review, const usecases::ReviewExplanation& explanation) {
  put_rules(out, explanation.rules);
  const auto& rates = explanation.rates;
  out.key("inputs").begin_object();
  out.key("snapshot").string(review.basis.snapshot);
  out.key("look_alikes").number(review.basis.duplicates);
  out.key("payer").begin_object();
  out.key("known").boolean(review.payer_known);
  out.key("edition").string(review.basis.payer_edition);
  out.key("denial_rate").decimal4(rates.denial_bps);
  out.key("allowed_share").decimal4(rates.allowed_bps);
  out.key("patient_share").decimal4(rates.patient_share_bps);
  out.key("median_days_to_pay").number(rates.median_days_to_pay);
  out.key("p80_days_to_pay").number(rates.p80_days_to_pay);
  out.end_object();
  out.key("by_rates");
  put_forecast(out, explanation.by_rates);
  out.key("by_record");
  if (explanation.record)
    put_record(out, *explanation.record);
  else
    out.null();
  out.end_object();
}

void put_explanation(json::Writer& out, const usecases::TermsExplanation& explanation) {
  put_rules(out, explanation.rules);
  const auto& proposed = explanation.proposed;
  const auto& limits = explanation.limits;
  out.key("inputs").begin_object();
  out.key("proposed").begin_object();
  out.key("decision").string(name_of(proposed.decision));
  out.key("advance_percentage").decimal4(proposed.advance_bps);
  out.key("fee_percentage").decimal4(proposed.fee_bps);
  out.key("reasons").begin_array();
  for (const auto& reason : proposed.reasons) out.string(reason);
  out.end_array();
  out.end_object();
  out.key("limits").begin_object();
  out.key("advance_percentage").decimal4(limits.max_advance_bps);
  out.key("fee_percentage").decimal4(limits.max_fee_bps);
  out.key("advance_amount").cents(limits.max_advance.cents());
  out.end_object();
  out.end_object();
}

}  // namespace tideover::wire
