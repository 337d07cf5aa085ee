// GET /v1/quality/calibration, /payers, /rules, /advances
#include "core/http/handlers/handlers.hpp"
#include "core/http/wire/quality_json.hpp"

namespace tideover::http {

void add_quality_routes(RouteTable& routes, const usecases::Learner& learner) {
  const auto add = [&](const char* path, std::string (*encode)(const usecases::Quality&)) {
    routes.add({"GET", path, domain::Scope::reconciliation_read, BodyKind::none, [&learner, encode](Context& context) -> domain::Result<Reply> {
                  return Reply{encode(usecases::read_quality(learner, context.act.caller.tenant))};
                }});
  };
  add("/v1/quality/calibration", wire::encode_calibration);
  add("/v1/quality/payers", wire::encode_payer_grades);
  add("/v1/quality/rules", wire::encode_rule_grades);
  add("/v1/quality/advances", wire::encode_advance_grades);
}

}  // namespace tideover::http
