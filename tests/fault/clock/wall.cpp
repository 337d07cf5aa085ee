// Preloaded into a service: bends its wall clock as a WallWish says; the monotonic clocks stay.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/fault/clock/wall_wish.hpp"

namespace {

using tideover::test::WallWish;

constexpr std::int64_t kSecond = 1'000'000'000;

const auto real_clock_gettime = reinterpret_cast<int (*)(clockid_t, timespec*)>(::dlsym(RTLD_NEXT, "clock_gettime"));

const WallWish& wish() {
  static const WallWish* only = [] {
    const char* file = std::getenv("TIDEOVER_TEST_WALL_WISH");
    const int descriptor = file == nullptr ? -1 : ::open(file, O_RDONLY | O_CLOEXEC);
    void* mapped = ::mmap(nullptr, sizeof(WallWish), PROT_READ, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) std::abort();
    ::close(descriptor);
    return static_cast<const WallWish*>(mapped);
  }();
  return *only;
}

timespec wished() {
  timespec real{};
  real_clock_gettime(CLOCK_REALTIME, &real);
  const std::int64_t now = real.tv_sec * kSecond + real.tv_nsec;
  const std::int64_t speed = wish().speed;
  const std::int64_t bent = now + wish().ahead_ns + (speed > 1 ? (speed - 1) * (now - wish().from_ns) : 0);
  return {bent / kSecond, bent % kSecond};
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return real_clock_gettime(clock, time);
  *time = wished();
  return 0;
}

int gettimeofday(timeval* time, void*) noexcept {
  const auto now = wished();
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* into) noexcept {
  const auto now = wished().tv_sec;
  if (into != nullptr) *into = now;
  return now;
}

}  // extern "C"
