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

bool has_same_terms(ports::RulePolicy& rules, const ports::TermsFacts& facts, const std::string& rail,
                    const std::string& other) {
  const auto proposed_for = [&](const std::string& name) {
    ports::TermsFacts on_rail = facts;
    on_rail.rail = name;
    on_rail.explain = false;
    return rules.propose_terms(on_rail).proposal;
  };
  const auto one = proposed_for(rail), two = proposed_for(other);
  return one.decision == two.decision && one.advance_bps == two.advance_bps && one.fee_bps == two.fee_bps;
}

domain::Status check_fallback(ports::FundingRails& rails, ports::RulePolicy& rules, const ports::TermsFacts& facts,
                              const std::string& rail, const std::vector<std::string>& fallback,
                              const std::string& field) {
  const auto faulty = [&](const std::string& name, const std::string& problem) {
    Error error = Error::of(ErrorCode::validation_error, field + " names " + name + ", which " + problem + '.');
    error.fields.push_back({field, problem});
    return error;
  };
  for (auto at = fallback.begin(); at != fallback.end(); ++at) {
    if (!rails.find(*at)) return unknown_rail(rails, field);
    if (*at == rail) return faulty(*at, "is the rail that is tried first");
    if (std::find(fallback.begin(), at, *at) != at) return faulty(*at, "is named twice");
    if (!has_same_terms(rules, facts, rail, *at)) return faulty(*at, "has other terms by the rules");
  }
  return {};
}

}  // namespace tideover::usecases
