// The tenant's published events, and how they are delivered once more (core/docs/contract.md#webhooks).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct EventQuery {
  std::string kind;  // empty = all
  std::int64_t after_sequence = 0;
  std::size_t limit = 25;
};

/// Days in UTC, both inclusive, of what happened; no types means all.
struct Replay {
  domain::Date from, to;
  std::vector<std::string> types;
};

/// What will be sent again.
struct Redelivery {
  int events = 0;
  int deliveries = 0;  // one for each endpoint that wants the event; those that wait to be tried anyway are not counted
};

class Events {
 public:
  /// More events at once are asked for in shorter periods.
  static constexpr std::size_t kMostReplayed = 5'000;

  Events(ports::Store& store, ports::IdSource& ids) : store_(store), ids_(ids) {}

  /// In the order of their sequence. Error invalid_parameter for a kind that does not exist.
  domain::Result<std::vector<ports::PublishedEvent>> list(const domain::TenantId& tenant,
                                                          const EventQuery& query) const;
  /// Error not_found; also of one that is not published yet.
  domain::Result<ports::PublishedEvent> one(const domain::TenantId& tenant, const std::string& event_id) const;
  /// The same id and bytes, to every enabled endpoint that wants the event by now.
  domain::Result<StoredResponse> redeliver(const RequestContext& context, const std::string& event_id,
                                           const Render<Redelivery>& render);
  domain::Result<StoredResponse> replay(const RequestContext& context, const Replay& replay,
                                        const Render<Redelivery>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
