// POST /v1/claims/adjudications
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"

namespace tideover::http {

void add_adjudication_routes(RouteTable& routes, usecases::CreateAdjudication& create_adjudication,
                             ports::FundingRails& rails) {
  Route route{"POST", "/v1/claims/adjudications", domain::Scope::adjudications_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto request = read_body(
                    context, wire::decode_adjudication,
                    [&](const usecases::AdjudicationRequest& sent) { return create_adjudication.check(sent); });
                if (!request) return request.error();
                const auto explain = explain_of(context);
                if (!explain) return explain.error();
                usecases::TermsExplanation explanation;
                auto* const shown = *explain ? &explanation : nullptr;
                std::string rules_version;
                const auto render = [&](const usecases::SettlementView& view) {
                  rules_version = view.settlement.rules.version;
                  return wire::encode_adjudication(view, is_simulated(rails, view.settlement.funding.rail), shown);
                };
                auto answer = create_adjudication(context.request_context, *request, render, shown);
                return reply(std::move(answer), std::move(rules_version));
              }};
  route.answer_retention_days = 30;
  route.explains_to = domain::Scope::claims_read;
  route.names_rules = true;
  routes.add(std::move(route), {"explain"});
}

}  // namespace tideover::http
