// The time of the tenant that the current thread works for: the real time plus the shift of the thread
// (core/docs/sandbox_clock.md). Without published shifts it is the real time. Thread-safe.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "core/ports/clock.hpp"

namespace tideover::clock {

class TenantClock final : public ports::Clock {
 public:
  using Shifts = std::map<std::string, std::int64_t>;  // of tenant ids

  explicit TenantClock(const ports::Clock& real) : real_(real) {}
  domain::Timestamp now() const override { return real_.now().plus_ms(ports::TimeShift::current_ms()); }
  std::int64_t shift_of(const domain::TenantId& tenant) const override;
  void publish(Shifts shifts);

 private:
  const ports::Clock& real_;
  std::atomic<std::shared_ptr<const Shifts>> shifts_{std::make_shared<const Shifts>()};
};

}  // namespace tideover::clock
