// GET and POST /v1/sandbox/clock
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/wire/sandbox/clock_json.hpp"

namespace tideover::http {

void add_sandbox_routes(RouteTable& routes, usecases::MoveClock& clock) {
  using domain::Scope;
  routes.add({"GET", "/v1/sandbox/clock", Scope::settlements_read, BodyKind::none,
              [&](Context& context) -> domain::Result<Reply> {
                const auto time = clock.read(context.request_context);
                if (!time) return time.error();
                return Reply{wire::encode_clock(*time)};
              }});
  routes.add({"POST", "/v1/sandbox/clock", Scope::settlements_confirm, BodyKind::json,
              [&](Context& context) -> domain::Result<Reply> {
                const auto move = read_body(context, wire::decode_clock_move);
                if (!move) return move.error();
                return reply(clock(context.request_context, *move, wire::encode_clock));
              }});
}

}  // namespace tideover::http
