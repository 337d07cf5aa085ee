// The rules that decide, and the bundles that were filed. The same for all tenants.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ports/rule_catalogue.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct RulesView {
  ports::RuleListing listing;                    // of this node
  std::optional<domain::LiveRules> live;         // of all nodes
  std::optional<domain::RuleBundle> waiting;     // the latest one filed, if it is not live: it waits, or was rejected
};

class ReadRules {
 public:
  ReadRules(ports::Store& store, const ports::RuleCatalogue& catalogue) : store_(store), catalogue_(catalogue) {}

  domain::Result<RulesView> live() const;
  /// Error not_found for an id that no rule has.
  domain::Result<ports::RuleEntry> one(const std::string& rule_id) const;
  /// The latest first; one more than `limit` where there are more. `after`: the digest behind which to go on; Error invalid_cursor for one that is none.
  domain::Result<std::vector<domain::RuleBundle>> bundles(const std::string& after, std::size_t limit) const;

 private:
  ports::Store& store_;
  const ports::RuleCatalogue& catalogue_;
};

}  // namespace tideover::usecases
