// tideover serve: runs the service until SIGTERM or SIGINT. Waits for a database that cannot be reached. SIGHUP reopens
// the log and checks the rules.
#include <fmt/core.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>

#include "core/main/commands.hpp"
#include "core/node/start.hpp"
#include "core/node/wait_for_store.hpp"
#include "core/service/service.hpp"
#include "core/settings/load.hpp"

namespace tideover::main {
namespace {

/// How long to wait for resources of an ending process: the locks of a killed process stay until the kernel has removed
/// it.
constexpr std::chrono::seconds kHandOver{5};
constexpr std::chrono::milliseconds kHandOverPause{50};

bool sleep_unless_ended(const sigset_t& signals, std::chrono::milliseconds pause) {
  const timespec time{pause.count() / 1000, pause.count() % 1000 * 1'000'000};
  const int signal = ::sigtimedwait(&signals, nullptr, &time);
  return signal != SIGTERM && signal != SIGINT;
}

/// Null when the process was asked to stop before the service could start.
std::unique_ptr<service::Service> start_when_possible(const settings::Settings& settings, const node::Pause& pause) {
  const auto began = std::chrono::steady_clock::now();
  bool reported = false;
  node::StoreWait wait_for_store;
  while (true) {
    try {
      return std::make_unique<service::Service>(settings);
    } catch (const node::NotYet& problem) {
      if (problem.cause == node::NotYet::Cause::unreachable) {
        if (!wait_for_store(settings, problem.what(), pause)) return nullptr;
        continue;
      }
      if (std::chrono::steady_clock::now() - began >= kHandOver) throw;
      if (!std::exchange(reported, true))
        fmt::print(stderr, "tideover: waiting up to {} s for another process to end: {}\n", kHandOver.count(),
                   problem.what());
      if (!pause(kHandOverPause)) return nullptr;
    }
  }
}

int serve(const admin::Arguments& arguments) {
  if (arguments.flags.at("help-config")) {
    fmt::print("{}", settings::describe());
    return 0;
  }
  // Every thread inherits the mask, so only this thread receives the signals.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const auto settings = node::load_settings(arguments.config_file());
  const auto started = start_when_possible(
      settings, [&](std::chrono::milliseconds pause) { return sleep_unless_ended(signals, pause); });
  if (!started) return 0;
  auto& service = *started;
  fmt::print("tideover serves on port {} (operations on port {})\n", service.port(), service.ops_port());
  std::fflush(stdout);
  while (true) {
    int signal = 0;
    sigwait(&signals, &signal);
    if (signal != SIGHUP) break;
    service.reload();
  }
  const bool clean = service.drain();
  // All acknowledged data is durable. A rail call beyond its deadline may still run on its own thread, and its host
  // must not be destroyed meanwhile: the process exits instead.
  std::_Exit(clean && !service.broken() ? 0 : 1);
}

}  // namespace

admin::Command serve_command() {
  return {
      "serve",
      "Run the service",
      {admin::config_option(),
       {"--help-config", "Print every configuration key and its default, then exit", admin::CommandOption::Kind::flag}},
      serve};
}

}  // namespace tideover::main
