#include "core/lua/tools/rule_diff.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "core/lua/facts/facts.hpp"

namespace tideover::lua {
namespace {

constexpr std::size_t kMostLines = 3000;  // of a changed part; a longer one is shown as removed and added

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

/// The declarations of a rule, by name.
std::vector<std::pair<const char*, std::string>> declared(const DenialRule& rule) {
  std::vector<std::string> needs;
  for (const auto* fact : rule.needs) needs.emplace_back(fact->name);
  std::string profiles;
  for (std::size_t i = 0; i < kProfiles.size(); ++i)
    profiles += (i == 0 ? "" : ", ") + std::string(domain::name_of(kProfiles[i])) + " " +
                std::string(name_of(rule.profiles[i].effect)) + " up to " +
                std::to_string(rule.profiles[i].confidence_cap_bps) + " bps";
  return {{"rev", std::to_string(rule.rev)},
          {"mode", std::string(name_of(rule.mode))},
          {"family", rule.family},
          {"group", rule.group},
          {"code", rule.code},
          {"carc", rule.carc},
          {"weight", rule.weight_bps ? std::to_string(*rule.weight_bps) + " bps" : "none"},
          {"strength", std::to_string(rule.strength)},
          {"lock", rule.lock ? "true" : "false"},
          {"severity", std::string(name_of(rule.severity))},
          {"claim_type", rule.claim_type ? std::string(domain::name_of(*rule.claim_type)) : "both"},
          {"needs", joined(needs)},
          {"payers", joined(rule.payers)},
          {"codes", joined(rule.codes)},
          {"profiles", profiles}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

std::string text_of(const Bundle& bundle, const std::string& file) {
  const auto found = bundle.files.find(file);
  return found == bundle.files.end() ? "" : found->second;
}

/// Removed and added lines, each with its number in its own file.
std::string changed_lines(const std::string& before, const std::string& after) {
  const auto old_lines = lines_of(before), new_lines = lines_of(after);
  std::size_t from = 0, old_to = old_lines.size(), new_to = new_lines.size();
  while (from < std::min(old_to, new_to) && old_lines[from] == new_lines[from]) ++from;
  while (old_to > from && new_to > from && old_lines[old_to - 1] == new_lines[new_to - 1]) --old_to, --new_to;
  const std::size_t rows = old_to - from, columns = new_to - from;

  std::string text;
  const auto tell = [&](char sign, std::size_t at, const std::string& line) {
    text += std::string("    ") + sign + ' ' + std::to_string(at + 1) + " | " + line + '\n';
  };
  // The longest common subsequence of the rest, from the end.
  std::vector<std::vector<std::uint32_t>> common;
  const bool is_small = rows <= kMostLines && columns <= kMostLines;
  if (is_small) {
    common.assign(rows + 1, std::vector<std::uint32_t>(columns + 1));
    for (auto row = rows; row-- > 0;)
      for (auto column = columns; column-- > 0;)
        common[row][column] = old_lines[from + row] == new_lines[from + column]
                                  ? common[row + 1][column + 1] + 1
                                  : std::max(common[row + 1][column], common[row][column + 1]);
  }
  std::size_t row = 0, column = 0;
  while (row < rows || column < columns) {
    if (is_small && row < rows && column < columns && old_lines[from + row] == new_lines[from + column]) {
      ++row, ++column;
    } else if (row < rows && (column == columns || !is_small || common[row + 1][column] >= common[row][column + 1])) {
      tell('-', from + row, old_lines[from + row]);
      ++row;
    } else {
      tell('+', from + column, new_lines[from + column]);
      ++column;
    }
  }
  return text;
}

class Comparison {
 public:
  Comparison(const Ruleset& before, const Ruleset& after) : before_(before), after_(after) {}

  std::string run() {
    rules();
    params();
    other_files();
    return std::move(text_);
  }

 private:
  static std::map<std::string, const DenialRule*> by_id(const Ruleset& rules) {
    std::map<std::string, const DenialRule*> found;
    for (const auto& rule : rules.denial) found[rule.id] = &rule;
    return found;
  }

  void rules() {
    const auto old_rules = by_id(before_), new_rules = by_id(after_);
    for (const auto& [id, rule] : new_rules)
      if (old_rules.count(id) == 0)
        text_ += "added    " + id + " (" + std::string(name_of(rule->mode)) + "): " + rule->summary + '\n';
    for (const auto& [id, rule] : old_rules)
      if (new_rules.count(id) == 0)
        text_ += "removed  " + id + " (" + std::string(name_of(rule->mode)) + "): " + rule->summary + '\n';
    for (const auto& [id, rule] : new_rules) {
      listed_files_.insert(rule->file);
      if (const auto known = old_rules.find(id); known != old_rules.end()) changed(*known->second, *rule);
    }
    for (const auto& [id, rule] : old_rules) listed_files_.insert(rule->file);
    std::vector<std::string> old_order, new_order;
    for (const auto& rule : before_.denial)
      if (new_rules.count(rule.id) != 0) old_order.push_back(rule.id);
    for (const auto& rule : after_.denial)
      if (old_rules.count(rule.id) != 0) new_order.push_back(rule.id);
    if (old_order != new_order) text_ += "changed  the order of the rules\n";
  }

  void changed(const DenialRule& old_rule, const DenialRule& new_rule) {
    const auto lines = changed_lines(text_of(*before_.bundle, old_rule.file), text_of(*after_.bundle, new_rule.file));
    if (lines.empty()) return;
    text_ += "changed  " + new_rule.id + '\n';
    const auto was = declared(old_rule), is = declared(new_rule);
    for (std::size_t i = 0; i < was.size(); ++i)
      if (was[i].second != is[i].second)
        text_ += std::string("    ") + was[i].first + ": " + was[i].second + " -> " + is[i].second + '\n';
    text_ += lines;
  }

  void params() {
    std::map<std::string, std::string> was, is;
    for (const auto& param : before_.params) was[param.name] = shown(param.value);
    for (const auto& param : after_.params) is[param.name] = shown(param.value);
    for (const auto& [name, value] : is)
      if (was.count(name) == 0) text_ += "added    params." + name + " = " + value + '\n';
    for (const auto& [name, value] : was) {
      if (is.count(name) == 0)
        text_ += "removed  params." + name + " = " + value + '\n';
      else if (is[name] != value)
        text_ += "changed  params." + name + ": " + value + " -> " + is[name] + '\n';
    }
  }

  void other_files() {
    std::set<std::string> files;
    for (const auto* bundle : {before_.bundle.get(), after_.bundle.get()})
      for (const auto& [file, text] : bundle->files) files.insert(file);
    for (const auto& file : files) {
      if (listed_files_.count(file) != 0 || text_of(*before_.bundle, file) == text_of(*after_.bundle, file)) continue;
      const bool was = before_.bundle->has(file), is = after_.bundle->has(file);
      text_ += (was && is ? "changed  " : is ? "added    " : "removed  ") + file + '\n';
      if (was && is && file.ends_with(".lua"))
        text_ += changed_lines(text_of(*before_.bundle, file), text_of(*after_.bundle, file));
    }
    std::set<std::string> tables;
    for (const auto* bundle : {before_.bundle.get(), after_.bundle.get()})
      for (const auto& [name, file] : bundle->official) tables.insert(name);
    for (const auto& name : tables) {
      const auto edition = [&](const Bundle& bundle) {
        const auto found = bundle.official.find(name);
        return found == bundle.official.end() ? std::string("sample rows")
                                              : "edition '" + found->second.provenance.edition + "' (" +
                                                    found->second.provenance.sha256.substr(0, 12) + ")";
      };
      if (edition(*before_.bundle) != edition(*after_.bundle))
        text_ += "changed  table " + name + ": " + edition(*before_.bundle) + " -> " + edition(*after_.bundle) + '\n';
    }
  }

  const Ruleset& before_;
  const Ruleset& after_;
  std::set<std::string> listed_files_;  // files of rules
  std::string text_;
};

}  // namespace

std::string differences(const Ruleset& before, const Ruleset& after) {
  return Comparison(before, after).run();
}

}  // namespace tideover::lua
