// The rules that decide, and the bundles that were filed: the same for all tenants. What rules did counts claims of
// all; the operator alone sees that.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ports/rules/rule_catalogue.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct RulesView {
  ports::RuleListing listing;                 // of this node
  std::optional<domain::LiveRules> live;      // of all nodes
  std::optional<domain::RuleBundle> waiting;  // the latest one filed, if it is not live: it waits, or was rejected
};

class ReadRules {
 public:
  /// `operator_tenant`: whose clients see what rules did to the claims of all tenants; empty: nobody's.
  ReadRules(ports::Store& store, const ports::RuleCatalogue& catalogue, std::string operator_tenant)
      : store_(store), catalogue_(catalogue), operator_tenant_(std::move(operator_tenant)) {}

  domain::Result<RulesView> live(const domain::TenantId& tenant) const;
  /// Error not_found for an id that no rule has.
  domain::Result<ports::RuleEntry> one(const domain::TenantId& tenant, const std::string& rule_id) const;
  /// The latest first; one more than `limit` where there are more. `after`: the digest behind which to go on; Error
  /// invalid_cursor for one that is none.
  domain::Result<std::vector<domain::RuleBundle>> bundles(const std::string& after, std::size_t limit) const;

 private:
  domain::Result<ports::RuleListing> listing_for(const domain::TenantId& tenant) const;

  ports::Store& store_;
  const ports::RuleCatalogue& catalogue_;
  const std::string operator_tenant_;
};

}  // namespace tideover::usecases
