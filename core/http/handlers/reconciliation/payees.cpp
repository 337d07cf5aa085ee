// GET /v1/payees/{payee_npi}, POST .../account and .../payouts, GET /v1/payouts and /v1/payouts/{transfer_id}
#include "core/http/error_map.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/basics/error_json.hpp"
#include "core/http/wire/reconciliation/payee_json.hpp"
#include "core/http/wire/reconciliation/payout_json.hpp"

namespace tideover::http {

void add_payee_routes(RouteTable& routes, usecases::Payees& payees, usecases::PayPractice& pay_practice,
                      ports::FundingRails& rails) {
  routes.add({"GET", "/v1/payees/{payee_npi}", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto payee = payees.find(context.request_context.caller.tenant, context.path[0]);
                if (!payee) return payee.error();
                return Reply{wire::encode_payee(*payee)};
              }});
  routes.add(
      {"POST", "/v1/payees/{payee_npi}/account", domain::Scope::settlements_confirm, BodyKind::json,
       [&](Context& context) -> domain::Result<Reply> {
         const auto account =
             read_body(context, wire::decode_payee_account,
                       [&](const usecases::NewPayeeAccount& sent) { return payees.check(context.path[0], sent); });
         if (!account) return account.error();
         return reply(payees.set_account(context.request_context, context.path[0], *account, wire::encode_payee));
       }});
  Route pay{"POST", "/v1/payees/{payee_npi}/payouts", domain::Scope::settlements_confirm, BodyKind::none,
            [&](Context& context) -> domain::Result<Reply> {
              const auto render = [&](const domain::DisbursementAttempt& payout) {
                return wire::encode_payout(payout, is_simulated(rails, payout.rail));
              };
              const auto render_refusal = [&context](const domain::Error& error) {
                return wire::encode_error(error, context.request_context.request_id, status_of(error.code),
                                          is_retryable(error.code), false);
              };
              return reply(pay_practice(context.request_context, context.path[0], render, render_refusal));
            }};
  pay.answer_retention_days = 30;
  routes.add(std::move(pay));
  routes.add({"GET", "/v1/payouts", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = ordered_page_of(context);
                if (!page) return page.error();
                const auto found = payees.payouts(context.request_context.caller.tenant,
                                                  context.query_text("payee_npi"), page->rows());
                if (!found) return found.error();
                return Reply{wire::encode_practice_payouts(
                    *found, *page, [&](const std::string& rail) { return is_simulated(rails, rail); })};
              }},
             ordered({"payee_npi"}));
  routes.add({"GET", "/v1/payouts/{transfer_id}", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto page = page_of(context);
                if (!page) return page.error();
                const auto payout =
                    payees.payout(context.request_context.caller.tenant, context.path[0], page->after, page->limit + 1);
                if (!payout) return payout.error();
                return Reply{wire::encode_practice_payout(*payout, *page, is_simulated(rails, payout->attempt.rail))};
              }},
             paged());
}

}  // namespace tideover::http
