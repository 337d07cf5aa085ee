// The keys under which a claim is counted.
#include <algorithm>
#include <array>

#include "core/estimators/basics/arithmetic.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

Key effect_key(Key kind, Key a, Key b = 0) {
  return joined(joined(kind, a), b);
}

/// The time and kind of the chart's last answer from this payer; 0: none.
Key chart_state(const ChartAtPayer* here, const Chart* anywhere, std::uint32_t payer_index, domain::Date day) {
  const auto age_step = [&](std::int32_t when) {
    const std::int32_t age = day.days() - when;
    return age <= 14 ? 0 : age <= 30 ? 1 : age <= 60 ? 2 : age <= 120 ? 3 : age <= 240 ? 4 : 5;
  };
  if (here && here->answered > kNever) {
    if (here->refusals_in_a_row > 0) {
      const auto group = static_cast<CarcGroup>(here->refused_group);
      // Coverage problems last longer than one claim; other faults do not.
      const int kind = group == CarcGroup::eligibility                                 ? 1
                       : group == CarcGroup::coordination                              ? 2
                       : group == CarcGroup::coverage || group == CarcGroup::necessity ? 3
                                                                                       : 4;
      return static_cast<Key>(1000 * kind + 100 * std::min<int>(here->refusals_in_a_row, 3) +
                              10 * age_step(here->first_answer) + (here->paid > here->refused ? 1 : 0));
    }
    return Key{300} + static_cast<Key>(age_step(here->paid)) + (here->refused > kNever ? 10 : 0);
  }
  if (anywhere && anywhere->paid > kNever)
    return Key{anywhere->payer == payer_index + 1 ? 400U : 500U} + static_cast<Key>(age_step(anywhere->paid));
  return 0;
}

int lateness_step(const Submission& claim) {
  const int days = days_between(*claim.date_of_service, claim.submitted);
  if (days < 0) return 1;
  const int percent = days * 100 / std::max(claim.timely_filing_days, 1);
  constexpr std::array<int, 9> limits{5, 10, 20, 40, 60, 80, 95, 100, 110};
  return 2 + static_cast<int>(std::upper_bound(limits.begin(), limits.end(), percent) - limits.begin());
}

int half_octave(std::int64_t cents) {
  int steps = 0;
  for (std::int64_t limit = 500; limit < cents && steps < 40; limit = limit * 181 / 128) ++steps;
  return steps;
}

/// Independent of the order of the modifiers.
Key modifiers_key(std::string_view modifiers) {
  Key sum = 0;
  while (!modifiers.empty()) {
    const auto end = std::min(modifiers.find(':'), modifiers.size());
    sum += key_of(modifiers.substr(0, end));
    modifiers.remove_prefix(std::min(end + 1, modifiers.size()));
  }
  return sum;
}

}  // namespace

/// Whether the chart has a similar claim, and what became of it; 0: it has none.
Key State::look_alike_key(const Submission& submission) const {
  auto alike = charts_.like(submission, false);
  if (!alike) return 0;
  const auto twin = charts_.like(submission, true);  // counts as alike, too
  if (twin) alike = twin;
  const std::uint64_t* sequence = open_by_claim_.find(alike->claim);
  const Open* earlier = sequence ? &open_[*sequence - 1 - first_open_] : nullptr;
  const Key fate = !earlier ? 3 : !earlier->answered ? 0 : earlier->denied ? 1 : 2;
  return effect_key(21, (twin ? 10 : 0) + fate);
}

