// Parameters that rules set (rules/params.lua).
#pragma once

namespace tideover::estimators {

struct Policy {
  int denial_threshold_bps = 5000;  // denial_predicted at or above
  int date_quantile_bps = 8000;     // P(paid by the payment date | paid), at least
  int hard_rule_low_bps = 8000;     // a hard rule whose weight is surely above this predicts a denial alone
};

}  // namespace tideover::estimators
