#include "core/lua/vm/coverage.hpp"

#include <algorithm>

#include "core/lua/vm/source.hpp"

namespace tideover::lua {
namespace {

/// Whether the line has code. Lua gives the `end` of a function its own line, which only runs when nothing was
/// returned.
bool does_something(const Bundle& bundle, const std::string& file, int line) {
  const std::string text = bundle.line_of(file, line);
  const auto tokens = tokens_of(text);
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.kind != Token::Kind::symbol && token.text != "end" && token.text != "else";
  });
}

std::set<int> counted(const Coverage& coverage, const Bundle& bundle, const std::string& file) {
  std::set<int> lines;
  if (const auto there = coverage.there.find(file); there != coverage.there.end())
    for (const int line : there->second)
      if (does_something(bundle, file, line)) lines.insert(line);
  return lines;
}

}  // namespace

FileLines lines_not_run(const Coverage& coverage, const Bundle& bundle) {
  FileLines missed;
  for (const auto& [file, lines] : coverage.there) {
    const auto ran = coverage.ran.find(file);
    for (const int line : counted(coverage, bundle, file))
      if (ran == coverage.ran.end() || ran->second.count(line) == 0) missed[file].insert(line);
  }
  return missed;
}

int lines_of(const Coverage& coverage, const Bundle& bundle, const std::string& file) {
  return static_cast<int>(counted(coverage, bundle, file).size());
}

}  // namespace tideover::lua