State::Reading State::find(const Submission& submission) const {
  Reading reading;
  reading.week = week_of(submission.reviewed);
  reading.payer = key_of(submission.payer_id);
  reading.billing = key_of(submission.billing_npi);
  reading.servicer = key_of(submission.servicer_npi);
  reading.facility = key_of(submission.facility);
  charts_.prefetch(submission.chart, reading.payer);
  const std::uint32_t* index = payer_indices_.find(reading.payer);
  reading.payer_index = index ? *index : 0;

  const auto payer_class = static_cast<Key>(submission.payer_class);
  auto& keys = reading.keys;
  reading.record = effect_key(9, reading.payer);
  keys[kAll] = effect_key(1, 0);
  keys[kPatients] = effect_key(1, 1);
  keys[kTiming] = effect_key(1, 2);
  keys[kProcedures] = effect_key(1, 3);
  keys[kClass] = effect_key(2, payer_class);
  keys[kPatientsOfClass] = effect_key(30, payer_class);
  keys[kProceduresOfClass] = effect_key(31, payer_class);
  keys[kPayer] = effect_key(3, reading.payer);
  keys[kPatientsOfPayer] = effect_key(32, reading.payer);
  keys[kDocuments] = effect_key(1, 4);
  keys[kDocumentsOfPayer] = effect_key(36, reading.payer);
  keys[kProceduresOfPayer] = effect_key(33, reading.payer);
  keys[kBilling] = effect_key(4, reading.billing);
  keys[kServicer] = effect_key(5, reading.servicer);
  if (!submission.facility.empty()) keys[kFacility] = effect_key(6, reading.facility);
  keys[kPair] = effect_key(7, reading.billing, reading.payer);
  keys[kEnrolment] = effect_key(1, 5);
  keys[kEnrolmentAtPayer] = effect_key(37, reading.payer);
  keys[kServicerEnrolled] = effect_key(38, reading.servicer);
  keys[kPairEnrolled] = effect_key(39, reading.billing, reading.payer);
  keys[kServicerPair] = effect_key(8, reading.servicer, reading.payer);
  if (submission.chart != 0) keys[kChartAtPayer] = effect_key(27, submission.chart, reading.payer);
  for (const Key key : keys)
    if (key) cells_.prefetch(key);
  const ChartAtPayer* here = charts_.at_payer(submission.chart, reading.payer);
  const std::uint32_t own_index = reading.payer_index > 0 ? reading.payer_index - 1 : 0xffff'fffe;
  if (const Key state = chart_state(here, charts_.chart(submission.chart), own_index, submission.reviewed))
    keys[kChart] = effect_key(20, state);
  if (here && here->share_class > 0 && here->share_year == submission.serviced().ymd().year)
    reading.chart_share = here->share_class;
  keys[kLookAlike] = look_alike_key(submission);
  if (submission.date_of_service) {
    const auto step = static_cast<Key>(lateness_step(submission));
    keys[kLateness] = effect_key(22, step);
    keys[kPayerLateness] = effect_key(23, step, reading.payer);
  }
  const Tenure* tenure = tenures_.find(reading.servicer);
  const std::int32_t known = submission.reviewed.days() - (tenure ? tenure->first : submission.reviewed.days());
  if (first_day_ > kNever && (!tenure || tenure->first - first_day_ > 60))
    keys[kTenure] = effect_key(28, known < 15 ? 1 : known < 45 ? 2 : known < 90 ? 3 : known < 180 ? 4 : 5);
  const auto size = static_cast<Key>(half_octave(submission.amount.cents()));
  keys[kCharge] = effect_key(24, size);
  reading.step.position = step_position_of(submission.amount.cents());
  steps_.prefetch(reading.payer);
  if (!submission.lines.empty()) keys[kLineCount] = effect_key(25, std::min<Key>(submission.lines.size(), 8));
  const Key month = submission.submitted.ymd().month;
  keys[kSeason] = effect_key(26, payer_class, month);
  keys[kPatientSeason] = effect_key(34, payer_class, month);

  read_lines(submission, reading);
  return reading;
}

State::Reading State::read(const Submission& submission) const {
  Reading reading = find(submission);
  prices_.prefetch(reading.priced);
  for (const auto& rule : submission.fired) {
    RuleReading read;
    read.rule = rule;
    if (rule.line && *rule.line >= 0 && static_cast<std::size_t>(*rule.line) < reading.lines.size()) {
      read.line = *rule.line;
      read.major = reading.lines[static_cast<std::size_t>(read.line)].share >= 0.5;
    }
    reading.hard = reading.hard || (rule.hard && !rule.shadow && read.major);
    reading.rules.push_back(std::move(read));
  }
  weigh(reading);
  fill_features(reading);
  return reading;
}

void State::read_lines(const Submission& submission, Reading& reading) const {
  reading.priced.payer = reading.payer;
  reading.priced.payer_class = submission.payer_class;
  reading.priced.billing = reading.billing;
  reading.priced.facility = reading.facility;
  reading.priced.period = fee_period_of(submission.serviced());
  double charges = 0;
  for (const auto& line : submission.lines)
    charges += static_cast<double>(std::max<std::int64_t>(line.amount.cents(), 0));
  const Key authorization = !submission.prior_authorization ? 0 : *submission.prior_authorization ? 1 : 2;
  for (const auto& line : submission.lines) {
    const Key code = key_of(line.code);
    LineReading read;
    read.share = charges > 0 ? static_cast<double>(std::max<std::int64_t>(line.amount.cents(), 0)) / charges
                             : 1.0 / static_cast<double>(submission.lines.size());
    const Key units = line.units_milli <= 1000   ? 0
                      : line.units_milli <= 2000 ? 1
                      : line.units_milli <= 4000 ? 2
                      : line.units_milli <= 8000 ? 3
                                                 : 4;
    read.record = effect_key(14, code, reading.payer);
    read.keys[kCode] = effect_key(10, code);
    read.keys[kCodeOfClass] = effect_key(13, code, static_cast<Key>(submission.payer_class));
    read.keys[kCodeAtPayer] = effect_key(11, code, reading.payer);
    read.keys[kCodeAsBilled] =
        joined(effect_key(12, code, reading.payer), joined(modifiers_key(line.modifiers), units * 4 + authorization));
    for (const Key key : read.keys) cells_.prefetch(key);
    reading.lines.push_back(read);
    reading.priced.lines.push_back({code, pricing_modifiers(line.modifiers), line.units_milli, line.amount.cents(),
                                    line.fee ? line.fee->cents() : 0, line.section.value_or(section_of(line.code))});
  }
  if (submission.lines.empty()) reading.priced.lines.push_back({0, 0, 1000, submission.amount.cents(), 0});
}

}  // namespace tideover::estimators
