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

namespace {

Error unfit_fallback(const std::string& field, const std::string& rail, const std::string& problem) {
  Error error = Error::of(ErrorCode::validation_error, field + " names " + rail + ", which " + problem + '.');
  error.fields.push_back({field, problem});
  return error;
}

}  // namespace

domain::Status check_rails(ports::FundingRails& rails, const std::string& rail,
                           const std::vector<std::string>& fallback, const std::string& path) {
  const std::string field = path + "fallback";
  std::optional<Error> refusal;
  if (!rail.empty() && !rails.find(rail)) refusal = unknown_rail(rails, path + "rail");
  for (auto at = fallback.begin(); at != fallback.end(); ++at) {
    std::optional<Error> unfit;
    if (!rails.find(*at))
      unfit = unknown_rail(rails, field);
    else if (*at == rail)
      unfit = unfit_fallback(field, *at, "is the rail that is tried first");
    else if (std::find(fallback.begin(), at, *at) != at)
      unfit = unfit_fallback(field, *at, "is named twice");
    if (!unfit) continue;
    if (!refusal) return *unfit;
    refusal->message += ' ' + unfit->message;
    refusal->fields.push_back(std::move(unfit->fields.front()));
    break;
  }
  return refusal ? domain::Status(std::move(*refusal)) : domain::Status();
}

domain::Status check_fallback(ports::FundingRails& rails, ports::RulePolicy& rules, const ports::TermsFacts& facts,
                              const std::string& rail, const std::vector<std::string>& fallback,
                              const std::string& path) {
  if (auto known = check_rails(rails, rail, fallback, path); !known) return known.error();
  for (const auto& name : fallback) {
    const auto same = has_same_terms(rules, facts, rail, name);
    if (!same) return same.error();
    if (!*same) return unfit_fallback(path + "fallback", name, "has other terms by the rules");
  }
  return {};
}

}  // namespace tideover::usecases
