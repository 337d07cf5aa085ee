#pragma once
#include <ctime>

namespace tideover::claimsim {

/// Of this thread, in seconds: what others do on the machine does not count.
inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace tideover::claimsim
