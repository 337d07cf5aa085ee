#include "core/usecases/sandbox/move_clock.hpp"

namespace tideover::usecases {

domain::Result<domain::TenantTime> MoveClock::read(const RequestContext& context) const {
  // From the store: this node may not have read a move of another node yet.
  return fetch(store_, [&](const ports::Records& records) {
    const auto shift_ms = records.clients().clock_shift(context.caller.tenant);
    return domain::TenantTime{context.real_now().plus_ms(shift_ms), shift_ms};
  });
}

domain::Result<StoredResponse> MoveClock::operator()(const RequestContext& context, const domain::ClockMove& move,
                                                     const Render<domain::TenantTime>& render) {
  const auto& tenant = context.caller.tenant;
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // Two moves of one tenant never overlap, and no data arrives between the check and the move.
    records.clients().guard_matching(tenant);
    const auto after =
        moved(move, context.real_now(), records.clients().clock_shift(tenant), !records.clients().has_no_data(tenant));
    if (!after) return after.error();
    records.clients().set_clock_shift(tenant, after->shift_ms);
    body = render(*after);
    leave_trace(records, context, ids_, format_timestamp(after->now), body);
    return {};
  });
  if (!done) return done.error();
  if (auto published = refresh(); !published) return published.error();
  run_due_();
  return StoredResponse{body};
}

domain::Status MoveClock::refresh() const {
  const std::lock_guard one_by_one(publishing_);
  auto shifts = fetch(store_, [](const ports::Records& records) { return records.clients().clock_shifts(); });
  if (!shifts) return shifts.error();
  publish_(*std::move(shifts));
  return {};
}

}  // namespace tideover::usecases
