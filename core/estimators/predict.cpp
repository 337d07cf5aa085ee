// From a reading to a prediction: probability, reasons, amounts, days.
#include <algorithm>
#include <cmath>

#include "core/domain/basics/within.hpp"
#include "core/estimators/basics/arithmetic.hpp"
#include "core/estimators/effects/strengths.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

constexpr double kRecoveryGuess = 0.40;  // about half of the denials are overturned, a third is never worked again
constexpr double kSilenceGuess = 0.01;
constexpr int kLeastReasonShareBps = 1500;
constexpr std::size_t kMostReasons = 3;

}  // namespace

Prediction State::predict(const Submission& submission, const Policy& policy) const {
  return predict(submission, policy, read(submission));
}

Prediction State::predict(const Submission& submission, const Policy& policy, const Reading& reading) const {
  Prediction prediction;
  prediction.submitted = submission.submitted;
  prediction.features = reading.features;
  for (int i = 0; i < kFeatures; ++i)
    prediction.contributions[static_cast<std::size_t>(i)] =
        blend_.coefficient(static_cast<Feature>(i)) *
        static_cast<double>(reading.features[static_cast<std::size_t>(i)]);
  const double score = blend_.log_odds_of(reading.features);
  prediction.p_denial = domain::within(denial_calibration_(score), 0.0005, 0.995);
  const double width =
      1.645 / std::sqrt(std::max(reading.evidence * prediction.p_denial * (1 - prediction.p_denial), 0.05));
  prediction.p_denial_low = probability(log_odds(prediction.p_denial) - width);
  prediction.p_denial_high = probability(log_odds(prediction.p_denial) + width);
  prediction.denial_predicted = prediction.p_denial * domain::kOneInBps >= policy.denial_threshold_bps;
  if (reading.hard)
    for (const auto& read : reading.rules)
      prediction.denial_predicted =
          prediction.denial_predicted ||
          (read.rule.hard && !read.rule.shadow && read.major &&
           weights_.weight_low(read.rule, reading.payer, reading.week) * domain::kOneInBps > policy.hard_rule_low_bps);
  explain(reading, prediction);
  predict_money(submission, reading, prediction);
  predict_days(submission, policy, reading, prediction);
  return prediction;
}

/// The causes that raise the probability, with their shares. A rule has its own code, a record the most frequent code
/// of its denials.
void State::explain(const Reading& reading, Prediction& prediction) const {
  struct Contribution {
    Reason reason;
    double raises = 0;
  };
  std::vector<Contribution> causes;
  double all = 0;
  const auto add = [&](std::string carc, std::string rule_id, double raises, Feature record = Feature::payer) {
    if (!(raises > 0.05) || carc.empty()) return;
    all += raises;
    for (auto& cause : causes)
      if (cause.reason.carc == carc) {
        cause.raises += raises;
        if (cause.reason.rule_id.empty()) cause.reason.rule_id = std::move(rule_id);
        return;
      }
    causes.push_back({{std::move(carc), std::move(rule_id), record, 0}, raises});
  };
  double of_rules = 0, hazards = 0;
  for (int i = 0; i < kRuleFeatures; ++i)
    of_rules += std::max(0.0, prediction.contributions[std::size_t{kFirstRuleFeature} + static_cast<std::size_t>(i)]);
  for (const auto& read : reading.rules)
    if (!read.rule.shadow) hazards += -logarithm(1 - std::min(read.weight, 0.995));
  for (const auto& read : reading.rules)
    if (!read.rule.shadow && hazards > 0)
      add(read.rule.carc, read.rule.rule_id, of_rules * -logarithm(1 - std::min(read.weight, 0.995)) / hazards);
  const auto contribution = [&](Feature feature) {
    return prediction.contributions[static_cast<std::size_t>(feature)];
  };
  const auto carc_of = [&](Key key) {
    const Cell* cell = key ? cells_.find(key) : nullptr;
    return cell ? unpacked_carc(cell->top_carc()) : std::string();
  };
  const LineReading* worst = nullptr;
  for (const auto& line : reading.lines)
    if (line.estimated() > reading.estimated(Cause::procedure) &&
        (!worst || line.estimated() * line.share > worst->estimated() * worst->share))
      worst = &line;
  if (worst) {
    std::string carc = carc_of(worst->keys[kCodeAsBilled]);
    if (carc.empty()) carc = carc_of(worst->keys[kCodeAtPayer]);
    add(std::move(carc), {},
        contribution(Feature::line_mean) + contribution(Feature::line_worst) + contribution(Feature::line_refused),
        Feature::line_mean);
  }
  std::string of_chart = carc_of(reading.keys[kChartAtPayer]);
  if (of_chart.empty()) of_chart = carc_of(reading.keys[kChart]);
  add(std::move(of_chart), {}, contribution(Feature::chart), Feature::chart);
  add(carc_of(reading.keys[kLookAlike]), {}, contribution(Feature::look_alike), Feature::look_alike);
  add(carc_of(reading.keys[kLateness]), {}, contribution(Feature::lateness), Feature::lateness);
  add(carc_of(reading.keys[kDocumentsOfPayer]), {}, contribution(Feature::charge), Feature::charge);
  std::string of_pair = carc_of(
      reading.keys[reading.estimated(Cause::enrolment) > reading.estimated(Cause::office) ? kServicerPair : kPair]);
  add(std::move(of_pair), {}, contribution(Feature::provider_at_payer) + contribution(Feature::provider_refused),
      Feature::provider_at_payer);
  add(carc_of(reading.keys[kBilling]), {}, contribution(Feature::billing_provider) + contribution(Feature::servicer),
      Feature::billing_provider);
  add(carc_of(reading.keys[kPayer]), {}, contribution(Feature::payer) - reading.base_odds, Feature::payer);
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Contribution& a, const Contribution& b) { return a.raises > b.raises; });
  for (auto& cause : causes) {
    cause.reason.share_bps = static_cast<int>(std::lround(cause.raises / all * domain::kOneInBps));
    if (prediction.reasons.size() >= kMostReasons || cause.reason.share_bps < kLeastReasonShareBps) break;
    prediction.reasons.push_back(std::move(cause.reason));
  }
}

