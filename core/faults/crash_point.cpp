#include "core/faults/crash_point.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

namespace tideover::faults {
namespace {

constexpr useconds_t kHoldPollUs = 500;

enum class Mishap { none, crash, stop, hold };

struct Plan {
  Mishap mishap = Mishap::none;
  std::string name;  // "*" for any point
  long pass = 1;
  std::string hold_file;
  int trace = -1;

  Plan() {
    (void)(reads("TIDEOVER_TEST_CRASH_AT", Mishap::crash) || reads("TIDEOVER_TEST_STOP_AT", Mishap::stop) ||
           reads("TIDEOVER_TEST_HOLD_AT", Mishap::hold));
    if (const char* file = std::getenv("TIDEOVER_TEST_HOLD_FILE")) hold_file = file;
    if (const char* file = std::getenv("TIDEOVER_TEST_CRASH_TRACE"))
      trace = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  bool reads(const char* variable, Mishap what) {
    const char* wish = std::getenv(variable);
    if (!wish) return false;
    mishap = what;
    name = wish;
    if (const auto colon = name.rfind(':'); colon != std::string::npos) {
      pass = std::strtol(name.c_str() + colon + 1, nullptr, 10);
      name.resize(colon);
    }
    return true;
  }
  bool armed() const { return mishap != Mishap::none || trace >= 0; }
};

const Plan& plan() {
  static const Plan read_once;
  return read_once;
}

/// Waits until a test removes the file that reports that this thread is held.
void hold(const std::string& file) {
  ::close(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  while (::access(file.c_str(), F_OK) == 0) ::usleep(kHoldPollUs);
}

}  // namespace

bool armed() noexcept {
  return plan().armed();
}

void crash_point(std::string_view name) noexcept {
  const Plan& wish = plan();
  if (!wish.armed()) [[likely]]
    return;
  if (wish.trace >= 0) {
    const std::string line = std::string(name) + '\n';
    (void)!::write(wish.trace, line.data(), line.size());
  }
  if (wish.mishap == Mishap::none || (wish.name != "*" && wish.name != name)) return;
  // Counts how often the process passed the point.
  static std::atomic<long> passes = 0;
  if (++passes != wish.pass) return;
  if (wish.mishap == Mishap::hold) return hold(wish.hold_file);
  ::kill(::getpid(), wish.mishap == Mishap::stop ? SIGSTOP : SIGKILL);
}

}  // namespace tideover::faults
