#include "core/http/wire/operations/quality_json.hpp"

#include "core/domain/basics/money.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {
namespace {

int bps(double share) {
  return static_cast<int>(share * domain::kOneInBps + (share < 0 ? -0.5 : 0.5));
}
double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

void put_reliability(json::Writer& out, const char* name, const estimators::Reliability& reliability) {
  out.key(name).begin_object();
  out.key("claims").number(reliability.claims());
  out.key("calibration_error").decimal4(bps(reliability.calibration_error()));
  out.key("bins").begin_array();
  const auto& bins = reliability.bins();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].claims == 0) continue;
    out.begin_object();
    out.key("from").decimal4(static_cast<int>(i) * domain::kOneInBps / estimators::kReliabilityBins);
    out.key("to").decimal4(static_cast<int>(i + 1) * domain::kOneInBps / estimators::kReliabilityBins);
    out.key("claims").number(bins[i].claims);
    out.key("predicted").decimal4(bps(bins[i].predicted()));
    out.key("observed").decimal4(bps(bins[i].observed()));
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

template <class Put>
std::string encode(const usecases::Quality& quality, const Put& put) {
  std::string body;
  json::Writer out(body);
  out.begin_object();
  out.key("snapshot").string(quality.snapshot);
  if (quality.period.from) out.key("from").string(format_date(*quality.period.from));
  if (quality.period.to) out.key("to").string(format_date(*quality.period.to));
  put(out, quality.grades);
  out.end_object();
  return body;
}

}  // namespace

std::string encode_calibration(const usecases::Quality& quality) {
  return encode(quality, [](json::Writer& out, const estimators::Grades& grades) {
    put_reliability(out, "denial_probability", grades.denial);
    put_reliability(out, "confidence", grades.confidence);
  });
}

std::string encode_payer_grades(const usecases::Quality& quality) {
  return encode(quality, [](json::Writer& out, const estimators::Grades& grades) {
    const auto& amounts = grades.amounts;
    out.key("amounts").begin_object();
    out.key("claims").number(amounts.claims);
    out.key("within_one_percent").decimal4(bps(share(amounts.within_one_percent, amounts.claims)));
    out.key("mean_error").decimal4(bps(amounts.wape()));
    out.end_object();
    out.key("unknown_claims").number(grades.unknown_responses);
    out.key("payers").begin_array();
    for (const auto& payer : grades.payers) {
      out.begin_object();
      out.key("payer_id").string(payer.payer_id);
      out.key("paid_claims").number(payer.paid);
      out.key("mean_absolute_error_days").decimal4(bps(payer.mean_absolute_error()));
      out.key("mean_error_days").decimal4(bps(share(payer.error, payer.paid)));
      out.key("paid_by_expected_date").decimal4(bps(payer.coverage()));
      out.key("drift_alarms").number(payer.drift_alarms);
      out.end_object();
    }
    out.end_array();
  });
}

std::string encode_rule_grades(const usecases::Quality& quality) {
  return encode(quality, [](json::Writer& out, const estimators::Grades& grades) {
    std::int64_t denied = 0;
    for (const auto& bin : grades.denial.bins()) denied += bin.came_true;
    out.key("answered_claims").number(grades.denial.claims());
    out.key("denied_claims").number(denied);
    out.key("rules").begin_array();
    for (const auto& rule : grades.rules) {
      out.begin_object();
      out.key("rule").string(rule.rule_id);
      out.key("fired").number(rule.hits);
      out.key("denied").number(rule.denied);
      out.key("confirmed").number(rule.confirmed);
      out.key("precision").decimal4(bps(rule.precision()));
      out.key("recall").decimal4(bps(share(rule.denied, denied)));
      out.key("lift").decimal4(bps(rule.lift()));
      out.key("charge_flagged").cents(rule.flagged.cents());
      out.end_object();
    }
    out.end_array();
  });
}

std::string encode_advance_grades(const usecases::Quality& quality) {
  return encode(quality, [](json::Writer& out, const estimators::Grades& grades) {
    const auto& advances = grades.advances;
    out.key("claims").number(advances.claims);
    out.key("advanced").cents(advances.advanced_cents);
    out.key("lost").cents(advances.lost_cents);
    out.key("expected_loss").cents(advances.expected_loss_cents);
    out.key("loss_per_dollar").decimal4(bps(advances.loss_per_dollar()));
    out.key("expected_loss_per_dollar").decimal4(bps(share(advances.expected_loss_cents, advances.advanced_cents)));
  });
}

}  // namespace tideover::wire