/// P(paid within the horizon | denied at first response), by the codes of the predicted denial.
double State::recovery_of(const Reading& reading, const Prediction& prediction) const {
  const double base = log_odds(kRecoveryGuess) + recoveries_.shift(1, reading.week, kRecoveryStrength) +
                      recoveries_.shift(joined(2, reading.payer), reading.week, kRecoveryStrength);
  double recovered = 0, shares = 0;
  for (const auto& reason : prediction.reasons) {
    const Key group = static_cast<Key>(group_of_carc(reason.carc));
    recovered +=
        reason.share_bps * probability(base + recoveries_.shift(joined(3, group), reading.week, kRecoveryStrength));
    shares += reason.share_bps;
  }
  return shares > 0 ? recovered / shares : probability(base);
}

void State::predict_money(const Submission& submission, const Reading& reading, Prediction& prediction) const {
  prices_.price(reading.priced, prediction.lines);
  double sure = 0, all = 0;
  for (const auto& line : prediction.lines) {
    prediction.allowed += line.allowed;
    sure += static_cast<double>(line.allowed.cents()) * line.certainty_bps;
    all += static_cast<double>(line.allowed.cents());
  }
  prediction.price_certainty_bps = all > 0 ? static_cast<int>(sure / all) : 0;
  prediction.share_odds = shares_.odds(reading.payer, submission.payer_class,
                                       static_cast<int>(submission.serviced().ymd().month), reading.chart_share);
  prediction.p_zero_cash = prediction.share_odds[kShareSteps - 1];
  const double if_paid = all * PatientShares::mean_paid(prediction.share_odds);
  prediction.expected_if_paid = domain::Money::cents(std::llround(if_paid));
  const double silence = log_odds(kSilenceGuess) + silences_.shift(1, reading.week, kSilenceStrength) +
                         silences_.shift(joined(2, reading.payer), reading.week, kSilenceStrength);
  prediction.p_silent = probability(silence);
  prediction.p_recovery = recovery_of(reading, prediction);
}

