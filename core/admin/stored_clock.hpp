// The clock of a command without a service: the real time, and the time of a tenant as its shift is stored
// (core/docs/sandbox_clock.md). The shift of a tenant is read once. Thread-safe.
#pragma once
#include <map>
#include <mutex>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::admin {

class StoredClock final : public ports::Clock {
 public:
  StoredClock(const ports::Clock& real, ports::Store& store) : real_(real), store_(store) {}

  domain::Timestamp now() const override { return real_.now().plus_ms(ports::TimeShift::current_ms()); }
  std::int64_t shift_of(const domain::TenantId& tenant) const override {
    const std::lock_guard held(mutex_);
    const auto [shift, is_new] = shifts_.try_emplace(tenant.text());
    if (is_new) {
      const auto stored =
          fetch_one(store_, [&](const ports::Records& records) { return records.clients().clock_shift(tenant); });
      shift->second = stored ? *stored : 0;
    }
    return shift->second;
  }

 private:
  const ports::Clock& real_;
  ports::Store& store_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::int64_t> shifts_;
};

}  // namespace tideover::admin
