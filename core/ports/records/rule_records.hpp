// The bundles of rules that were filed, which one decides, and who did what about them. The same for all tenants and
// nodes.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/reviews/rule_bundle.hpp"

namespace tideover::ports {

class RuleRecords {
 public:
  virtual ~RuleRecords() = default;

  /// A bundle that is there already is a unique violation.
  virtual void insert(const domain::RuleBundle& bundle) = 0;
  /// Writes state, reason, files, who filed and approved it, and when, where the row is still in `expected`; false =
  /// somebody was first.
  virtual bool update(const domain::RuleBundle& bundle, domain::BundleState expected) = 0;
  virtual std::optional<domain::RuleBundle> find(std::string_view sha256) const = 0;
  /// Those whose digest begins so, without their files; at most `limit`.
  virtual std::vector<domain::RuleBundle> find_by_prefix(std::string_view prefix, std::size_t limit) const = 0;
  /// The latest first, without their files; those behind `after`, where there is one.
  virtual std::vector<domain::RuleBundle> list(std::size_t limit, const domain::RuleBundle* after = nullptr) const = 0;

  virtual std::optional<domain::LiveRules> live() const = 0;
  /// Where nothing has ever decided; something that does is a unique violation.
  virtual void insert_live(const domain::LiveRules& live) = 0;
  /// Where the row still has `expected_generation`; false = somebody was first.
  virtual bool update_live(const domain::LiveRules& live, std::int64_t expected_generation) = 0;

  virtual void append(const domain::RuleActRecord& act) = 0;
  /// The latest first.
  virtual std::vector<domain::RuleActRecord> history(std::size_t limit) const = 0;
};

}  // namespace tideover::ports
