// Rules that were live once, to evaluate them again. Thread-safe.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/ports/rules/rule_policy.hpp"

namespace tideover::ports {

/// A bundle that was made from another one, ready to be filed.
struct EditedRules {
  std::string sha256;
  std::string version;
  std::string files;
};

class RuleLibrary {
 public:
  virtual ~RuleLibrary() = default;
  /// `sha256`: of the bundle, or its first digits. Error not_found for an unknown or ambiguous bundle, invalid_state
  /// for one that this program cannot use.
  virtual domain::Result<std::shared_ptr<RulePolicy>> open(std::string_view sha256) = 0;
  /// The bundle with one rule moved into or out of shadow mode and the next rev. It compiled, and its cases passed.
  /// Error not_found for an unknown rule, invalid_state when the rule has that mode or the result is unusable.
  virtual domain::Result<EditedRules> with_shadow(std::string_view sha256, const std::string& rule_id,
                                                  bool is_shadow) = 0;
};

}  // namespace tideover::ports
