// Which lines of the functions in rule files there are, and which of them ran. For `tideover rules test` only: noting
// lines slows a call down.
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

/// The lines on which something happens and that did not run: none with nothing but `end` and brackets.
FileLines lines_not_run(const Coverage& coverage, const Bundle& bundle);
/// How many lines of the file count at all.
int lines_of(const Coverage& coverage, const Bundle& bundle, const std::string& file);

}  // namespace tideover::lua
