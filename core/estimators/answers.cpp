// Learns from a payer's answer: amounts, days, pairs of providers, charts.
#include <cstdlib>

#include "core/domain/basics/within.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

/// Whether adjustments account for everything that was not paid. Then the allowed amount is known exactly.
bool balances(const domain::RemittanceClaim& answer) {
  auto sum = answer.paid_amount;
  for (const auto& adjustment : answer.adjustments) sum += adjustment.amount;
  return sum == answer.charge_amount;
}

}  // namespace

void State::responded(const Response& response, Observation* observed) {
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
  if (response.posted && days_between(open.assessed->submitted, *response.posted) <= kHorizonDays)
    open.cash_in_time += paid;
  if (label.outcome == Outcome::reversal) {
    // A first answer that denies stays a denial. Payments after its reversal are rework.
    if (open.answered && open.denied)
      take_back_rework(open);
    else if (open.answered)
      undo(open, observed);
    return;
  }
  const bool first_payment = paid > 0 && response.posted && !open.first_posted;
  if (first_payment) open.first_posted = response.posted;

  const bool first_response = !open.answered;
  const bool late_money = !first_response && paid > 0 && open.denied;
  if (first_response || late_money) {
    auto waiting = unpacked(open.waiting);
    if (first_response) {
      count(open, waiting.effects, answer_of(waiting.lines, label), response.responded);
      keep(open, packed(waiting, true, observed));
    }
    learn_amounts(open, waiting.lines, response.remittance, label);
  }
  if (first_response && first_payment && !label.denied() && !open.delay_learned) {
    open.delay_learned = true;
    all_delay_.observe(*calendar_, open.assessed->submitted, *response.posted);
    class_delays_[static_cast<std::size_t>(open.assessed->payer_class)].observe(*calendar_, open.assessed->submitted,
                                                                                *response.posted);
    if (open.assessed->payer_index > 0) {
      Payer& payer = payers_[open.assessed->payer_index - 1];
      payer.quantiles += delay_of(open.assessed->payer_index, open.assessed->payer_class)
                             .quantile_of(*calendar_, open.assessed->submitted, *response.posted);
      ++payer.outcomes_of_day;
      payer.delay->observe(*calendar_, open.assessed->submitted, *response.posted);
    }
  }
  count_pair(open, first_response, paid > 0);
  if (first_payment && open.denied) {
    const int day = domain::within(days_between(open.assessed->submitted, *response.posted), 0, kCalendarDays - 1);
    ++reworked_[static_cast<std::size_t>(open.assessed->payer_class)][static_cast<std::size_t>(day)];
    fit_reworked();
  }
  if (first_payment && open.assessed->payer_index > 0) {
    auto& days = payers_[open.assessed->payer_index - 1].days;
    const int took = days_between(open.assessed->submitted, *open.first_posted);
    ++days.paid;
    days.error += took - open.assessed->graded.days;
    days.absolute_error += std::abs(took - open.assessed->graded.days);
    days.in_time += *open.first_posted <= open.assessed->graded.payment_date;
  }
  const int share_class = label.outcome == Outcome::paid || label.outcome == Outcome::zero
                              ? PatientShares::chart_class(label.allowed.cents(), paid)
                              : 0;
  open.chart_change = charts_.answered(
      open.assessed->chart, open.assessed->payer, open.assessed->payer_index > 0 ? open.assessed->payer_index - 1 : 0,
      open.assessed->servicer, response.responded, open.assessed->serviced, label, first_response, share_class);
}

/// A claim counts as paid once, when its payer first pays any part of it, also after a denial.
void State::count_pair(Open& open, bool is_answer, bool is_paid) {
  const bool is_first_pay = is_paid && !open.pair_paid;
  if (!is_answer && !is_first_pay) return;
  auto& pair = pairs_.at(joined(joined(open.assessed->billing, open.assessed->servicer), open.assessed->payer),
                         [](const Pair& p) { return p.responses; });
  pair.responses += is_answer;
  pair.paid += is_first_pay;
  open.pair_paid = open.pair_paid || is_paid;
}

