// What is fuzzed: one function per parser that reads bytes of strangers. Each hands the bytes to the product's own code
// and checks what must hold for any input; Broken is thrown where it does not. Crashes, sanitizer reports and hangs are
// for the driver: libfuzzer.cpp (coverage-guided, tests/fuzz/run) or replay_test.cpp (the corpus and seeded
// mutations, with ctest).
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::fuzz {

struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

inline void must(bool holds, const char* promise) {
  if (!holds) throw Broken(promise);
}

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
  std::vector<std::string> seeds;  // folders below the repository, besides tests/fuzz/corpus/<name>
  std::size_t cost = 1;            // of a run, in those of an ordinary parser: replays make so many times fewer
};

std::vector<Target> file_targets();      // plugins that read files
std::vector<Target> wire_targets();      // JSON bodies
std::vector<Target> front_targets();     // HTTP and what its headers carry
std::vector<Target> code_targets();      // Base64, gzip, zstd, encrypted cells, tokens
std::vector<Target> text_targets();      // small values: money, dates, URLs
std::vector<Target> rule_targets();      // what operators drop into a rule folder
std::vector<Target> learning_targets();  // what payers answer, up to the prediction
std::vector<Target> plugin_targets();    // what plugins give to the host, up to the use case
std::vector<Target> book_targets();      // arrivals, decisions and payouts, up to the verification of the ledger

std::vector<Target> all_targets();

}  // namespace tideover::fuzz