void State::predict_days(const Submission& submission, const Policy& policy, const Reading& reading,
                         Prediction& prediction) const {
  std::array<double, kCalendarDays> days{};
  delay_of(reading.payer_index, submission.payer_class).spread(*calendar_, submission.submitted, 1, days);
  double sum = 0;
  std::transform(days.begin(), days.end(), prediction.first_by.begin(),
                 [&sum](double share) { return static_cast<float>(std::min(sum += share, 1.0)); });
  prediction.reworked_by = reworked_by_[static_cast<std::size_t>(submission.payer_class)];
  const double reworked_in_time = std::max(static_cast<double>(prediction.reworked_by[kHorizonDays]), 0.2);
  const double denied = prediction.p_denial;
  prediction.p_first = (1 - prediction.p_silent) * (1 - denied) * (1 - prediction.p_zero_cash);
  prediction.p_reworked = (1 - prediction.p_silent) * denied * std::min(1.0, prediction.p_recovery / reworked_in_time);
  const domain::Date horizon = submission.submitted.plus(kHorizonDays);
  const double in_time = prediction.p_paid_by(horizon);
  prediction.p_final_nonpayment = 1 - in_time;
  prediction.expected =
      domain::Money::cents(std::llround(static_cast<double>(prediction.expected_if_paid.cents()) * in_time));

  // The date of the first payment, or of the reworked one when a denial is predicted.
  const double level = policy.date_quantile_bps / static_cast<double>(domain::kOneInBps);
  int day = prediction.quantile_days(level);
  if (prediction.denial_predicted)
    for (day = 0;
         day + 1 < kCalendarDays && static_cast<double>(prediction.reworked_by[static_cast<std::size_t>(day)]) < level;)
      ++day;
  const domain::Date earliest = std::max(submission.submitted.plus(day), submission.reviewed);
  prediction.expected_payment_date = calendar_->day(calendar_->on_or_after(earliest));
  prediction.confidence = domain::within(
      confidence_calibration_(log_odds(prediction.p_paid_by(prediction.expected_payment_date))), 0.0, 0.9999);

  // Payer cash within the horizon: nothing, or the allowed amount less the share that the payer does not pay.
  const double clean = 1 - prediction.p_zero_cash;
  const auto quantile = [&](double at) {
    double below = prediction.p_final_nonpayment;
    if (at <= below) return domain::Money{};
    for (int step = kShareSteps - 2; step >= 0; --step) {
      below += in_time * (clean > 0 ? prediction.share_odds[static_cast<std::size_t>(step)] / clean : 0);
      if (at <= below || step == 0)
        return domain::Money::cents(
            std::llround(static_cast<double>(prediction.allowed.cents()) * (1 - share_of_step(step))));
    }
    return prediction.allowed;
  };
  prediction.cash_q10 = quantile(0.1);
  prediction.cash_q50 = quantile(0.5);
  prediction.cash_q90 = quantile(0.9);
}

domain::ClaimHistory State::history_of(const Submission& submission) const {
  domain::ClaimHistory history;
  const Key payer = key_of(submission.payer_id), billing = key_of(submission.billing_npi),
            servicer = key_of(submission.servicer_npi);
  const Reading reading = find(submission);
  const Week week = reading.week;
  const auto rate_of = [&](Key key, double strength) {
    domain::ResponseRate rate;
    const Cell* cell = cells_.find(key);
    if (!cell) return rate;
    const double n = cell->claims(week), p = cell->rate(week, strength);
    rate.responses = static_cast<int>(std::lround(n));
    rate.denied_bps = static_cast<int>(std::lround(p * domain::kOneInBps));
    const double low = p - 1.645 * std::sqrt(p * (1 - p) / (n + strength));
    rate.denied_low_bps = static_cast<int>(std::max(low, 0.0) * domain::kOneInBps);
    rate.top_code = unpacked_carc(cell->top_carc());
    return rate;
  };
  history.payer = rate_of(reading.record, 20);
  if (const Pair* pair = pairs_.find(joined(joined(billing, servicer), payer))) {
    history.pair_responses = static_cast<int>(pair->responses);
    history.pair_paid = static_cast<int>(pair->paid);
  }
  const std::int32_t day = submission.reviewed.days();
  if (const Chart* chart = charts_.chart(submission.chart); chart && chart->paid > kNever && chart->payer > 0) {
    history.chart_last_paid_payer = payers_[chart->payer - 1].id;
    history.chart_last_paid_days = day - chart->paid;
  }
  if (const ChartAtPayer* here = charts_.at_payer(submission.chart, payer); here && day - here->not_eligible <= 180)
    history.chart_eligibility_denials = here->eligibility_denials;
  if (const auto alike = charts_.like(submission, false)) history.likely_duplicates = alike->count;
  history.distinct_modifier_bps = habits_.distinct_modifier_bps(billing);
  history.distinct_modifier_usual_bps = habits_.distinct_modifier_usual_bps(payer);
  if (const Visits* visits = charts_.visits(submission.chart, servicer)) {
    const std::int32_t serviced = submission.serviced().days();
    history.chart_seen_by_servicer =
        visits->paid > kNever && serviced - visits->paid <= 3 * 365 && visits->paid < serviced;
    // Of the last large and the last small procedure, the one whose global period ends last.
    std::int32_t end = kNever;
    for (const auto& [surgery, days] :
         {std::pair{visits->large, kLargeSurgeryDays}, {visits->small, static_cast<int>(visits->small_days)}}) {
      if (surgery <= kNever || surgery >= serviced || surgery + days <= end) continue;
      end = surgery + days;
      history.days_since_surgery = serviced - surgery;
      history.surgery_global_days = days;
    }
  }
  for (std::size_t i = 0; i < submission.lines.size(); ++i) {
    const auto& line = submission.lines[i];
    domain::LineHistory of_line;
    of_line.payer_code = rate_of(reading.lines[i].record, 18);
    of_line.unusual_charge = habits_.unusual_charge(billing, key_of(line.code), line.units_milli);
    of_line.medicare_fee = line.fee;
    history.lines.push_back(std::move(of_line));
  }
  return history;
}

}  // namespace tideover::estimators
