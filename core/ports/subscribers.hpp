// The webhook endpoints of a tenant that get an event.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/store.hpp"

namespace tideover::ports {

/// The enabled endpoints of the tenant.
inline std::vector<domain::WebhookEndpoint> enabled_endpoints(const Records& records, const domain::TenantId& tenant) {
  constexpr std::size_t kPage = 100;
  std::vector<domain::WebhookEndpoint> enabled;
  std::string after;
  while (true) {
    auto page = records.webhooks().list(tenant, {after, kPage});
    const bool last = page.size() < kPage;
    if (!last) after = page.back().id.text();
    for (auto& endpoint : page)
      if (endpoint.enabled) enabled.push_back(std::move(endpoint));
    if (last) return enabled;
  }
}

/// `text`: the event's data, or its envelope.
inline bool wants(const domain::WebhookEndpoint& endpoint, std::string_view kind, std::string_view text) {
  // A ping goes to its endpoint, whatever that subscribes to. The id in the event names it.
  if (kind == domain::kind_of(domain::Ping{}))
    return text.find('"' + endpoint.id.text() + '"') != std::string_view::npos;
  return endpoint.events.empty() ||
         std::find(endpoint.events.begin(), endpoint.events.end(), kind) != endpoint.events.end();
}

}  // namespace tideover::ports
