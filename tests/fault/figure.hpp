// The figures of the fault tests: how many cases a run needs, and the line that says how many it survived. A program
// prints one line `R<n>  <what was tried>: <what came of it>` per figure; tests/fault/table collects them.
#pragma once
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace tideover::test {

/// Whether this run is for the "deep" column: TIDEOVER_FAULT_DEEP=1.
inline bool is_deep() {
  const char* wish = std::getenv("TIDEOVER_FAULT_DEEP");
  return wish != nullptr && std::string_view(wish) == "1";
}

/// The cases of a figure in this run.
inline std::size_t cases(std::size_t ci, std::size_t deep) {
  return is_deep() ? deep : ci;
}

/// Prints the line of a figure, and fails the test when fewer cases ran than it promises.
inline void survived(const std::string& line, std::size_t ran, std::size_t promised, const std::string& what) {
  BOOST_TEST(ran >= promised, line << " ran " << ran << " cases of " << promised);
  std::cout << line << "  " << ran << ' ' << what << std::endl;
}

}  // namespace tideover::test
