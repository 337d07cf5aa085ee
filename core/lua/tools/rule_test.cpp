#include "core/lua/tools/rule_test.hpp"

#include <algorithm>

namespace tideover::lua {
namespace {

std::string file_of(std::string rule) {
  std::replace(rule.begin(), rule.end(), '.', '/');
  return rule + ".lua";
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

}  // namespace

TestReport test_rules(const std::filesystem::path& folder, LoadOptions options, const std::string& rule) {
  TestReport report;
  Coverage coverage;
  options.coverage = &coverage;
  const auto loaded = load_ruleset(folder, options);
  report.passed = loaded.ruleset != nullptr;
  for (const auto& error : loaded.errors) report.text += error.text() + '\n';
  if (!loaded.bundle) return report;
  if (!rule.empty() && loaded.cases.rules.count(rule) == 0) {
    report.passed = false;
    report.text += "there are no cases of a rule '" + rule + "'\n";
    return report;
  }

  const auto missed = lines_not_run(coverage, *loaded.bundle);
  const auto tell_file = [&](const std::string& name, const std::string& file, const std::string& what) {
    if (!rule.empty() && file != file_of(rule)) return;
    const int lines = lines_of(coverage, *loaded.bundle, file);
    const auto not_run = missed.find(file);
    const int ran = lines - (not_run == missed.end() ? 0 : static_cast<int>(not_run->second.size()));
    report.lines += lines;
    report.ran += ran;
    report.text +=
        padded(name, 38) + padded(what, 34) + std::to_string(ran) + " of " + std::to_string(lines) + " lines\n";
  };
  for (const auto& [id, names] : loaded.cases.rules)
    tell_file(id, file_of(id),
              id.starts_with("recourse.")
                  ? counted(names.fired.size(), "case has other bearers", "cases have other bearers") + ", " +
                        counted(names.silent.size(), "does not", "do not")
              : id.starts_with("terms.") ? counted(names.fired.size(), "case approves", "cases approve") + ", " +
                                               counted(names.silent.size(), "does not", "do not")
                                         : counted(names.fired.size(), "case fires", "cases fire") + ", " +
                                               counted(names.silent.size(), "does not", "do not"));
  for (const auto& [file, text] : loaded.bundle->files)
    if (file.starts_with("lib/")) tell_file(file, file, "");
  for (const auto& [file, lines] : missed)
    if (rule.empty() || file == file_of(rule))
      for (const int line : lines)
        report.text += RuleFileError{file, line, 1, "no case reaches this line", {}}.text() + "\n  " +
                       std::to_string(line) + " | " + loaded.bundle->line_of(file, line) + '\n';
  report.text += std::to_string(loaded.cases.passed) + " cases passed, " + std::to_string(loaded.cases.failed) +
                 " failed; they cover " + std::to_string(report.ran) + " of " + std::to_string(report.lines) +
                 " lines (" + std::to_string(report.coverage_percent()) + " %)\n";
  if (!report.passed) report.text += std::to_string(loaded.errors.size()) + " error(s) in " + folder.string() + '\n';
  return report;
}

}  // namespace tideover::lua
