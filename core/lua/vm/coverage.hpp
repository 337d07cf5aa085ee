// The lines of the functions in rule files, and those that were run. For `tideover rules test` only: recording lines
// slows down calls.
#pragma once
#include <map>
#include <set>
#include <string>

#include "core/lua/vm/bundle.hpp"

namespace tideover::lua {

/// Lines from 1, by file.
using FileLines = std::map<std::string, std::set<int>>;

struct Coverage {
  FileLines there;  // of functions that the files return or keep; the top level of a file always runs
  FileLines ran;
};

/// The lines with code that were not run; lines with only `end` or brackets are excluded.
FileLines lines_not_run(const Coverage& coverage, const Bundle& bundle);
/// Number of counted lines of the file.
int lines_of(const Coverage& coverage, const Bundle& bundle, const std::string& file);

}  // namespace tideover::lua
