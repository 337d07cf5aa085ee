#include "core/events/publisher.hpp"

#include <map>

#include "core/domain/basics/api_version.hpp"
#include "core/events/envelope.hpp"
#include "core/faults/crash_point.hpp"
#include "core/ports/subscribers.hpp"

namespace tideover::events {
namespace {

/// The tenant data for publishing, read once per batch.
struct TenantState {
  std::int64_t last_sequence = 0;
  std::vector<domain::WebhookEndpoint> endpoints;
};

/// A batch in the form in which it is stored.
struct Prepared {
  std::vector<ports::PublishedEvent> events;
  std::vector<ports::Delivery> deliveries;
};

}  // namespace

domain::Result<Published> Publisher::publish_batch() {
  // The batch is read and rendered without blocking writers. If another publisher takes the same events, it uses their
  // sequence numbers, and this unit fails as a conflict.
  const auto read = fetch(store_, [&](const ports::Records& records) {
    Prepared prepared;
    const EnvelopeContext context{domain::name_of(options_.environment), domain::kApiVersion};
    const auto first_pause_ms = std::int64_t{options_.retries.delays_s.front()} * 1000;
    std::map<domain::TenantId, TenantState> tenants;
    for (const auto& event : records.events().unpublished(kBatch)) {
      auto [state, is_new] = tenants.try_emplace(event.tenant);
      if (is_new)
        state->second = {records.events().last_sequence(event.tenant), ports::enabled_endpoints(records, event.tenant)};
      const std::int64_t sequence = ++state->second.last_sequence;
      prepared.events.push_back(
          {event.tenant, event.id, event.kind, sequence, envelope(event, sequence, context), event.created_at});
      for (const auto& endpoint : state->second.endpoints) {
        if (!ports::wants(endpoint, event.kind, event.data)) continue;
        ports::Delivery delivery;
        delivery.tenant = event.tenant;
        delivery.event = event.id;
        delivery.endpoint = endpoint.id;
        delivery.next_try_at = now_of(clock_, event.tenant).plus_ms(first_pause_ms);
        delivery.kind = event.kind;
        prepared.deliveries.push_back(std::move(delivery));
      }
    }
    return prepared;
  });
  if (!read) return read.error();
  const Prepared& prepared = *read;
  if (prepared.events.empty()) return Published{};

  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        records.events().publish(prepared.events);
        faults::crash_point("event.published");
        for (const auto& delivery : prepared.deliveries) records.events().insert_delivery(delivery);
        return {};
      },
      ports::Priority::background);
  faults::crash_point("event.batch_published");
  if (!done) return done.error();
  return Published{prepared.events.size(), prepared.deliveries.size()};
}

}  // namespace tideover::events
