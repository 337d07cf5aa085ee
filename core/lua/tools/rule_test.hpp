// `tideover rules test`: what the cases of a folder prove, rule by rule and line by line.
#pragma once
#include <filesystem>
#include <string>

#include "core/lua/ruleset/loader.hpp"

namespace tideover::lua {

struct TestReport {
  bool passed = false;     // the folder is sound and every case came out as expected
  int lines = 0, ran = 0;  // of rules and libraries, those with code; which of them a case reached
  std::string text;        // for a terminal

  int coverage_percent() const { return lines == 0 ? 100 : ran * 100 / lines; }  // rounded down
};

/// Runs the cases of the folder; with `rule` (an id) only that rule and its file are told of, but every case runs.
TestReport test_rules(const std::filesystem::path& folder, LoadOptions options, const std::string& rule = {});

}  // namespace tideover::lua
