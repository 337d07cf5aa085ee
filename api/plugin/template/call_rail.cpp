// Calls a built funding rail without the service: submit twice with one key, then query. Prints each outcome and fault
// with its number in plugin.h. Build: c++ -std=c++17 -I/path/to/api/plugin call_rail.cpp -o call_rail -ldl
//   call_rail ./my_rail.so KEY [SETTING VALUE]...
#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tideover/sdk.hpp"

namespace {

using tideover::sdk::lend;

constexpr int64_t kNow_ms = 1'800'000'000'000;
constexpr tideover_date kToday{2027, 1, 15};

std::string text_of(tideover_str lent) {
  return std::string(tideover::sdk::view(lent));
}

// What the host lends to the plugin, here with a fixed clock and without holidays.
const tideover_host kHost{
    sizeof(tideover_host),
    0,
    nullptr,
    TIDEOVER_STR("0.1.0"),
    [](void*, tideover_log_level, tideover_str message) { std::printf("log: %s\n", text_of(message).c_str()); },
    [](void*) { return kNow_ms; },
    [](void*, int64_t) { return kToday; },
    [](void*, int64_t) { return int32_t{600}; },
    [](void*, tideover_date, int32_t) { return kNow_ms; },
    [](void*, tideover_date) { return int32_t{1}; },
    [](void*, tideover_date day) { return day; }};

void print_fault(void*, const tideover_fault* fault) {
  std::printf("fault %d: %s\n", fault->code, text_of(fault->message).c_str());
}

void print_outcome(void*, const tideover_outcome* outcome) {
  std::printf("outcome %d, reference '%s', reason '%s'\n", outcome->kind, text_of(outcome->reference).c_str(),
              text_of(outcome->reason_code).c_str());
}

}  // namespace

int main(int count, char** arguments) {
  void* library = count < 3 ? nullptr : dlopen(arguments[1], RTLD_NOW);
  void* exported = library ? dlsym(library, TIDEOVER_PLUGIN_SYMBOL) : nullptr;
  if (!exported) {
    std::fprintf(stderr, "%s\n", count < 3 ? "usage: call_rail LIBRARY KEY [SETTING VALUE]..." : dlerror());
    return 2;
  }
  const auto& plugin = *static_cast<const tideover_plugin_descriptor*>(exported);
  const auto& rail = *static_cast<const tideover_funding_rail*>(plugin.functions);

  std::vector<tideover_pair> settings;
  for (int i = 3; i + 1 < count; i += 2) settings.push_back({lend(arguments[i]), lend(arguments[i + 1])});
  const tideover_config config{sizeof config, 0, {settings.data(), settings.size()}};
  const tideover_call call{sizeof call, 0, 10'000, nullptr, &print_fault};
  void* instance = nullptr;
  if (plugin.create(&kHost, &config, &call, &instance) != TIDEOVER_OK) return 1;

  const tideover_outcome_sink sink{sizeof sink, 0, nullptr, &print_outcome};
  const tideover_disbursement payment{sizeof payment,         0,     lend(arguments[2]), 64'000, TIDEOVER_STR("USD"),
                                      TIDEOVER_STR("tok_ok"), kToday};
  rail.submit(instance, &call, &payment, &sink);
  rail.submit(instance, &call, &payment, &sink);  // a repeated key must not pay again
  rail.query(instance, &call, payment.key, &sink);
  plugin.destroy(instance);
  return 0;
}
