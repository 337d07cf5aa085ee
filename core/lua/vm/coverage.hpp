// Records which lines of the functions in rule files exist and which ran. Only for `tideover rules test`: it slows
// calls down.
#pragma once
#include <map>
#include <set>
#include <string>

#include "core/lua/vm/bundle.hpp"

namespace tideover::lua {

/// Lines from 1, by file.
using FileLines = std::map<std::string, std::set<int>>;

struct Coverage {
  FileLines
      there;  // of functions that the files return or keep, with what they hold; the top level of a file always runs
  FileLines ran;
};

/// The lines with code that did not run, without lines that only have `end` and brackets.
FileLines lines_not_run(const Coverage& coverage, const Bundle& bundle);
/// The number of lines of the file that count.
int lines_of(const Coverage& coverage, const Bundle& bundle, const std::string& file);

}  // namespace tideover::lua
