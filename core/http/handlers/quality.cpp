// GET /v1/quality/calibration, /payers, /rules, /advances
#include <chrono>

#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/paging.hpp"
#include "core/http/wire/operations/quality_json.hpp"

namespace tideover::http {
namespace {

/// Holds a worker thread while it computes the record again.
constexpr std::chrono::seconds kLongest{10};

domain::Result<usecases::GradePeriod> period_of(const Context& context) {
  auto refusal = domain::Error::of(domain::ErrorCode::invalid_parameter, "from or to is not a date. Use YYYY-MM-DD.");
  const usecases::GradePeriod period{day_of(context, "from", refusal), day_of(context, "to", refusal)};
  if (!refusal.fields.empty()) return refusal;
  return period;
}

}  // namespace

void add_quality_routes(RouteTable& routes, usecases::ReadQuality& read_quality) {
  const auto add = [&](const char* path, std::string (*encode)(const usecases::Quality&)) {
    routes.add({"GET", path, domain::Scope::reconciliation_read, BodyKind::none,
                [&read_quality, encode](Context& context) -> domain::Result<Reply> {
                  const auto period = period_of(context);
                  if (!period) return period.error();
                  const auto until = std::chrono::steady_clock::now() + kLongest;
                  const auto quality = read_quality(context.request_context.caller.tenant, *period, [&](std::int64_t) {
                    return std::chrono::steady_clock::now() < until;
                  });
                  if (!quality) return quality.error();
                  return Reply{encode(*quality)};
                }},
               {"from", "to"});
  };
  add("/v1/quality/calibration", wire::encode_calibration);
  add("/v1/quality/payers", wire::encode_payer_grades);
  add("/v1/quality/rules", wire::encode_rule_grades);
  add("/v1/quality/advances", wire::encode_advance_grades);
}

}  // namespace tideover::http
