// POST /v1/deposits
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/deposit_json.hpp"

namespace tideover::http {

void add_deposit_routes(RouteTable& routes, usecases::PostDeposit& post_deposit) {
  routes.add({"POST", "/v1/deposits", domain::Scope::deposits_write, BodyKind::json, [&](Context& context) -> domain::Result<Reply> {
                const auto deposit = read_body(context, wire::decode_deposit);
                if (!deposit) return deposit.error();
                return reply(post_deposit(context.act, *deposit, wire::encode_deposit));
              }});
}

}  // namespace tideover::http
