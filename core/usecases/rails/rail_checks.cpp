#include "core/usecases/rails/rail_checks.hpp"

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

}  // namespace tideover::usecases
