#include "core/ops/readiness.hpp"

#include <algorithm>

namespace tideover::ops {

std::string_view name_of(Check check) {
  switch (check) {
    case Check::store:
      return "store";
    case Check::rules:
      return "rules";
    case Check::rails:
      return "rails";
    case Check::webhooks:
      return "webhooks";
    case Check::plugins:
      return "plugins";
  }
  return "";
}

bool Readiness::Snapshot::ready() const {
  return !draining && std::all_of(checks.begin(), checks.end(), [](const CheckState& check) { return check.ok; });
}

void Readiness::report(Check check, bool ok, std::string detail) {
  const std::lock_guard lock(mutex_);
  state_.checks[static_cast<std::size_t>(check)] = {ok, std::move(detail)};
}

void Readiness::start_draining() {
  const std::lock_guard lock(mutex_);
  state_.draining = true;
}

Readiness::Snapshot Readiness::snapshot() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace tideover::ops
