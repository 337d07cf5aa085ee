// libFuzzer's entry: TIDEOVER_FUZZ_TARGET names what is fuzzed; anything else lists the targets with their seed
// folders, a line each. See tests/fuzz/run.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/target.hpp"

using tideover::fuzz::Target;

namespace {

Target chosen() {
  const char* name = std::getenv("TIDEOVER_FUZZ_TARGET");
  const auto targets = tideover::fuzz::all_targets();
  const auto found = std::ranges::find(targets, name == nullptr ? std::string_view() : name, &Target::name);
  if (found != targets.end()) return *found;
  for (const Target& target : targets) {
    std::string line(target.name);
    for (const auto& seeds : target.seeds) line += ' ' + seeds;
    std::puts(line.c_str());
  }
  std::fflush(stdout);
  std::_Exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Target target = chosen();
  target.run({reinterpret_cast<const char*>(data), size});  // what it throws ends the run as a finding
  return 0;
}
