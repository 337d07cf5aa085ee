// Loads the plugin named first with `does` = the second argument, and asks it for a payer. A program of its own,
// because the plugin ends it.
#include <cstdio>

#include "core/clock/new_york_time.hpp"
#include "core/clock/system_clock.hpp"
#include "core/plugin_host/plugin_host.hpp"

int main(int count, char** arguments) {
  using namespace tideover;
  if (count != 3) return 2;
  const clock::SystemClock clock;
  const clock::NewYorkTime bank_time;
  plugin_host::CallBudgets budgets;
  budgets.create = budgets.payer_lookup = std::chrono::milliseconds(300);
  auto host = plugin_host::PluginHost::load(
      {{arguments[1], "payer_directory", "", {{"does", arguments[2]}, {"release_path", "/no/such/file"}}}},
      {clock, bank_time, {}, {}}, budgets);
  if (!host) {
    std::fprintf(stderr, "%s\n", host.error().message.c_str());
    std::_Exit(1);
  }
  std::printf("%s\n", (*host)->payers().get("X") ? "answered" : "failed");
  return 0;
}
