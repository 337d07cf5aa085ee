// What a payer's answer teaches: amounts, days, pairs of providers, charts.
#include <cstdlib>

#include "core/domain/basics/within.hpp"
#include "core/estimators/state.hpp"

namespace tideover::estimators {
namespace {

/// Adjustments that account for all that was not paid: then the allowed amount is known, not only what came.
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
  if (response.posted && days_between(open.told->submitted, *response.posted) <= kHorizonDays)
    open.cash_in_time += paid;
  if (label.outcome == Outcome::reversal) {
    // The payer's first word was a refusal, and stays one: what comes behind the reversal is rework.
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
    all_delay_.observe(*calendar_, open.told->submitted, *response.posted);
    class_delays_[static_cast<std::size_t>(open.told->payer_class)].observe(*calendar_, open.told->submitted,
                                                                            *response.posted);
    if (open.told->payer_index > 0) {
      Payer& payer = payers_[open.told->payer_index - 1];
      payer.places += delay_of(open.told->payer_index, open.told->payer_class)
                          .place_of(*calendar_, open.told->submitted, *response.posted);
      ++payer.placed;
      payer.delay->observe(*calendar_, open.told->submitted, *response.posted);
    }
  }
  count_pair(open, first_response, paid > 0);
  if (first_payment && open.denied) {
    const int day = domain::within(days_between(open.told->submitted, *response.posted), 0, kCalendarDays - 1);
    ++reworked_[static_cast<std::size_t>(open.told->payer_class)][static_cast<std::size_t>(day)];
    fit_reworked();
  }
  if (first_payment && open.told->payer_index > 0) {
    auto& days = payers_[open.told->payer_index - 1].days;
    const int took = days_between(open.told->submitted, *open.first_posted);
    ++days.paid;
    days.error += took - open.told->graded.days;
    days.absolute_error += std::abs(took - open.told->graded.days);
    days.in_time += *open.first_posted <= open.told->graded.payment_date;
  }
  const int share_class = label.outcome == Outcome::paid || label.outcome == Outcome::zero
                              ? PatientShares::chart_class(label.allowed.cents(), paid)
                              : 0;
  open.chart_change = charts_.answered(open.told->chart, open.told->payer,
                                       open.told->payer_index > 0 ? open.told->payer_index - 1 : 0, open.told->servicer,
                                       response.responded, open.told->serviced, label, first_response, share_class);
}

/// A claim counts as paid whenever its payer first pays anything of it, be it after a denial.
void State::count_pair(Open& open, bool is_answer, bool is_paid) {
  const bool is_first_pay = is_paid && !open.pair_paid;
  if (!is_answer && !is_first_pay) return;
  auto& pair = pairs_.at(joined(joined(open.told->billing, open.told->servicer), open.told->payer),
                         [](const Pair& p) { return p.responses; });
  pair.responses += is_answer;
  pair.paid += is_first_pay;
  open.pair_paid = open.pair_paid || is_paid;
}

void State::learn_amounts(Open& open, const std::vector<PricedLine>& lines, const domain::RemittanceClaim& answer,
                          const Label& label) {
  PricedClaim priced;
  priced.payer = open.told->payer;
  priced.payer_class = open.told->payer_class;
  priced.billing = open.told->billing;
  priced.facility = open.told->facility;
  priced.period = fee_period_of(open.told->serviced);
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
    // The whole answer is about the only line, where there is one.
    const bool is_one_line = lines.size() == 1 && lines.front().charge == open.told->amount && balances(answer);
    priced.lines.push_back(is_one_line ? lines.front() : PricedLine{0, 0, 1000, open.told->amount, 0});
    all_clean = label.outcome == Outcome::paid || label.outcome == Outcome::zero;
    allowed.push_back(all_clean && (lines.empty() || is_one_line) ? label.allowed.cents() : -1);
  }
  // What a clean answer would have allowed: remembered prices for the lines that were refused.
  if (!label.denied()) {
    std::vector<LinePrice> prices;
    if (!all_clean) prices_.price(priced, prices);
    for (std::size_t i = 0; i < allowed.size(); ++i)
      clean_allowed += allowed[i] >= 0 ? allowed[i] : i < prices.size() ? prices[i].allowed.cents() : 0;
    if (!by_line) clean_allowed = label.allowed.cents();
    open.share = {clean_allowed, label.paid.cents(), static_cast<int>(open.told->serviced.ymd().month),
                  open.told->chart_share};
    shares_.learn(open.told->payer, open.told->payer_class, open.share.month, open.share.chart, open.share.allowed,
                  open.share.paid);
  }
  if (all_clean && !open.answered_amounts && !label.denied()) {
    open.answered_amounts = true;
    open.graded_allowed = label.allowed.cents();
    auto& amounts = grades_.amounts;
    const std::int64_t error = std::abs(open.told->graded.allowed - label.allowed.cents());
    ++amounts.claims;
    amounts.within_one_percent += 100 * error <= label.allowed.cents();
    amounts.allowed_cents += label.allowed.cents();
    amounts.absolute_error_cents += error;
  }
  prices_.learn(priced, allowed);
}

/// Of a claim that was refused first: what was said and paid since is taken back, the denial stays.
void State::take_back_rework(Open& open) {
  take_back_amounts(open);
  if (open.pair_paid)
    if (Pair* pair = pairs_.find(joined(joined(open.told->billing, open.told->servicer), open.told->payer)))
      pair->paid -= pair->paid > 0;
  open.pair_paid = false;
  charts_.take_back(open.told->chart, open.told->payer, open.told->servicer, open.chart_change);
  open.chart_change = {};
  if (open.cash <= 0) open.first_posted.reset();
}

/// Prices stay: that the payer took its answer back does not say that it prices otherwise.
void State::take_back_amounts(Open& open) {
  shares_.take_back(open.told->payer, open.told->payer_class, open.share.month, open.share.chart, open.share.allowed,
                    open.share.paid);
  open.share = {};
  if (!open.answered_amounts) return;
  open.answered_amounts = false;
  auto& amounts = grades_.amounts;
  const std::int64_t error = std::abs(open.told->graded.allowed - open.graded_allowed);
  --amounts.claims;
  amounts.within_one_percent -= 100 * error <= open.graded_allowed;
  amounts.allowed_cents -= open.graded_allowed;
  amounts.absolute_error_cents -= error;
}

}  // namespace tideover::estimators
