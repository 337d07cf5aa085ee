#include "core/clock/tenant_clock.hpp"

#include <utility>

namespace tideover::clock {

std::int64_t TenantClock::shift_of(const domain::TenantId& tenant) const {
  const auto shifts = shifts_.load();
  const auto found = shifts->find(tenant.text());
  return found == shifts->end() ? 0 : found->second;
}

void TenantClock::publish(Shifts shifts) {
  shifts_.store(std::make_shared<const Shifts>(std::move(shifts)));
}

}  // namespace tideover::clock
