#include "core/usecases/rails/rail_checks.hpp"

#include <algorithm>

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

Error unknown_rail(ports::FundingRails& rails, const std::string& field) {
  std::vector<std::string> names;
  for (const auto* rail : rails.all()) names.push_back(rail->describe().rail);
  Error error =
      Error::of(ErrorCode::validation_error, field + " is not a rail of this service. Use one of the allowed rails.")
          .with_list("allowed", names);
  error.fields.push_back({field, "is not one of the allowed rails"});
  return error;
}

domain::Status check_rail_names(ports::FundingRails& rails, const std::optional<std::string>& rail,
                                const std::vector<std::string>& fallback, const std::string& prefix) {
  if (rail && !rails.find(*rail)) return unknown_rail(rails, prefix + "rail");
  for (const auto& name : fallback)
    if (!rails.find(name)) return unknown_rail(rails, prefix + "fallback");
  return {};
}

std::optional<Error> refusal_of_rail(const ports::RailDescription& rail, domain::Money advance) {
  if (rail.status == "suspended")
    return Error::of(ErrorCode::rail_unavailable, "The rail " + rail.rail + " is suspended. Use another rail.")
        .retry_after(60);
  // An advance is one payment: it is not split over several.
  if (!advance.is_zero() && (advance > rail.max_amount || advance < rail.min_amount))
    return Error::of(ErrorCode::rail_limit_exceeded,
                     "The advance is outside the limits of one payment over " + rail.rail + ". Use another rail.")
        .with("advance_amount", format_money(advance))
        .with("min_amount", format_money(rail.min_amount))
        .with("max_amount", format_money(rail.max_amount));
  return std::nullopt;
}

domain::Result<domain::FundingPlan> plan_for_day(ports::FundingRail& rail, std::optional<domain::Date> agreed,
                                                 domain::Timestamp now, bool strict) {
  auto plan = rail.plan(agreed, now, strict);
  if (plan || !agreed || plan.error().code != ErrorCode::invalid_desired_date) return plan;
  auto soonest = rail.plan(std::nullopt, now, false);
  if (!soonest || soonest->effective_date < *agreed) return plan;
  if (strict)
    return Error::of(ErrorCode::invalid_desired_date, "The rail " + rail.describe().rail +
                                                          " cannot pay on the agreed " + format_date(*agreed) +
                                                          " any more. Request another date.")
        .with("next_effective_date", format_date(soonest->effective_date));
  soonest->desired_date = agreed;
  soonest->adjusted = true;
  return soonest;
}

Error terms_rule_failed() {
  return Error::of(ErrorCode::rules_unavailable,
                   "A terms rule failed, so there are no terms to offer or to compare. Send the request again later.")
      .retry_after(60);
}

domain::Result<bool> has_same_terms(ports::RulePolicy& rules, const ports::TermsFacts& facts, const std::string& rail,
                                    const std::string& other) {
  const auto proposed_for = [&](const std::string& name) {
    ports::TermsFacts on_rail = facts;
    on_rail.rail = name;
    on_rail.explain = false;
    return rules.propose_terms(on_rail);
  };
  const auto one = proposed_for(rail), two = proposed_for(other);
  // A failed rule proposes nothing, and two failures are alike.
  if (!one.faults.empty() || !two.faults.empty()) return terms_rule_failed();
  return one.proposal.decision == two.proposal.decision && one.proposal.advance_bps == two.proposal.advance_bps &&
         one.proposal.fee_bps == two.proposal.fee_bps;
}

domain::Status check_fallback(ports::RulePolicy& rules, const ports::TermsFacts& facts, const std::string& rail,
                              const std::vector<std::string>& fallback, const std::string& field) {
  const auto faulty = [&](const std::string& name, const std::string& problem) {
    Error error = Error::of(ErrorCode::validation_error, field + " names " + name + ", which " + problem + '.');
    error.fields.push_back({field, problem});
    return error;
  };
  for (auto at = fallback.begin(); at != fallback.end(); ++at) {
    if (*at == rail) return faulty(*at, "is the rail that is tried first");
    if (std::find(fallback.begin(), at, *at) != at) return faulty(*at, "is named twice");
    const auto same = has_same_terms(rules, facts, rail, *at);
    if (!same) return same.error();
    if (!*same) return faulty(*at, "has other terms by the rules");
  }
  return {};
}

}  // namespace tideover::usecases
