#include "core/faults/crash_point.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

namespace tideover::faults {
namespace {

struct Plan {
  std::string name;  // "*" for any point; empty for none
  long pass = 1;
  int signal = SIGKILL;
  int trace = -1;

  Plan() {
    const char* wish = std::getenv("TIDEOVER_TEST_CRASH_AT");
    if (!wish && (wish = std::getenv("TIDEOVER_TEST_STOP_AT"))) signal = SIGSTOP;
    if (wish) {
      name = wish;
      if (const auto colon = name.rfind(':'); colon != std::string::npos) {
        pass = std::strtol(name.c_str() + colon + 1, nullptr, 10);
        name.resize(colon);
      }
    }
    if (const char* file = std::getenv("TIDEOVER_TEST_CRASH_TRACE"))
      trace = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  bool armed() const { return !name.empty() || trace >= 0; }
};

const Plan& plan() {
  static const Plan read_once;
  return read_once;
}

}  // namespace

bool armed() noexcept { return plan().armed(); }

void crash_point(std::string_view name) noexcept {
  const Plan& wish = plan();
  if (!wish.armed()) [[likely]]
    return;
  if (wish.trace >= 0) {
    const std::string line = std::string(name) + '\n';
    (void)!::write(wish.trace, line.data(), line.size());
  }
  if (wish.name != "*" && wish.name != name) return;
  // The one counter of the process: what is counted is how often the process came by.
  static std::atomic<long> passes = 0;
  if (++passes == wish.pass) ::kill(::getpid(), wish.signal);
}

}  // namespace tideover::faults
