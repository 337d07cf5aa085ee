// The filed rule bundles, the live one, and the actions of operators on them. The same for all tenants and nodes.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/domain/basics/list_page.hpp"
#include "core/domain/reviews/rule_bundle.hpp"

namespace tideover::ports {

class RuleRecords {
 public:
  virtual ~RuleRecords() = default;

  /// A known bundle is a unique violation.
  virtual void insert(const domain::RuleBundle& bundle) = 0;
  /// Writes state, reason, files, the actors and their times if the row is still in `expected`. False: another writer
  /// was first.
  virtual bool update(const domain::RuleBundle& bundle, domain::BundleState expected) = 0;
  virtual std::optional<domain::RuleBundle> find(std::string_view sha256) const = 0;
  /// Bundles whose digest starts so, without their files; at most `limit`.
  virtual std::vector<domain::RuleBundle> find_by_prefix(std::string_view prefix, std::size_t limit) const = 0;
  /// By the time of filing, without their files; after `after`, if given.
  virtual std::vector<domain::RuleBundle> list(std::size_t limit, const domain::RuleBundle* after = nullptr,
                                               domain::ListOrder order = domain::ListOrder::newest_first) const = 0;

  virtual std::optional<domain::LiveRules> live() const = 0;
  /// For a start without live rules. A second live row is a unique violation.
  virtual void insert_live(const domain::LiveRules& live) = 0;
  /// If the row still has `expected_generation`. False: another writer was first.
  virtual bool update_live(const domain::LiveRules& live, std::int64_t expected_generation) = 0;

  virtual void append(const domain::RuleActRecord& act) = 0;
  /// Newest first.
  virtual std::vector<domain::RuleActRecord> history(std::size_t limit) const = 0;
};

}  // namespace tideover::ports
