// A clock that stands still until a test moves it.
#pragma once
#include <atomic>

#include "core/ports/clock.hpp"

namespace tideover::test {

class FakeClock final : public ports::Clock {
 public:
  domain::Timestamp now() const override {
    return domain::Timestamp::from_ms(now_ms_ + ports::TimeShift::current_ms());
  }
  std::int64_t shift_of(const domain::TenantId&) const override { return shift_ms_; }
  /// Of the time of every tenant.
  void shift_to_ms(std::int64_t ms) { shift_ms_ = ms; }
  void advance_ms(std::int64_t ms) { now_ms_ += ms; }
  void advance_s(std::int64_t s) { now_ms_ += s * 1000; }

 private:
  std::atomic<std::int64_t> now_ms_{1'795'000'000'000};
  std::atomic<std::int64_t> shift_ms_{0};
};

}  // namespace tideover::test
