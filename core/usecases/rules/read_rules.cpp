#include "core/usecases/rules/read_rules.hpp"

#include <algorithm>

#include "core/usecases/request/operator_tenant.hpp"

namespace tideover::usecases {

domain::Result<ports::RuleListing> ReadRules::listing_for(const domain::TenantId& tenant) const {
  bool sees_counts = false;
  const auto read =
      store_.read([&](const ports::Records& records) { sees_counts = is_operator(records, tenant, operator_tenant_); });
  if (!read) return read.error();
  auto listing = catalogue_.list_rules();
  if (!sees_counts)
    for (auto& rule : listing.rules) rule.counts.reset();
  return listing;
}

domain::Result<RulesView> ReadRules::live(const domain::TenantId& tenant) const {
  auto listing = listing_for(tenant);
  if (!listing) return listing.error();
  RulesView view{std::move(*listing), {}, {}};
  const auto read = store_.read([&](const ports::Records& records) {
    view.live = records.rules().live();
    const auto latest = records.rules().list(1);
    view.waiting.reset();
    if (!latest.empty() && latest.front().state != domain::BundleState::live &&
        latest.front().state != domain::BundleState::retired)
      view.waiting = latest.front();
  });
  if (!read) return read.error();
  return view;
}

domain::Result<ports::RuleEntry> ReadRules::one(const domain::TenantId& tenant, const std::string& rule_id) const {
  auto listing = listing_for(tenant);
  if (!listing) return listing.error();
  const auto found = std::find_if(listing->rules.begin(), listing->rules.end(),
                                  [&](const auto& rule) { return rule.rule_id == rule_id; });
  if (found == listing->rules.end()) return domain::Error::of(domain::ErrorCode::not_found, "Rule not found.");
  return std::move(*found);
}

domain::Result<std::vector<domain::RuleBundle>> ReadRules::bundles(const std::string& after, std::size_t limit) const {
  std::vector<domain::RuleBundle> bundles;
  bool is_known = true;
  const auto read = store_.read([&](const ports::Records& records) {
    const auto last = after.empty() ? std::nullopt : records.rules().find(after);
    is_known = after.empty() || last;
    if (is_known) bundles = records.rules().list(limit + 1, last ? &*last : nullptr);
  });
  if (!read) return read.error();
  if (!is_known)
    return domain::Error::of(domain::ErrorCode::invalid_cursor,
                             "cursor was not issued by this service. Use next_cursor of the previous page.");
  return bundles;
}

}  // namespace tideover::usecases
