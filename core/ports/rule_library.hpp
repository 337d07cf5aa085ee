// Rules that decided once, to ask them again. Thread-safe.
#pragma once
#include <memory>
#include <string_view>

#include "core/ports/rule_policy.hpp"

namespace tideover::ports {

class RuleLibrary {
 public:
  virtual ~RuleLibrary() = default;
  /// `sha256`: of the bundle, or its first digits. Error not_found for a bundle that was never filed or is not unique; invalid_state for one that
  /// this program cannot use.
  virtual domain::Result<std::shared_ptr<RulePolicy>> open(std::string_view sha256) = 0;
};

}  // namespace tideover::ports