void State::learn_amounts(Open& open, const std::vector<PricedLine>& lines, const domain::RemittanceClaim& answer,
                          const Label& label) {
  PricedClaim priced;
  priced.payer = open.assessed->payer;
  priced.payer_class = open.assessed->payer_class;
  priced.billing = open.assessed->billing;
  priced.facility = open.assessed->facility;
  priced.period = fee_period_of(open.assessed->serviced);
  std::vector<std::int64_t> allowed;
  std::int64_t clean_allowed = 0;
  const bool by_line = !lines.empty() && !label.lines.empty() && !label.lines.front().code.empty();
  bool all_clean = true;
  if (by_line) {
    std::vector<bool> used(label.lines.size(), false);
    for (const auto& line : lines) {
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
    // For a claim with one line, the whole answer is about that line.
    const bool is_one_line = lines.size() == 1 && lines.front().charge == open.assessed->amount && balances(answer);
    priced.lines.push_back(is_one_line ? lines.front() : PricedLine{0, 0, 1000, open.assessed->amount, 0});
    all_clean = label.outcome == Outcome::paid || label.outcome == Outcome::zero;
    allowed.push_back(all_clean && (lines.empty() || is_one_line) ? label.allowed.cents() : -1);
  }
  // The allowed amount of a clean answer: for denied lines, the remembered prices.
  if (!label.denied()) {
    std::vector<LinePrice> prices;
    if (!all_clean) prices_.price(priced, prices);
    for (std::size_t i = 0; i < allowed.size(); ++i)
      clean_allowed += allowed[i] >= 0 ? allowed[i] : i < prices.size() ? prices[i].allowed.cents() : 0;
    if (!by_line) clean_allowed = label.allowed.cents();
    open.share = {clean_allowed, label.paid.cents(), static_cast<int>(open.assessed->serviced.ymd().month),
                  open.assessed->chart_share};
    shares_.learn(open.assessed->payer, open.assessed->payer_class, open.share.month, open.share.chart,
                  open.share.allowed, open.share.paid);
  }
  if (all_clean && !open.answered_amounts && !label.denied()) {
    open.answered_amounts = true;
    open.graded_allowed = label.allowed.cents();
    auto& amounts = grades_.amounts;
    const std::int64_t error = std::abs(open.assessed->graded.allowed - label.allowed.cents());
    ++amounts.claims;
    amounts.within_one_percent += 100 * error <= label.allowed.cents();
    amounts.allowed_cents += label.allowed.cents();
    amounts.absolute_error_cents += error;
  }
  prices_.learn(priced, allowed);
}

/// Reverses what was learned after a first denial. The denial itself stays.
void State::take_back_rework(Open& open) {
  take_back_amounts(open);
  if (open.pair_paid)
    if (Pair* pair = pairs_.find(joined(joined(open.assessed->billing, open.assessed->servicer), open.assessed->payer)))
      pair->paid -= pair->paid > 0;
  open.pair_paid = false;
  charts_.take_back(open.assessed->chart, open.assessed->payer, open.assessed->servicer, open.chart_change);
  open.chart_change = {};
  if (open.cash <= 0) open.first_posted.reset();
}

/// Prices stay: a reversal does not mean that the payer prices otherwise.
void State::take_back_amounts(Open& open) {
  shares_.take_back(open.assessed->payer, open.assessed->payer_class, open.share.month, open.share.chart,
                    open.share.allowed, open.share.paid);
  open.share = {};
  if (!open.answered_amounts) return;
  open.answered_amounts = false;
  auto& amounts = grades_.amounts;
  const std::int64_t error = std::abs(open.assessed->graded.allowed - open.graded_allowed);
  --amounts.claims;
  amounts.within_one_percent -= 100 * error <= open.graded_allowed;
  amounts.allowed_cents -= open.graded_allowed;
  amounts.absolute_error_cents -= error;
}

}  // namespace tideover::estimators
