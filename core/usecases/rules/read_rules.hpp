// Reads the live rules and the filed bundles, which are the same for all tenants. The figures of rules count claims of
// all tenants, so only the operator sees them.
//
// Threads: thread-safe; read-only.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ports/rules/rule_catalogue.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct RulesView {
  ports::RuleListing listing;                 // on this node
  std::optional<domain::LiveRules> live;      // on all nodes
  std::optional<domain::RuleBundle> waiting;  // the latest filed bundle, unless it is live: it waits or was rejected
};

class ReadRules {
 public:
  /// `operator_tenant`: its clients see the figures of rules over all tenants; empty: no client does.
  ReadRules(ports::Store& store, const ports::RuleCatalogue& catalogue, std::string operator_tenant)
      : store_(store), catalogue_(catalogue), operator_tenant_(std::move(operator_tenant)) {}

  domain::Result<RulesView> live(const domain::TenantId& tenant) const;
  /// Error not_found for an unknown rule id.
  domain::Result<ports::RuleEntry> one(const domain::TenantId& tenant, const std::string& rule_id) const;
  /// By the time of filing; one more than `limit` when there are more. `after`: the digest of the last bundle of the
  /// previous page. Error invalid_cursor for an unknown digest.
  domain::Result<std::vector<domain::RuleBundle>> bundles(const std::string& after, std::size_t limit,
                                                          domain::ListOrder order) const;

 private:
  domain::Result<ports::RuleListing> listing_for(const domain::TenantId& tenant) const;

  ports::Store& store_;
  const ports::RuleCatalogue& catalogue_;
  const std::string operator_tenant_;
};

}  // namespace tideover::usecases
