// `tideover rules test`: the results of a folder's cases, rule by rule and line by line.
#pragma once
#include <filesystem>
#include <string>

#include "core/lua/ruleset/loader.hpp"

namespace tideover::lua {

struct TestReport {
  bool passed = false;     // the folder has no faults and every case passed
  int lines = 0, ran = 0;  // lines with code in rules and libraries; lines that a case reached
  std::string text;        // for a terminal

  int coverage_percent() const { return lines == 0 ? 100 : ran * 100 / lines; }  // rounded down
};

/// Runs the cases of the folder. With `rule` (an id) only that rule and its file are reported, but every case runs.
TestReport test_rules(const std::filesystem::path& folder, LoadOptions options, const std::string& rule = {});

}  // namespace tideover::lua
