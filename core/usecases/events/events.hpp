// Reads the tenant's published events, and sends them again (core/docs/contract.md#webhooks).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct EventQuery {
  std::string kind;  // empty: all
  std::int64_t after_sequence = 0;
  std::size_t limit = 25;
};

/// Days in UTC, both inclusive, on which the events happened. No types: all types.
struct Replay {
  domain::Date from, to;
  std::vector<std::string> types;
};

/// What will be sent again.
struct Redelivery {
  int events = 0;
  int deliveries = 0;  // one per endpoint and event; not those that are due or in progress anyway
};

class Events {
 public:
  /// The limit per request; for more events, request shorter periods.
  static constexpr std::size_t kMostReplayed = 5'000;

  Events(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}

  /// Ordered by sequence. Error invalid_parameter for an unknown kind.
  domain::Result<std::vector<ports::PublishedEvent>> list(const domain::TenantId& tenant,
                                                          const EventQuery& query) const;
  /// Error not_found, also for an event that is not published yet.
  domain::Result<ports::PublishedEvent> one(const domain::TenantId& tenant, const std::string& event_id) const;
  /// Sends the same id and bytes again, to every enabled endpoint that subscribes to the event now.
  domain::Result<StoredResponse> redeliver(const RequestContext& context, const std::string& event_id,
                                           const Render<Redelivery>& render);
  /// Refuses kinds that do not exist and a period that ends before it begins, as `replay` does.
  static domain::Status check(const Replay& replay);
  domain::Result<StoredResponse> replay(const RequestContext& context, const Replay& replay,
                                        const Render<Redelivery>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
