// GET /v1/rules, /v1/rules/bundles, /v1/rules/{rule_id}
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/rules_json.hpp"

namespace tideover::http {

void add_rule_routes(RouteTable& routes, const usecases::ReadRules& rules) {
  routes.add({"GET", "/v1/rules", domain::Scope::rules_read, BodyKind::none, [&](Context&) -> domain::Result<Reply> {
                const auto view = rules.live();
                if (!view) return view.error();
                return Reply{wire::encode_rules(*view)};
              }});
  routes.add({"GET", "/v1/rules/bundles", domain::Scope::rules_read, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto bundles = rules.bundles(page->limit);
                if (!bundles) return bundles.error();
                return Reply{wire::encode_rule_bundles(*bundles, page->limit)};
              }}, {"limit"});
  routes.add({"GET", "/v1/rules/{rule_id}", domain::Scope::rules_read, BodyKind::none, [&](Context& context) -> domain::Result<Reply> {
                const auto rule = rules.one(context.path[0]);
                if (!rule) return rule.error();
                return Reply{wire::encode_rule(*rule)};
              }});
}

}  // namespace tideover::http
