// A record that waits for its other half: a deposit for its remittance, or a remittance for its deposit.
#pragma once
#include <string>

#include "core/domain/basics/id.hpp"

namespace tideover::ports {

/// Ordered by `since`, then id.
struct Waiting {
  domain::Timestamp since;
  std::string id;  // of a deposit or a remittance
  domain::TenantId tenant;
};

}  // namespace tideover::ports
