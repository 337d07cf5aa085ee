// GET /v1/tasks, GET /v1/tasks/{task_id}, POST /v1/tasks/{task_id}/decide and /undo
#include "core/http/entity_tags.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/operations/task_json.hpp"

namespace tideover::http {

void add_task_routes(RouteTable& routes, const usecases::ReadTasks& tasks, usecases::DecideTask& decide) {
  using domain::Scope;
  routes.add({"GET", "/v1/tasks", Scope::tasks_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto found = tasks.list(context.request_context.caller.tenant,
                                              {context.query_text("status"), context.query_text("kind"),
                                               context.query_text("object_id"), page->rows()});
                if (!found) return found.error();
                return Reply{wire::encode_tasks(*found, *page)};
              }},
             ordered({"status", "kind", "object_id"}));
  routes.add({"GET", "/v1/tasks/{task_id}", Scope::tasks_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto explain = explain_of(context);
                if (!explain) return explain.error();
                const auto view = tasks.view(context.request_context.caller.tenant, context.path[0]);
                if (!view) return view.error();
                Reply shown{wire::encode_task_view(*view, *explain)};
                return *explain ? shown : tagged_for_change(std::move(shown));
              }},
             {"explain"});
  routes.add({"POST", "/v1/tasks/{task_id}/decide", Scope::tasks_decide, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                auto decision = read_body(context, wire::decode_task_decision);
                if (!decision) return decision.error();
                auto expected = expected_content<usecases::TaskView>(
                    context.request.headers,
                    [](const usecases::TaskView& view) { return wire::encode_task_view(view, false); });
                if (!expected) return expected.error();
                decision->expected = std::move(*expected);
                return reply(decide(context.request_context, context.path[0], *decision, wire::encode_task));
              }});
  routes.add({"POST", "/v1/tasks/{task_id}/undo", Scope::tasks_decide, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto reason = read_body(context, wire::decode_undo_reason);
                if (!reason) return reason.error();
                return reply(decide.undo(context.request_context, context.path[0], *reason, wire::encode_task));
              }});
}

}  // namespace tideover::http
