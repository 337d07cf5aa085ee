// Rules that decided once, to ask them again. Thread-safe.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/ports/rules/rule_policy.hpp"

namespace tideover::ports {

/// A bundle that was made of another one, as it may be filed.
struct EditedRules {
  std::string sha256;
  std::string version;
  std::string files;
};

class RuleLibrary {
 public:
  virtual ~RuleLibrary() = default;
  /// `sha256`: of the bundle, or its first digits. Error not_found for a bundle that was never filed or is not unique;
  /// invalid_state for one that this program cannot use.
  virtual domain::Result<std::shared_ptr<RulePolicy>> open(std::string_view sha256) = 0;
  /// The bundle of this digest with one rule in shadow mode, or out of it; its rev is one higher. Compiled, its cases
  /// passed. Error not_found for a rule that it does not have; invalid_state where the rule has that mode, or where the
  /// rules cannot be used so.
  virtual domain::Result<EditedRules> with_shadow(std::string_view sha256, const std::string& rule_id,
                                                  bool is_shadow) = 0;
};

}  // namespace tideover::ports
