// `tideover rules test`: the results of the cases of a folder, by rule and by line.
#pragma once
#include <filesystem>
#include <string>

#include "core/lua/ruleset/loader.hpp"

namespace tideover::lua {

struct TestReport {
  bool passed = false;     // the folder is valid and every case has the expected result
  int lines = 0, ran = 0;  // of rules and libraries: lines with code, and lines that a case reached
  std::string text;        // for a terminal

  int coverage_percent() const { return lines == 0 ? 100 : ran * 100 / lines; }  // rounded down
};

/// Runs the cases of the folder. With `rule` (an id) only that rule and its file are reported, but every case runs.
TestReport test_rules(const std::filesystem::path& folder, LoadOptions options, const std::string& rule = {});

}  // namespace tideover::lua
