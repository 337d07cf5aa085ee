// GET /v1/health
#include "core/http/handlers/handlers.hpp"

namespace tideover::http {

void add_health_route(RouteTable& routes, std::function<wire::Health()> health) {
  routes.add({"GET", "/v1/health", std::nullopt, BodyKind::none,
              [health = std::move(health)](Context&) -> domain::Result<Reply> {
                const auto state = health();
                Reply answer;
                answer.body = wire::encode_health(state);
                answer.status = state.ok ? 200 : 503;
                return answer;
              }});
}

}  // namespace tideover::http
