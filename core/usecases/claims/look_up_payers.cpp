#include "core/usecases/claims/look_up_payers.hpp"

#include <algorithm>

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

domain::Result<domain::PayerMatches> LookUpPayers::operator()(const PayerQuery& query) const {
  if (query.text.size() > 200) {
    Error error = Error::of(ErrorCode::invalid_parameter, "q must be at most 200 characters.");
    error.fields.push_back({"q", "must be at most 200 characters"});
    return error;
  }
  const auto systems = payers_.systems();
  if (std::find(systems.begin(), systems.end(), query.system) == systems.end()) {
    Error error = Error::of(ErrorCode::invalid_parameter, "system is not an identifier system of this service.")
                      .with_list("allowed", systems);
    error.fields.push_back({"system", "is not one of the allowed systems"});
    return error;
  }
  return payers_.search(query.text, query.system, query.after, query.limit);
}

domain::Result<domain::Payer> LookUpPayers::one(const std::string& payer_id) const {
  auto found = payers_.get(payer_id);
  if (!found) return found.error();
  if (!*found) return Error::of(ErrorCode::not_found, "Payer not found.");
  return std::move(**found);
}

}  // namespace tideover::usecases
