// POST /v1/claims/reviews, POST /v1/reviews/{review_id}/replay
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/claim_json.hpp"
#include "core/http/wire/replay_json.hpp"
#include "core/http/wire/review_json.hpp"

namespace tideover::http {

void add_review_routes(RouteTable& routes, usecases::ReviewClaim& review_claim) {
  Route route{"POST", "/v1/claims/reviews", domain::Scope::reviews_write, BodyKind::json, {}};
  route.starter = [&](Context& context, Later later) -> std::optional<domain::Result<Reply>> {
    wire::Faults faults;
    auto input = wire::decode_claim(*context.body, faults);
    faults.fields.clear();  // accept_claim() reports them, together with its own
    auto strict = settle_faults(context, faults);
    if (strict) input.faults.insert(input.faults.end(), strict->fields.begin(), strict->fields.end());
    const auto draft = domain::accept_claim(input, context.act.now.utc_date());
    if (!draft) return draft.error();
    const auto started = review_claim.start(context.act, *draft, wire::encode_review,
                                            [later = std::move(later)](domain::Result<usecases::Answer> answer) { later(reply(std::move(answer))); });
    if (!started) return started.error();
    return std::nullopt;
  };
  route.answer_retention_days = 30;
  routes.add(std::move(route));
}

void add_replay_route(RouteTable& routes, usecases::ReplayReview& replay, ports::RuleLibrary& rules) {
  routes.add({"POST", "/v1/reviews/{review_id}/replay", domain::Scope::audit_read, BodyKind::json, [&](Context& context) -> domain::Result<Reply> {
                const auto bundle = read_body(context, wire::decode_replay_bundle);
                if (!bundle) return bundle.error();
                const auto& tenant = context.act.caller.tenant;
                const auto recorded = replay.find(tenant, context.path[0]);
                if (!recorded) return recorded.error();
                const auto policy = rules.open(bundle->empty() ? recorded->rules.sha256 : *bundle);
                if (!policy) return policy.error();
                const auto both = replay(tenant, *recorded, **policy);
                if (!both) return both.error();
                return Reply{wire::encode_replay(*both)};
              }});
}

}  // namespace tideover::http
