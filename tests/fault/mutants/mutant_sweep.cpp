// One sweep over a protocol that may be broken, on SQLite: prints the first violation and ends with 1, or ends with 0.
//   fault_mutant_sweep RECALL SEED STEP [forgetful] [fallback]
// STEP: every how many crash points. forgetful: instead of its processes, the database is hit: it falls back. fallback:
// settlements try a second rail after a reject.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "tests/fault/sweep/confirm_sweep.hpp"

using namespace tideover::fault;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tideover-mutant-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

int sweep(const std::string& recall, std::uint32_t seed, long step, bool forgetful, bool has_fallback) {
  const Folder folder;
  Site site;
  site.folder = folder.path;
  site.recall = recall;
  site.has_fallback = has_fallback;
  site.store.sqlite_path = folder.path / "store" / "tideover.db";
  std::vector<Mishap> mishaps{&Life::killed_at, &Life::overtaken_at};
  if (forgetful) mishaps = {&Life::forgotten_behind};
  int runs = 0;
  long turn = 0;
  for (const auto& scenario : has_fallback ? fallback_scenarios() : scenarios())
    for (const auto mishap : mishaps) {
      const Tally tally = kill_sweep(site, scenario,
                                     {.mishap = mishap,
                                      .seed = seed,
                                      .first = 1 + turn++ % step,
                                      .step = step,
                                      .first_violation_is_enough = true});
      runs += tally.runs;
      if (tally.violations.empty()) continue;
      std::printf("after %d confirms:", runs);
      for (const auto& violation : tally.violations) std::printf(" %s;", violation.c_str());
      std::printf("\n");
      return 1;
    }
  std::printf("no violation in %d confirms\n", runs);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return 2;
  const auto has = [&](const char* word) {
    return std::count(arguments + 4, arguments + count, std::string(word)) > 0;
  };
  try {
    return sweep(arguments[1], static_cast<std::uint32_t>(std::strtoul(arguments[2], nullptr, 10)),
                 std::strtol(arguments[3], nullptr, 10), has("forgetful"), has("fallback"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
