// The program under test as a child process, stopped by its own process id. Start it on the main thread: so that it
// cannot outlive a killed test, the kernel ends it with the thread that started it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/service/service_folder.hpp"

namespace tideover::test {

struct CommandResult {
  int exit_code = 0;
  std::string out, err;
};

/// Runs `tideover ARGUMENTS...` to its end, in an environment without TIDEOVER_ variables. Throws when that takes
/// longer than 60 s. `environment` is what it gets besides a search path.
CommandResult run_tideover(const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& environment = {});

/// `tideover serve` in a folder.
class ServiceProcess {
 public:
  /// Returns when the service listens; throws with what it wrote when it does not start. `environment` is what it gets
  /// besides the folder's variables and a search path.
  explicit ServiceProcess(const ServiceFolder& folder, const std::map<std::string, std::string>& environment = {});
  /// Returns at once, for services that something still holds up; wait_until_it_serves() does the rest.
  struct AtOnce {};
  ServiceProcess(const ServiceFolder& folder, AtOnce);
  ~ServiceProcess();
  ServiceProcess(const ServiceProcess&) = delete;
  ServiceProcess& operator=(const ServiceProcess&) = delete;

  std::uint16_t port() const { return port_; }
  std::uint16_t ops_port() const { return ops_port_; }
  pid_t pid() const { return pid_; }
  bool is_running();
  void wait_until_it_serves();

  /// SIGTERM; does not wait.
  void ask_to_stop();
  /// SIGKILL, and waits until it is gone.
  void kill();
  /// Its exit code, or minus the signal that ended it. Throws when it is still there at the deadline.
  int wait_for_end(std::chrono::seconds deadline = std::chrono::seconds(30));

 private:
  void spawn_in(const ServiceFolder& folder, const std::map<std::string, std::string>& environment);

  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
  int ended_with_ = 0;
  std::uint16_t port_ = 0;
  std::uint16_t ops_port_ = 0;
};

/// Waits until `holds` returns true; false when it does not before the deadline.
template <class Condition>
bool eventually(Condition holds, std::chrono::milliseconds deadline = std::chrono::seconds(15));

void pause_before_looking_again();

template <class Condition>
bool eventually(Condition holds, std::chrono::milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    pause_before_looking_again();
  }
  return true;
}

}  // namespace tideover::test
