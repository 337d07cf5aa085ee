// The end of a day: claims without an answer mature, and due fits are made.
#include <algorithm>

#include "core/estimators/basics/arithmetic.hpp"
#include "core/estimators/effects/strengths.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

using domain::Date;

constexpr std::size_t kMostConfidences = 12'000;

}  // namespace

/// The horizon has passed: a claim without an answer counts as unpaid, and a denied one as recovered or not.
void State::mature(Open& open, Date day) {
  open.matured = true;
  const Week now = std::max(week_, week_of(day));
  const bool silent = !open.answered && open.cash <= 0;
  const auto guess = static_cast<double>(0.01F);
  silences_.at(1, now).count(now, silent, guess, 0);
  silences_.at(joined(2, open.assessed->payer), now)
      .count(now, silent, probability(log_odds(guess) + silences_.shift(1, now, kSilenceStrength)), 0);
  if (open.denied) {
    const bool recovered = open.cash_in_time > 0;
    const double base = log_odds(0.40), all = base + recoveries_.shift(1, now, kRecoveryStrength);
    recoveries_.at(1, now).count(now, recovered, 0.40, 0);
    recoveries_.at(joined(2, open.assessed->payer), now).count(now, recovered, probability(all), 0);
    recoveries_.at(joined(3, static_cast<Key>(open.group)), now).count(now, recovered, probability(all), 0);
  }
  if (const Graded& graded = open.assessed->graded; !graded.denial_predicted && graded.advance > 0) {
    auto& advances = grades_.advances;
    const std::int64_t advance = graded.advance;
    ++advances.claims;
    advances.advanced_cents += advance;
    advances.lost_cents += std::max<std::int64_t>(0, advance - std::max<std::int64_t>(open.cash_in_time, 0));
    advances.expected_loss_cents +=
        static_cast<std::int64_t>(static_cast<double>(graded.loss) * static_cast<double>(advance));
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
      Open& open = open_[sequence - first_open_];
      const auto came_by = [&](Date date) { return open.first_posted && *open.first_posted <= date; };
      if (!open.confidence_learned) {
        open.confidence_learned = true;
        const Scored scored{static_cast<double>(open.assessed->raw_confidence), came_by(open.assessed->expected_date)};
        if (confidences_.size() < kMostConfidences) {
          confidences_.push_back(scored);
        } else {
          confidences_[next_confidence_] = scored;
          next_confidence_ = (next_confidence_ + 1) % kMostConfidences;
        }
      }
      if (const auto later = judged_on(open); later > day.days())
        due_[later].push_back(sequence);
      else
        grades_.confidence.add(open.assessed->graded.confidence, came_by(open.assessed->graded.payment_date));
    }
    due_.erase(due_.begin());
  }
  for (auto& payer : payers_) {
    if (payer.outcomes_of_day > 0 &&
        payer.delay->watch(payer.quantiles / payer.outcomes_of_day, payer.outcomes_of_day)) {
      ++payer.days.drift_alarms;
      payer.fitted_outcomes = -1;
    }
    payer.quantiles = 0;
    payer.outcomes_of_day = 0;
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

/// Fits payers whose record grew by a tenth, or whose last fit is a week old. Fits classes, and all payers together,
/// weekly.
void State::fit_delays(Date day) {
  std::vector<bool> due(payers_.size(), false);
  bool any = false;
  const bool weekly = day.days() % 7 == 0;
  for (std::size_t i = 0; i < payers_.size(); ++i) {
    Payer& payer = payers_[i];
    const double outcomes = payer.delay->outcomes();
    const bool grown = outcomes > 1.1 * payer.fitted_outcomes + 1 ||
                       (payer.fitted_outcomes >= 0 && outcomes < 0.9 * payer.fitted_outcomes);
    due[i] = outcomes > 0 && (grown || day.days() - payer.fitted_day >= 7);
    any = any || due[i];
  }
  if (!any && !weekly) return;
  for (auto& open : open_) {
    if (open.answered || open.assessed->payer_index == 0 || !due[open.assessed->payer_index - 1] ||
        days_between(open.assessed->submitted, day) > kHorizonDays)
      continue;
    payers_[open.assessed->payer_index - 1].delay->open(*calendar_, open.assessed->submitted, day,
                                                        1 - static_cast<double>(open.assessed->p_denial));
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

/// Payment days of claims that were denied first, per class, shrunk towards all classes. Before any are known: uniform
/// over days 30 to 120.
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

/// Fits the blend on all matured claims, the calibration on the newest fifth of them, and the confidence on its own
/// record. The blend has about twenty parameters, so it hardly overfits that fifth.
void State::fit_blend() {
  since_fit_ = 0;
  std::vector<const MaturedClaim*> rows;
  rows.reserve(matured_.size());
  for (std::size_t i = 0; i < matured_.size(); ++i)
    if (const auto& row = matured_[(next_matured_ + i) % matured_.size()]; row.claim != 0) rows.push_back(&row);
  const std::size_t older = rows.size() * 4 / 5;
  blend_.fit(rows);
  std::vector<Scored> scored;
  scored.reserve(rows.size() - older);
  for (std::size_t i = older; i < rows.size(); ++i)
    scored.emplace_back(blend_.log_odds_of(rows[i]->features), rows[i]->denied);
  denial_calibration_.fit(std::move(scored));
  confidence_calibration_.fit(confidences_);
}

}  // namespace tideover::estimators
