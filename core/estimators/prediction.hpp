// The prediction of the estimators for one claim. Every probability names its event, so that it can be checked against
// the outcome.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"
#include "core/estimators/amounts/patient_share.hpp"
#include "core/estimators/amounts/price.hpp"
#include "core/estimators/effects/blend.hpp"
#include "core/estimators/effects/delay.hpp"

namespace tideover::estimators {

/// H: the horizon within which a payment counts as paid in time, in calendar days from submission.
inline constexpr int kHorizonDays = 90;

/// A reason of a predicted denial.
struct Reason {
  std::string carc;
  std::string rule_id;              // empty: a record, not a rule
  Feature record = Feature::payer;  // the record, when there is no rule
  int share_bps = 0;                // its share of everything that raises the probability
};

struct Prediction {
  double p_denial = 0;  // P(denied at first response | the payer answers): all of it or at least half of the charge
  double p_denial_low = 0, p_denial_high = 0;  // 90 % interval of that probability
  bool denial_predicted = false;
  Features features{};
  std::array<double, kFeatures> contributions{};  // log odds that each feature adds to the blend
  std::vector<Reason> reasons;                    // at most 3, each with at least 15 %; the first is the strongest

  std::vector<LinePrice> lines;                // one per service line; one in all for a claim without lines
  domain::Money allowed;                       // if it adjudicates clean
  domain::Money expected_if_paid;              // E[payer cash | any is paid]
  domain::Money expected;                      // E[payer cash within kHorizonDays]
  domain::Money cash_q10, cash_q50, cash_q90;  // quantiles of payer cash within kHorizonDays
  int price_certainty_bps = 0;                 // charge-weighted P(within 1 % of allowed)

  domain::Date submitted;
  domain::Date expected_payment_date;  // a banking day
  double confidence = 0;               // P(a payment > 0 is posted on or before that day)
  double p_silent = 0;                 // P(no answer within kHorizonDays)
  double p_zero_cash = 0;              // P(the payer pays nothing | it adjudicates clean): the patient owes it all
  double p_final_nonpayment = 0;       // P(no payment within kHorizonDays)
  double p_recovery = 0;               // P(paid within kHorizonDays | denied at first response)

  /// P(a payment > 0 is posted on or before `day`).
  double p_paid_by(domain::Date day) const;
  /// Smallest T, in calendar days from submission, with P(posted within T | the first response pays) >= level.
  int quantile_days(double level) const;
  /// E[(advance - payer cash within kHorizonDays)+ / advance], non-recourse.
  double expected_loss(domain::Money advance) const;
  /// P(payer cash within kHorizonDays < amount), for an amount above 0; the basis of expected_loss().
  double p_cash_below(domain::Money amount) const;

  // The inputs of the functions above.
  double p_first = 0;                              // P(paid at first response, ever)
  double p_reworked = 0;                           // P(denied first and paid ever)
  std::array<float, kCalendarDays> first_by{};     // P(T <= t | paid at first response)
  std::array<float, kCalendarDays> reworked_by{};  // P(T <= t | denied first, then paid)
  ShareOdds share_odds{};                          // of the allowed amount, what the payer does not pay
};

}  // namespace tideover::estimators
