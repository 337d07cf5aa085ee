#include "core/usecases/rules/read_rules.hpp"

#include <algorithm>

#include "core/usecases/request/operator_tenant.hpp"

namespace tideover::usecases {

domain::Result<ports::RuleListing> ReadRules::listing_for(const domain::TenantId& tenant) const {
  const auto sees_counts =
      fetch(store_, [&](const ports::Records& records) { return is_operator(records, tenant, operator_tenant_); });
  if (!sees_counts) return sees_counts.error();
  auto listing = catalogue_.list_rules();
  if (!*sees_counts)
    for (auto& rule : listing.rules) rule.counts.reset();
  return listing;
}

domain::Result<RulesView> ReadRules::live(const domain::TenantId& tenant) const {
  auto listing = listing_for(tenant);
  if (!listing) return listing.error();
  auto view = fetch(store_, [](const ports::Records& records) {
    RulesView read{{}, records.rules().live(), {}};
    const auto latest = records.rules().list(1);
    if (!latest.empty() && latest.front().state != domain::BundleState::live &&
        latest.front().state != domain::BundleState::retired)
      read.waiting = latest.front();
    return read;
  });
  if (view) view->listing = std::move(*listing);
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

domain::Result<std::vector<domain::RuleBundle>> ReadRules::bundles(const std::string& after, std::size_t limit,
                                                                   domain::ListOrder order) const {
  using Page = std::vector<domain::RuleBundle>;
  auto unknown = domain::Error::of(domain::ErrorCode::invalid_cursor,
                                   "cursor was not issued by this service. Use next_cursor of the previous page.");
  return fetch(store_, std::move(unknown), [&](const ports::Records& records) -> std::optional<Page> {
    const auto last = after.empty() ? std::nullopt : records.rules().find(after);
    if (!after.empty() && !last) return std::nullopt;
    return records.rules().list(limit + 1, last ? &*last : nullptr, order);
  });
}

}  // namespace tideover::usecases
