// PATCH /v1/settlements/{settlement_id}/funding, POST /v1/funding/quote
#include "core/http/entity_tags.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"
#include "core/http/wire/reviews/funding_json.hpp"

namespace tideover::http {

void add_funding_routes(RouteTable& routes, usecases::ChangeFunding& change_funding, ports::FundingRails& rails) {
  Route route{"PATCH", "/v1/settlements/{settlement_id}/funding", domain::Scope::adjudications_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                auto change = read_body(context, wire::decode_funding_change, [&](const usecases::FundingChange& sent) {
                  return change_funding.check(sent);
                });
                if (!change) return change.error();
                const auto encode = [&rails](const usecases::SettlementView& view) {
                  return wire::encode_adjudication(view, is_simulated(rails, view.settlement.funding.rail));
                };
                auto expected = expected_content<usecases::SettlementView>(context.request.headers, encode);
                if (!expected) return expected.error();
                change->expected = std::move(*expected);
                auto answer = reply(change_funding(context.request_context, context.path[0], *change, encode));
                if (!answer) return answer;
                return tagged_for_change(std::move(*answer));
              }};
  routes.add(std::move(route));
}

void add_quote_route(RouteTable& routes, const usecases::QuoteFunding& quote_funding) {
  routes.add({"POST", "/v1/funding/quote", domain::Scope::adjudications_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto request = read_body(context, wire::decode_quote);
                if (!request) return request.error();
                const auto quotes = quote_funding(context.request_context, *request);
                if (!quotes) return quotes.error();
                return Reply{wire::encode_quotes(*quotes, context.request_context.now)};
              }});
}

}  // namespace tideover::http
