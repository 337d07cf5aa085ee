#include "core/http/wire/reviews/funding_json.hpp"

namespace tideover::wire {

usecases::FundingChange decode_funding_change(const json::Value& body, Faults& faults) {
  usecases::FundingChange change;
  ObjectReader in(body, "", faults);
  change.rail = in.text("rail");
  change.desired_date = in.date("desired_date");
  const auto token = in.short_text("payout_account_token", 255);
  if (token && token->empty()) in.fault("payout_account_token", "must not be empty; leave it out to keep the account");
  change.payout_account_token = domain::Sensitive(token.value_or(""));
  if (in.array("fallback")) change.fallback = in.texts("fallback");
  if (!change.rail && !change.desired_date && !token && !change.fallback)
    in.fault("rail", "or desired_date, payout_account_token or fallback is required");
  in.finish();
  return change;
}

}  // namespace tideover::wire
