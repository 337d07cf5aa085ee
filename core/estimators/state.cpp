#include "core/estimators/state.hpp"

#include <algorithm>

#include "core/estimators/arithmetic.hpp"
#include "core/estimators/strengths.hpp"

namespace tideover::estimators {
namespace {

using domain::Date;

/// Medicare pays electronic claims on the fourteenth day after receipt at the earliest (the payment floor).
constexpr int kMedicareFloorDays = 14;
int floor_days_of(PayerClass payer_class) { return payer_class == PayerClass::medicare ? kMedicareFloorDays : 0; }

constexpr std::size_t kMostConfidences = 12'000;
constexpr int kPostingReportDays = 5;       // a posting is known that many days after its date
constexpr double kAdvanceShare = 0.85;      // of what is expected if paid: for the grades
constexpr std::size_t kPairs = 500'000;

/// Every table of a state gets its part.
std::size_t at_least(std::size_t value) { return std::max<std::size_t>(value, 16); }

/// Adjustments that account for all that was not paid: then the allowed amount is known, not only what came.
bool balances(const domain::RemittanceClaim& answer) {
  auto sum = answer.paid_amount;
  for (const auto& adjustment : answer.adjustments) sum += adjustment.amount;
  return sum == answer.charge_amount;
}

}  // namespace

State::State(Options options)
    : options_(options),
      calendar_(std::make_shared<const BankDays>()),
      cells_(at_least(options.cells)),
      silences_(at_least(options.payers) * 2),
      recoveries_(at_least(options.payers) * 2),
      weights_(at_least(options.cells / 8)),
      prices_(at_least(options.prices)),
      shares_(at_least(options.payers) * 16),
      charts_(at_least(options.charts), at_least(options.look_alikes)),
      habits_(at_least(options.cells / 2)),
      pairs_(at_least(std::min(options.cells, kPairs))),
      tenures_(at_least(std::min(options.cells, kPairs))),
      payer_indices_(at_least(options.payers) * 2),
      open_by_claim_(at_least(options.open_claims) * 2) {
  for (std::size_t i = 0; i < class_delays_.size(); ++i) {
    class_delays_[i] = Delay(floor_days_of(static_cast<PayerClass>(i)));
    class_delays_[i].fit(*calendar_, &all_delay_);
  }
  fit_reworked();
}

std::uint32_t State::payer_index_of(const std::string& payer_id, Key key, PayerClass payer_class) {
  if (const std::uint32_t* known = payer_indices_.find(key)) return *known;
  if (payers_.size() >= options_.payers) return 0;
  Payer payer;
  payer.id = payer_id;
  payer.payer_class = payer_class;
  payer.delay = std::make_unique<Delay>(floor_days_of(payer_class));
  payer.days.payer_id = payer_id;
  payers_.push_back(std::move(payer));
  const auto index = static_cast<std::uint32_t>(payers_.size());
  payer_indices_.at(key, [](std::uint32_t) { return 0; }) = index;
  return index;
}

const Delay& State::delay_of(std::uint32_t payer_index, PayerClass payer_class) const {
  if (payer_index > 0)
    if (const Delay& own = *payers_[payer_index - 1].delay; own.is_fitted()) return own;
  return class_delays_[static_cast<std::size_t>(payer_class)];
}

State::Open* State::find_open(Key claim) {
  const std::uint64_t* sequence = open_by_claim_.find(claim);
  return sequence ? &open_[*sequence - 1 - first_open_] : nullptr;
}

State::Open State::opened(const Submission& submission, const Policy& policy) {
  const Reading reading = read(submission);
  const Prediction told = predict(submission, policy, reading);
  Open open;
  open.claim = key_of(submission.claim_id);
  open.chart = submission.chart;
  open.payer = reading.payer;
  open.billing = reading.billing;
  open.servicer = reading.servicer;
  open.facility = reading.facility;
  open.payer_index = payer_index_of(submission.payer_id, reading.payer, submission.payer_class);
  open.payer_class = submission.payer_class;
  open.submitted = submission.submitted;
  open.serviced = submission.serviced();
  open.applied = submission.reviewed;
  open.effects = reading;
  if (!reading.lines.empty()) open.lines = reading.priced.lines;
  open.features = reading.features;
  open.p_denial = static_cast<float>(told.p_denial);
  open.confidence = static_cast<float>(told.confidence);
  open.raw_confidence = static_cast<float>(log_odds(told.p_paid_by(told.expected_payment_date)));
  open.allowed = told.allowed.cents();
  open.if_paid = told.expected_if_paid.cents();
  open.amount = submission.amount.cents();
  open.risk = static_cast<float>(told.expected_loss(domain::Money::cents(static_cast<std::int64_t>(kAdvanceShare * static_cast<double>(open.if_paid)))));
  open.median_days = static_cast<std::int16_t>(told.quantile_days(0.5));
  open.expected_date = told.expected_payment_date;
  open.predicted = told.denial_predicted;
  open.chart_share = reading.chart_share;
  return open;
}

/// A claim reviewed again before its answer is learned from as it is now; its place in the order of claims stays.
void State::submitted(const Submission& submission, const Policy& policy) {
  const Key claim = key_of(submission.claim_id);
  const auto judged_on = [](const Open& open) { return open.expected_date.plus(kPostingReportDays).days(); };
  if (Open* const known = find_open(claim)) {
    if (known->answered || known->matured || known->cash != 0) return;
    Open newest = opened(submission, policy);
    newest.applied = known->applied;
    const std::uint64_t sequence = *open_by_claim_.find(claim) - 1;
    // Its confidence is judged once: by the newest review, if the day of the one before has not come yet.
    if (const auto due = due_.find(judged_on(*known)); due != due_.end() && std::erase(due->second, sequence) > 0) due_[judged_on(newest)].push_back(sequence);
    *known = std::move(newest);
    charts_.submitted(submission);
    return;
  }
  Open open = opened(submission, policy);
  if (open_.size() >= options_.open_claims) drop_oldest();
  const Key servicer = open.servicer;
  const std::uint64_t sequence = first_open_ + open_.size();
  due_[judged_on(open)].push_back(sequence);
  open_.push_back(std::move(open));
  open_by_claim_.at(claim, [](std::uint64_t) { return 0; }) = sequence + 1;
  if (first_day_ == kNever) first_day_ = submission.reviewed.days();
  if (auto& tenure = tenures_.at(servicer, [](const Tenure& t) { return static_cast<std::uint64_t>(std::max(t.first, 0)); }); tenure.first == kNever)
    tenure.first = submission.reviewed.days();
  charts_.submitted(submission);
  habits_.submitted(submission);
}

void State::drop_oldest() {
  Open& oldest = open_.front();
  if (!oldest.matured) mature(oldest, oldest.applied.plus(kHorizonDays));
  open_by_claim_.erase(oldest.claim);
  open_.pop_front();
  ++first_open_;
  matured_until_ = std::max(matured_until_, first_open_);
}

void State::responded(const Response& response) {
  Open* found = find_open(key_of(response.claim_id));
  if (!found) {
    ++grades_.unknown_responses;
    return;
  }
  Open& open = *found;
  const Label label = label_of(response.remittance);
  if (label.outcome == Outcome::ignored) return;
  const std::int64_t paid = label.paid.cents();
  open.cash += paid;
  if (response.posted && days_between(open.submitted, *response.posted) <= kHorizonDays) open.cash_in_time += paid;
  if (label.outcome == Outcome::reversal) {
    if (open.answered) undo(open);
    return;
  }
  const bool first_payment = paid > 0 && response.posted && !open.first_posted;
  if (first_payment) open.first_posted = response.posted;

  const bool first_response = !open.answered;
  if (first_response) {
    count(open, answer_of(open, label), response.responded);
    learn_amounts(open, response.remittance, label);
    if (first_payment && !label.denied() && !open.delay_learned) {
      open.delay_learned = true;
      all_delay_.observe(*calendar_, open.submitted, *response.posted);
      class_delays_[static_cast<std::size_t>(open.payer_class)].observe(*calendar_, open.submitted, *response.posted);
      if (open.payer_index > 0) {
        Payer& payer = payers_[open.payer_index - 1];
        payer.places += delay_of(open.payer_index, open.payer_class).place_of(*calendar_, open.submitted, *response.posted);
        ++payer.placed;
        payer.delay->observe(*calendar_, open.submitted, *response.posted);
      }
    }
  } else if (paid > 0 && open.denied) {
    learn_amounts(open, response.remittance, label);
  }
  count_pair(open, first_response, paid > 0);
  if (first_payment && open.denied) {
    const int day = std::clamp(days_between(open.submitted, *response.posted), 0, kCalendarDays - 1);
    ++reworked_[static_cast<std::size_t>(open.payer_class)][static_cast<std::size_t>(day)];
    fit_reworked();
  }
  if (first_payment && open.payer_index > 0) {
    auto& days = payers_[open.payer_index - 1].days;
    const int took = days_between(open.submitted, *open.first_posted);
    ++days.paid;
    days.error += took - open.median_days;
    days.absolute_error += std::abs(took - open.median_days);
    days.in_time += *open.first_posted <= open.expected_date;
  }
  const int share_class = label.outcome == Outcome::paid || label.outcome == Outcome::zero ? PatientShares::chart_class(label.allowed.cents(), paid) : 0;
  open.chart_change = charts_.answered(open.chart, open.payer, open.payer_index > 0 ? open.payer_index - 1 : 0, open.servicer, response.responded, open.serviced, label, first_response, share_class);
}

/// A claim counts as paid whenever its payer first pays anything of it, be it after a denial.
void State::count_pair(Open& open, bool is_answer, bool is_paid) {
  const bool is_first_pay = is_paid && !open.pair_paid;
  if (!is_answer && !is_first_pay) return;
  auto& pair = pairs_.at(joined(joined(open.billing, open.servicer), open.payer), [](const Pair& p) { return p.responses; });
  pair.responses += is_answer;
  pair.paid += is_first_pay;
  open.pair_paid = open.pair_paid || is_paid;
}

void State::learn_amounts(Open& open, const domain::RemittanceClaim& answer, const Label& label) {
  PricedClaim priced;
  priced.payer = open.payer;
  priced.payer_class = open.payer_class;
  priced.billing = open.billing;
  priced.facility = open.facility;
  priced.period = fee_period_of(open.serviced);
  std::vector<std::int64_t> allowed;
  std::int64_t clean_allowed = 0;
  const bool by_line = !open.lines.empty() && !label.lines.empty() && !label.lines.front().code.empty();
  bool all_clean = true;
  if (by_line) {
    std::vector<bool> used(label.lines.size(), false);
    for (const auto& line : open.lines) {
      priced.lines.push_back(line);
      std::int64_t learned = -1;
      for (std::size_t i = 0; i < label.lines.size(); ++i)
        if (!used[i] && key_of(label.lines[i].code) == line.code && label.lines[i].charge.cents() == line.charge) {
          used[i] = true;
          if (!label.lines[i].denied) learned = label.lines[i].allowed.cents();
          break;
        }
      allowed.push_back(learned);
      all_clean = all_clean && learned >= 0;
    }
  } else {
    // The whole answer is about the only line, where there is one.
    const bool is_one_line = open.lines.size() == 1 && open.lines.front().charge == open.amount && balances(answer);
    priced.lines.push_back(is_one_line ? open.lines.front() : PricedLine{0, 0, 1000, open.amount, 0});
    all_clean = label.outcome == Outcome::paid || label.outcome == Outcome::zero;
    allowed.push_back(all_clean && (open.lines.empty() || is_one_line) ? label.allowed.cents() : -1);
  }
  // What a clean answer would have allowed: remembered prices for the lines that were refused.
  if (!label.denied()) {
    std::vector<LinePrice> prices;
    if (!all_clean) prices_.price(priced, prices);
    for (std::size_t i = 0; i < allowed.size(); ++i) clean_allowed += allowed[i] >= 0 ? allowed[i] : i < prices.size() ? prices[i].allowed.cents() : 0;
    if (!by_line) clean_allowed = label.allowed.cents();
    open.share = {clean_allowed, label.paid.cents(), static_cast<int>(open.serviced.ymd().month), open.chart_share};
    shares_.learn(open.payer, open.payer_class, open.share.month, open.share.chart, open.share.allowed, open.share.paid);
  }
  if (all_clean && !open.answered_amounts && !label.denied()) {
    open.answered_amounts = true;
    open.graded_allowed = label.allowed.cents();
    auto& amounts = grades_.amounts;
    const std::int64_t error = std::abs(open.allowed - label.allowed.cents());
    ++amounts.claims;
    amounts.within_one_percent += 100 * error <= label.allowed.cents();
    amounts.allowed_cents += label.allowed.cents();
    amounts.absolute_error_cents += error;
  }
  prices_.learn(priced, allowed);
}

/// Prices stay: that the payer took its answer back does not say that it prices otherwise.
void State::take_back_amounts(Open& open) {
  shares_.take_back(open.payer, open.payer_class, open.share.month, open.share.chart, open.share.allowed, open.share.paid);
  open.share = {};
  if (!open.answered_amounts) return;
  open.answered_amounts = false;
  auto& amounts = grades_.amounts;
  const std::int64_t error = std::abs(open.allowed - open.graded_allowed);
  --amounts.claims;
  amounts.within_one_percent -= 100 * error <= open.graded_allowed;
  amounts.allowed_cents -= open.graded_allowed;
  amounts.absolute_error_cents -= error;
}

/// The horizon has passed: what is silent now counts as unpaid, and what was denied is recovered or not.
void State::mature(Open& open, Date day) {
  open.matured = true;
  const Week now = std::max(week_, week_of(day));
  const bool silent = !open.answered && open.cash <= 0;
  const auto guess = static_cast<double>(0.01F);
  silences_.at(1, now).count(now, silent, guess, 0);
  silences_.at(joined(2, open.payer), now).count(now, silent, probability(log_odds(guess) + silences_.shift(1, now, kSilenceStrength)), 0);
  if (open.denied) {
    const bool recovered = open.cash_in_time > 0;
    const double base = log_odds(0.40), all = base + recoveries_.shift(1, now, kRecoveryStrength);
    recoveries_.at(1, now).count(now, recovered, 0.40, 0);
    recoveries_.at(joined(2, open.payer), now).count(now, recovered, probability(all), 0);
    recoveries_.at(joined(3, static_cast<Key>(open.group)), now).count(now, recovered, probability(all), 0);
  }
  if (!open.predicted && open.if_paid > 0) {
    auto& advances = grades_.advances;
    const auto advance = static_cast<std::int64_t>(kAdvanceShare * static_cast<double>(open.if_paid));
    ++advances.claims;
    advances.advanced_cents += advance;
    advances.lost_cents += std::max<std::int64_t>(0, advance - std::max<std::int64_t>(open.cash_in_time, 0));
    advances.expected_loss_cents += static_cast<std::int64_t>(static_cast<double>(open.risk) * static_cast<double>(advance));
  }
}

void State::close_day(Date day) {
  today_ = day;
  week_ = week_of(day);
  while (matured_until_ < first_open_ + open_.size()) {
    Open& open = open_[matured_until_ - first_open_];
    if (days_between(open.applied, day) < kHorizonDays) break;
    if (!open.matured) mature(open, day);
    ++matured_until_;
  }
  while (!open_.empty() && days_between(open_.front().applied, day) > options_.days_to_live) drop_oldest();
  while (!due_.empty() && due_.begin()->first <= day.days()) {
    for (const std::uint64_t sequence : due_.begin()->second) {
      if (sequence < first_open_) continue;
      const Open& open = open_[sequence - first_open_];
      const bool came = open.first_posted && *open.first_posted <= open.expected_date;
      grades_.confidence.add(static_cast<double>(open.confidence), came);
      const Scored scored{static_cast<double>(open.raw_confidence), came};
      if (confidences_.size() < kMostConfidences) {
        confidences_.push_back(scored);
      } else {
        confidences_[next_confidence_] = scored;
        next_confidence_ = (next_confidence_ + 1) % kMostConfidences;
      }
    }
    due_.erase(due_.begin());
  }
  for (auto& payer : payers_) {
    if (payer.placed > 0 && payer.delay->watch(payer.places / payer.placed, payer.placed)) {
      ++payer.days.drift_alarms;
      payer.fitted_outcomes = -1;
    }
    payer.places = 0;
    payer.placed = 0;
  }
  const auto ymd = day.ymd();
  const std::int32_t month = ymd.year * 12 + static_cast<std::int32_t>(ymd.month);
  if (month != month_) {
    if (month_ >= 0) {
      all_delay_.begin_epoch();
      for (auto& delay : class_delays_) delay.begin_epoch();
      for (auto& payer : payers_) payer.delay->begin_epoch();
      charts_.forget(day, options_.days_to_live);
    }
    month_ = month;
  }
  fit_delays(day);
  if (since_fit_ >= std::max<std::size_t>(250, matured_.size() / 40)) fit_blend();
}

/// Payers whose record grew by a tenth, or a week ago at the latest; classes and all weekly.
void State::fit_delays(Date day) {
  std::vector<bool> due(payers_.size(), false);
  bool any = false;
  const bool weekly = day.days() % 7 == 0;
  for (std::size_t i = 0; i < payers_.size(); ++i) {
    Payer& payer = payers_[i];
    const double outcomes = payer.delay->outcomes();
    const bool grown = outcomes > 1.1 * payer.fitted_outcomes + 1 || (payer.fitted_outcomes >= 0 && outcomes < 0.9 * payer.fitted_outcomes);
    due[i] = outcomes > 0 && (grown || day.days() - payer.fitted_day >= 7);
    any = any || due[i];
  }
  if (!any && !weekly) return;
  for (auto& open : open_) {
    if (open.answered || open.payer_index == 0 || !due[open.payer_index - 1] || days_between(open.submitted, day) > kHorizonDays) continue;
    payers_[open.payer_index - 1].delay->open(*calendar_, open.submitted, day, 1 - static_cast<double>(open.p_denial));
  }
  if (weekly || !all_delay_.is_fitted()) {
    all_delay_.fit(*calendar_, nullptr);
    for (auto& delay : class_delays_) delay.fit(*calendar_, &all_delay_);
  }
  for (std::size_t i = 0; i < payers_.size(); ++i) {
    if (!due[i]) continue;
    Payer& payer = payers_[i];
    payer.delay->fit(*calendar_, &class_delays_[static_cast<std::size_t>(payer.payer_class)]);
    payer.delay->forget_open();
    payer.fitted_outcomes = payer.delay->outcomes();
    payer.fitted_day = day.days();
  }
}

/// Payments of denied claims: their own days, by class drawn to all; before any are known, spread over days 30 to 120.
void State::fit_reworked() {
  std::array<double, kCalendarDays> usual{};
  double counted_all = 20;
  for (std::size_t day = 0; day < kCalendarDays; ++day) {
    usual[day] = day >= 30 && day < 120 ? 20.0 / 90 : 0.0;
    for (const auto& by_class : reworked_) {
      usual[day] += by_class[day];
      counted_all += by_class[day];
    }
  }
  for (std::size_t of = 0; of < reworked_.size(); ++of) {
    double counted = 50, sum = 0;
    for (const auto count : reworked_[of]) counted += count;
    for (std::size_t day = 0; day < kCalendarDays; ++day) {
      sum += (reworked_[of][day] + 50 * usual[day] / counted_all) / counted;
      reworked_by_[of][day] = static_cast<float>(std::min(sum, 1.0));
    }
  }
}

/// Blend on the older four fifths of what has matured, calibration on the newest fifth; confidence on its own record.
void State::fit_blend() {
  since_fit_ = 0;
  std::vector<const MaturedClaim*> rows;
  rows.reserve(matured_.size());
  for (std::size_t i = 0; i < matured_.size(); ++i)
    if (const auto& row = matured_[(next_matured_ + i) % matured_.size()]; row.claim != 0) rows.push_back(&row);
  const std::size_t older = rows.size() * 4 / 5;
  blend_.fit({rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(older)});
  std::vector<Scored> scored;
  scored.reserve(rows.size() - older);
  for (std::size_t i = older; i < rows.size(); ++i) scored.emplace_back(blend_.log_odds_of(rows[i]->features), rows[i]->denied);
  denial_calibration_.fit(std::move(scored));
  confidence_calibration_.fit(confidences_);
}

std::size_t State::matured_claims() const {
  return static_cast<std::size_t>(std::count_if(matured_.begin(), matured_.end(), [](const MaturedClaim& row) { return row.claim != 0; }));
}

Grades State::grades() const {
  Grades grades = grades_;
  for (const auto& payer : payers_)
    if (payer.days.paid > 0) grades.payers.push_back(payer.days);
  grades.rules = weights_.grades();
  return grades;
}

Digest::Value State::digest() const {
  Digest digest;
  cells_.put_into(digest);
  silences_.put_into(digest);
  recoveries_.put_into(digest);
  weights_.put_into(digest);
  reasons_.put_into(digest);
  prices_.put_into(digest);
  shares_.put_into(digest);
  charts_.put_into(digest);
  habits_.put_into(digest);
  all_delay_.put_into(digest);
  for (const auto& delay : class_delays_) delay.put_into(digest);
  for (const auto& payer : payers_) payer.delay->put_into(digest);
  for (const auto& by_class : reworked_)
    for (const auto count : by_class) digest.put(count);
  for (const auto& open : open_) {
    digest.put(open.claim);
    digest.put(open.cash);
    digest.put(std::uint32_t{open.matured} << 2 | std::uint32_t{open.answered} << 1 | std::uint32_t{open.denied});
    digest.put(open.p_denial);
    digest.put(open.expected_date.days());
    for (const float feature : open.features) digest.put(feature);
  }
  for (const auto& [score, came] : confidences_) {
    digest.put(score);
    digest.put(std::uint32_t{came});
  }
  for (const auto& row : matured_) {
    digest.put(std::uint32_t{row.claim != 0} << 1 | std::uint32_t{row.denied});
    for (const float feature : row.features) digest.put(feature);
  }
  digest.put(static_cast<std::uint64_t>(next_matured_));
  pairs_.each([&](Key key, const Pair& pair) {
    digest.put(key);
    digest.put(std::uint64_t{pair.responses} << 32 | pair.paid);
  });
  tenures_.each([&](Key key, const Tenure& tenure) {
    digest.put(key);
    digest.put(tenure.first);
  });
  blend_.put_into(digest);
  denial_calibration_.put_into(digest);
  confidence_calibration_.put_into(digest);
  return digest.value();
}

}  // namespace tideover::estimators
