// POST /v1/sandbox/deposits, POST /v1/sandbox/remittances, POST /v1/sandbox/transfers/{transfer_id}/settle, /return and
// /reject
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/reconciliation/deposit_json.hpp"
#include "core/http/wire/reconciliation/remittance_json.hpp"
#include "core/http/wire/sandbox/simulation_json.hpp"

namespace tideover::http {
namespace {

using Kind = ports::RailOutcome::Kind;

void add_transfer_route(RouteTable& routes, usecases::SimulateTransfers& transfers, const std::string& verb,
                        Kind outcome) {
  routes.add(
      {"POST", "/v1/sandbox/transfers/{transfer_id}/" + verb, domain::Scope::settlements_confirm, BodyKind::json,
       [&transfers, outcome](Context& context) -> domain::Result<Reply> {
         const auto code = read_body(context, wire::decode_transfer_code);
         if (!code) return code.error();
         return reply(transfers(context.request_context, {context.path[0], outcome, *code}, wire::encode_transfer));
       }});
}

}  // namespace

void add_simulation_routes(RouteTable& routes, usecases::SimulatePayments& payments,
                           usecases::SimulateTransfers& transfers) {
  using domain::Scope;
  routes.add({"POST", "/v1/sandbox/deposits", Scope::deposits_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto order = read_body(context, wire::decode_payment_order);
                if (!order) return order.error();
                return reply(payments.deposit(context.request_context, *order, wire::encode_deposit));
              }});
  routes.add({"POST", "/v1/sandbox/remittances", Scope::deposits_write, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto order = read_body(context, wire::decode_payment_order);
                if (!order) return order.error();
                return reply(payments.remittance(context.request_context, *order,
                                                 [](const std::vector<usecases::PostedRemittance>& posted) {
                                                   return wire::encode_remittances(posted);
                                                 }));
              }});
  routes.add(
      {"POST", "/v1/sandbox/transfers/{transfer_id}/settle", Scope::settlements_confirm, BodyKind::none,
       [&](Context& context) -> domain::Result<Reply> {
         return reply(transfers(context.request_context, {context.path[0], Kind::settled, ""}, wire::encode_transfer));
       }});
  add_transfer_route(routes, transfers, "return", Kind::returned);
  add_transfer_route(routes, transfers, "reject", Kind::rejected);
}

}  // namespace tideover::http
