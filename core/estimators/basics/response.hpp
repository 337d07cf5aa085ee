// A payer's answer to one claim, on the day of observation.
#pragma once
#include <optional>
#include <string>

#include "core/domain/basics/date.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::estimators {

struct Response {
  std::string claim_id;
  domain::Date responded;              // the 835 arrives
  std::optional<domain::Date> posted;  // the money is posted; nullopt when there is none
  domain::RemittanceClaim remittance;
};

}  // namespace tideover::estimators
