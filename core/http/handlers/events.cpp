// GET /v1/events, GET /v1/events/{event_id}, POST /v1/events/{event_id}/redeliver, POST /v1/events/replay
#include <charconv>

#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/operations/event_log_json.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

/// A sequence number of 0 or more.
std::optional<std::int64_t> sequence_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

domain::Result<usecases::EventQuery> event_query_of(const Context& context, const Page& page) {
  const auto after = sequence_of(context.query_text("after_sequence", "0"));
  if (!after) {
    auto refusal = Error::of(ErrorCode::invalid_parameter,
                             "after_sequence is not valid. Use the sequence of an event, a whole number.");
    refusal.fields.push_back({"after_sequence", "must be a whole number of 0 or more"});
    return refusal;
  }
  const auto cursor = page.after.empty() ? after : sequence_of(page.after);
  if (!cursor) return invalid_cursor();
  return usecases::EventQuery{context.query_text("type"), std::max(*after, *cursor), page.limit + 1};
}

}  // namespace

void add_event_routes(RouteTable& routes, usecases::Events& events) {
  using domain::Scope;
  routes.add({"GET", "/v1/events", Scope::events_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto query = event_query_of(context, *page);
                if (!query) return query.error();
                const auto found = events.list(context.request_context.caller.tenant, *query);
                if (!found) return found.error();
                return Reply{wire::encode_events(*found, *page)};
              }},
             paged({"type", "after_sequence"}));
  routes.add({"GET", "/v1/events/{event_id}", Scope::events_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto event = events.one(context.request_context.caller.tenant, context.path[0]);
                if (!event) return event.error();
                return Reply{event->body};
              }});
  routes.add({"POST", "/v1/events/replay", Scope::webhooks_manage, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto replay = read_body(context, wire::decode_replay, &usecases::Events::check);
                if (!replay) return replay.error();
                return reply(events.replay(context.request_context, *replay, wire::encode_redelivery));
              }});
  routes.add({"POST", "/v1/events/{event_id}/redeliver", Scope::webhooks_manage, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                return reply(events.redeliver(context.request_context, context.path[0], wire::encode_redelivery));
              }});
}

}  // namespace tideover::http
