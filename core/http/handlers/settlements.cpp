// GET /v1/settlements, GET /v1/settlements/{settlement_id} and /reconciliation, POST .../confirm, /cancel and /payouts
#include "core/http/entity_tags.hpp"
#include "core/http/error_map.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/basics/error_json.hpp"
#include "core/http/wire/reconciliation/payout_json.hpp"
#include "core/http/wire/reconciliation/reconciliation_json.hpp"
#include "core/http/wire/reviews/adjudication_json.hpp"

namespace tideover::http {
namespace {

auto render_refusal_to(const Context& context) {
  return [&context](const domain::Error& error) {
    return wire::encode_error(error, context.request_context.request_id, status_of(error.code),
                              is_retryable(error.code), false);
  };
}

void add_settlement_list(RouteTable& routes, const usecases::GetSettlement& get_settlement,
                         ports::FundingRails& rails) {
  Route list{"GET", "/v1/settlements", domain::Scope::settlements_read, BodyKind::none,
             [&](Context& context) -> domain::Result<Reply> {
               const auto page = ordered_page_of(context);
               if (!page) return page.error();
               const auto found =
                   get_settlement.list(context.request_context.caller.tenant,
                                       {context.query_text("claim_identifier"), context.query_text("payer_id"),
                                        context.query_text("status"), context.query_text("decision"),
                                        context.query_text("funding_status"), page->rows()});
               if (!found) return found.error();
               return Reply{wire::encode_settlements(
                   *found, *page, [&](const std::string& rail) { return is_simulated(rails, rail); })};
             }};
  list.made_by = "/v1/claims/adjudications";
  routes.add(std::move(list), ordered({any_text("claim_identifier"), any_text("payer_id"), "status", "decision",
                                       "funding_status", "idempotency_key"}));
}

}  // namespace

void add_settlement_routes(RouteTable& routes, usecases::ConfirmSettlement& confirm, usecases::CancelSettlement& cancel,
                           const usecases::GetSettlement& get_settlement,
                           const usecases::GetReconciliation& get_reconciliation, ports::FundingRails& rails) {
  const auto encode = [&rails](const usecases::SettlementView& view) {
    return wire::encode_adjudication(view, is_simulated(rails, view.settlement.funding.rail));
  };
  add_settlement_list(routes, get_settlement, rails);
  Route route{"POST", "/v1/settlements/{settlement_id}/confirm", domain::Scope::settlements_confirm, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto render = [&](const usecases::Confirmation& made) {
                  return wire::encode_confirmation(made, is_simulated(rails, made.settlement.funding.rail));
                };
                return reply(confirm(context.request_context, context.path[0], render, render_refusal_to(context)));
              }};
  route.answer_retention_days = 30;
  routes.add(std::move(route));
  routes.add({"POST", "/v1/settlements/{settlement_id}/cancel", domain::Scope::settlements_cancel, BodyKind::none,
              [&cancel, encode](Context& context) -> domain::Result<Reply> {
                return reply(cancel(context.request_context, context.path[0], encode));
              }});
  routes.add(
      {"GET", "/v1/settlements/{settlement_id}/reconciliation", domain::Scope::reconciliation_read, BodyKind::none,
       [&](Context& context) -> domain::Result<Reply> {
         const auto explain = explain_of(context);
         if (!explain) return explain.error();
         const auto whole = get_reconciliation(context.request_context.caller.tenant, context.path[0]);
         if (!whole) return whole.error();
         const auto simulated = [&](const std::string& rail) { return is_simulated(rails, rail); };
         if (!*explain) return Reply{wire::encode_reconciliation(*whole, simulated)};
         const auto trail = get_reconciliation.trail(context.request_context.caller.tenant, context.path[0]);
         if (!trail) return trail.error();
         return Reply{wire::encode_reconciliation(*whole, simulated, &*trail)};
       }},
      {"explain"});
  routes.add({"GET", "/v1/settlements/{settlement_id}", domain::Scope::settlements_read, BodyKind::none,
              [&get_settlement, encode](Context& context) -> domain::Result<Reply> {
                const auto view = get_settlement(context.request_context.caller.tenant, context.path[0]);
                if (!view) return view.error();
                return tagged_for_change(Reply{encode(*view)});
              }});
}

void add_payout_route(RouteTable& routes, usecases::PayResidual& pay_residual, ports::FundingRails& rails) {
  Route route{
      "POST", "/v1/settlements/{settlement_id}/payouts", domain::Scope::settlements_confirm, BodyKind::none,
      [&](Context& context) -> domain::Result<Reply> {
        const auto render = [&](const domain::DisbursementAttempt& payout) {
          return wire::encode_payout(payout, is_simulated(rails, payout.rail));
        };
        return reply(pay_residual(context.request_context, context.path[0], render, render_refusal_to(context)));
      }};
  route.answer_retention_days = 30;
  routes.add(std::move(route));
}

}  // namespace tideover::http
