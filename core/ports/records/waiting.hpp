// What waits for its other half: money for the notice that announces it, a remittance for its money.
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
