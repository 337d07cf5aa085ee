// GET /v1/rules, /v1/rules/bundles, /v1/rules/{rule_id}; POST /v1/rules/promote, approve, rollback, shadow
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/operations/rules_json.hpp"

namespace tideover::http {

void add_rule_routes(RouteTable& routes, const usecases::ReadRules& rules) {
  routes.add(
      {"GET", "/v1/rules", domain::Scope::rules_read, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
         const auto view = rules.live(context.request_context.caller.tenant);
         if (!view) return view.error();
         return Reply{wire::encode_rules(*view)};
       }});
  routes.add({"GET", "/v1/rules/bundles", domain::Scope::rules_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto bundles = rules.bundles(page->after, page->limit, page->order);
                if (!bundles) return bundles.error();
                return Reply{wire::encode_rule_bundles(*bundles, *page)};
              }},
             paged({"order"}));
  routes.add({"GET", "/v1/rules/{rule_id}", domain::Scope::rules_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto rule = rules.one(context.request_context.caller.tenant, context.path[0]);
                if (!rule) return rule.error();
                return Reply{wire::encode_rule(*rule)};
              }});
}

void add_release_routes(RouteTable& routes, usecases::ReleaseByRequest& release) {
  const auto add = [&](const char* path, RouteHandler handler) {
    routes.add({"POST", path, domain::Scope::rules_write, BodyKind::json, std::move(handler)});
  };
  add("/v1/rules/promote", [&](Context& context) -> domain::Result<Reply> {
    const auto asked = read_body(context, wire::decode_release);
    if (!asked) return asked.error();
    return reply(release.promote(context.request_context, asked->bundle, asked->reason, wire::encode_live_rules));
  });
  add("/v1/rules/approve", [&](Context& context) -> domain::Result<Reply> {
    const auto asked = read_body(context, wire::decode_release);
    if (!asked) return asked.error();
    return reply(release.approve(context.request_context, asked->bundle, asked->reason, wire::encode_rule_bundle));
  });
  add("/v1/rules/rollback", [&](Context& context) -> domain::Result<Reply> {
    const auto asked = read_body(context, wire::decode_rollback);
    if (!asked) return asked.error();
    return reply(release.roll_back(context.request_context, asked->bundle, asked->reason, wire::encode_live_rules));
  });
  add("/v1/rules/shadow", [&](Context& context) -> domain::Result<Reply> {
    const auto asked = read_body(context, wire::decode_shadow);
    if (!asked) return asked.error();
    return reply(release.shadow(context.request_context, asked->rule_id, asked->is_off, wire::encode_rule_bundle));
  });
}

}  // namespace tideover::http
