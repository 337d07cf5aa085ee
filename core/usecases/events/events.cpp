#include "core/usecases/events/events.hpp"

#include <algorithm>

#include "core/ports/subscribers.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

Error no_event() {
  return Error::of(ErrorCode::not_found, "Event not found. It may have been removed after its retention time.");
}

std::optional<Error> fault_of(const std::vector<std::string>& kinds, const char* parameter, ErrorCode code) {
  const auto& known = domain::event_kinds();
  if (std::all_of(kinds.begin(), kinds.end(),
                  [&](const auto& kind) { return std::find(known.begin(), known.end(), kind) != known.end(); }))
    return std::nullopt;
  auto error = Error::of(code, std::string(parameter) + " has an unknown kind of event.");
  error.fields.push_back({parameter, "names an unknown kind"});
  error.lists.push_back({"allowed", {known.begin(), known.end()}});
  return error;
}

domain::Timestamp start_of(domain::Date day) {
  return domain::Timestamp::from_ms(day.days() * std::int64_t{86'400'000});
}

Redelivery deliver_again(ports::Records& records, const domain::TenantId& tenant,
                         const std::vector<ports::PublishedEvent>& events, domain::Timestamp now) {
  Redelivery done;
  const auto endpoints = ports::enabled_endpoints(records, tenant);
  for (const auto& event : events) {
    ++done.events;
    for (const auto& endpoint : endpoints)
      if (ports::wants(endpoint, event.kind, event.body) &&
          records.events().deliver_again(tenant, event.id, endpoint.id, now))
        ++done.deliveries;
  }
  return done;
}

}  // namespace

domain::Result<std::vector<ports::PublishedEvent>> Events::list(const domain::TenantId& tenant,
                                                                const EventQuery& query) const {
  if (!query.kind.empty())
    if (auto fault = fault_of({query.kind}, "type", ErrorCode::invalid_parameter)) return *fault;
  return fetch(store_, [&](const ports::Records& records) {
    return records.events().list(tenant, query.kind, query.after_sequence, query.limit);
  });
}

domain::Result<ports::PublishedEvent> Events::one(const domain::TenantId& tenant, const std::string& event_id) const {
  const auto id = domain::EventId::parse(event_id);
  if (!id) return no_event();
  return fetch(store_, no_event(), [&](const ports::Records& records) { return records.events().find(tenant, *id); });
}

domain::Result<StoredResponse> Events::redeliver(const RequestContext& context, const std::string& event_id,
                                                 const Render<Redelivery>& render) {
  const auto id = domain::EventId::parse(event_id);
  if (!id) return no_event();
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto event = records.events().find(context.caller.tenant, *id);
    if (!event) return no_event();
    body = render(deliver_again(records, context.caller.tenant, {*event}, context.now));
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Status Events::check(const Replay& replay) {
  auto refusal = fault_of(replay.types, "types", ErrorCode::validation_error)
                     .value_or(Error::of(ErrorCode::validation_error, "The period ends before it begins."));
  if (replay.to < replay.from) refusal.fields.push_back({"to", "must not be before `from`"});
  return refusal.fields.empty() ? domain::Status() : domain::Status(std::move(refusal));
}

domain::Result<StoredResponse> Events::replay(const RequestContext& context, const Replay& replay,
                                              const Render<Redelivery>& render) {
  if (auto fit = check(replay); !fit) return fit.error();
  std::string body;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        const auto events = records.events().between(context.caller.tenant, start_of(replay.from),
                                                     start_of(replay.to.plus(1)), replay.types, kMostReplayed + 1);
        if (events.size() > kMostReplayed) {
          auto error = Error::of(ErrorCode::validation_error,
                                 "The period has more events than one replay sends. Request fewer days or types.")
                           .with("most", std::to_string(kMostReplayed));
          error.fields.push_back({"from", "the period holds too many events"});
          return error;
        }
        body = render(deliver_again(records, context.caller.tenant, events, context.now));
        leave_trace(records, context, ids_, "events", body);
        return {};
      },
      ports::Priority::background);
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
