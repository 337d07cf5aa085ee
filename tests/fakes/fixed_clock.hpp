// A clock that stands still until a test moves it. Thread-safe.
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "core/ports/clock.hpp"

namespace tideover::fakes {

class FixedClock : public ports::Clock {
 public:
  /// Friday 2026-11-20, 15:00 UTC: 10:00 in New York.
  domain::Timestamp now() const override { return domain::Timestamp::from_ms(ms_ + ports::TimeShift::current_ms()); }
  std::int64_t shift_of(const domain::TenantId& tenant) const override {
    const std::lock_guard held(mutex_);
    const auto found = shifts_.find(tenant.text());
    return found == shifts_.end() ? 0 : found->second;
  }
  void shift(const domain::TenantId& tenant, std::int64_t ms) {
    const std::lock_guard held(mutex_);
    shifts_[tenant.text()] = ms;
  }
  void advance_s(std::int64_t seconds) { ms_ += seconds * 1000; }
  void advance_days(int days) { advance_s(days * std::int64_t{86'400}); }

 private:
  std::atomic<std::int64_t> ms_{1'795'186'800'000};
  mutable std::mutex mutex_;
  std::map<std::string, std::int64_t> shifts_;  // guarded by mutex_
};

}  // namespace tideover::fakes
