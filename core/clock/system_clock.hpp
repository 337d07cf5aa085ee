// The wall clock of the system. Thread-safe.
#pragma once
#include <chrono>

#include "core/ports/clock.hpp"

namespace tideover::clock {

class SystemClock final : public ports::Clock {
 public:
  domain::Timestamp now() const override {
    using namespace std::chrono;
    return domain::Timestamp::from_ms(duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
  }
};

}  // namespace tideover::clock
