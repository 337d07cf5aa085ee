#include "core/lua/tools/rule_docs.hpp"

#include <set>
#include <sstream>

#include "core/lua/facts/facts.hpp"
#include "core/lua/vm/source.hpp"

namespace tideover::lua {
namespace {

std::string share(int bps) {
  std::ostringstream text;
  text << bps / 100.0 << " %";
  return text.str();
}

std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "`" : ", `") + name + '`';
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  return listed(std::set<std::string>(names.begin(), names.end()));
}

/// The params.x and table('x') that a rule file and its libraries use.
struct Uses {
  std::set<std::string> params, tables;
};
void find_uses(const Bundle& bundle, const std::string& file, Uses& uses, std::set<std::string>& seen) {
  const auto found = bundle.files.find(file);
  if (found == bundle.files.end() || !seen.insert(file).second) return;
  const auto tokens = tokens_of(found->second);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const auto& next = tokens[i + 2];
    if (tokens[i].text == "params" && tokens[i + 1].text == ".") uses.params.emplace(next.text);
    if (tokens[i].text == "table" && next.kind == Token::Kind::text) uses.tables.emplace(unquoted(next));
    if (tokens[i].text == "lib" && next.kind == Token::Kind::text)
      find_uses(bundle, "lib/" + std::string(unquoted(next)) + ".lua", uses, seen);
  }
}

/// The comment at the start of a file.
std::string opening(const std::string& text) {
  std::string comment, line;
  for (std::istringstream in(text); std::getline(in, line) && line.starts_with("--");)
    comment +=
        (comment.empty() ? "" : " ") +
        line.substr(line.find_first_not_of("- ") == std::string::npos ? line.size() : line.find_first_not_of("- "));
  return comment;
}

std::string section_of(const DenialRule& rule, const Bundle& bundle, const CaseReport& cases) {
  std::string page = "## " + rule.id + "\n\n" + rule.summary + ". " + rule.fix + "\n";
  if (const auto comment = opening(bundle.files.at(rule.file)); !comment.empty()) page += "\n" + comment + "\n";
  const auto row = [&](const char* what, const std::string& value) {
    if (!value.empty()) page += std::string("- ") + what + ": " + value + '\n';
  };
  page += '\n';
  row("reason",
      rule.group + " " + rule.code + (rule.carc.empty() || rule.carc == rule.code ? "" : ", CARC " + rule.carc));
  row("mode", std::string(name_of(rule.mode)) + ", rev " + std::to_string(rule.rev) + ", family " + rule.family +
                  ", severity " + std::string(name_of(rule.severity)));
  if (rule.weight_bps)
    row("weight", share(*rule.weight_bps) + ", worth " + std::to_string(rule.strength) + " claims" +
                      (rule.lock ? ", locked" : ""));
  row("called for", rule.asks_lines ? "each line" : "the claim");
  std::vector<std::string> needs;
  for (const auto* fact : rule.needs) needs.emplace_back(fact->name);
  if (rule.claim_type) row("claims", std::string(domain::name_of(*rule.claim_type)));
  row("needs", listed(needs));
  row("payers", listed(rule.payers));
  row("codes", listed(rule.codes));
  Uses uses;
  std::set<std::string> seen;
  find_uses(bundle, rule.file, uses, seen);
  row("parameters", listed(uses.params));
  row("tables", listed(uses.tables));
  std::string effects;
  for (std::size_t i = 0; i < kProfiles.size(); ++i) {
    const auto& profile = rule.profiles[i];
    if (profile.effect != domain::Finding::Effect::reason)
      effects += (effects.empty() ? "" : ", ") + std::string(name_of(profile.effect)) + " for " +
                 std::string(domain::name_of(kProfiles[i]));
  }
  row("effect", effects);
  if (const auto known = cases.rules.find(rule.id); known != cases.rules.end()) {
    const auto names = [](const std::vector<std::string>& all) {
      std::string text;
      for (const auto& name : all) text += (text.empty() ? "" : "; ") + name;
      return text;
    };
    row("fires", names(known->second.fired));
    row("does not", names(known->second.silent));
  }
  return page + '\n';
}

}  // namespace

std::string rules_page(const Ruleset& rules, const CaseReport& cases) {
  std::string page = "# Rules " + rules.stamp.version + "\n\nsha256 `" + rules.stamp.sha256 + "`. " +
                     std::to_string(rules.denial.size()) + " denial rules, in the order in which they are called.\n\n";
  page += "| rule | reason | weight | mode | what |\n|---|---|---|---|---|\n";
  for (const auto& rule : rules.denial)
    page += "| " + rule.id + " | " + rule.group + " " + (rule.carc.empty() ? rule.code : rule.carc) + " | " +
            (rule.weight_bps ? share(*rule.weight_bps) : "") + " | " + std::string(name_of(rule.mode)) + " | " +
            rule.summary + " |\n";
  page += "\n| parameter | value | range | unit | why |\n|---|---|---|---|---|\n";
  for (const auto& param : rules.params)
    page += "| " + param.name + " | " + shown(param.value) + " | " +
            (param.low ? shown(Param::Value(*param.low)) + " to " + shown(Param::Value(*param.high)) : "") + " | " +
            param.unit + " | " + param.note + " |\n";
  page += '\n';
  for (const auto& rule : rules.denial) page += section_of(rule, *rules.bundle, cases);
  return page;
}

}  // namespace tideover::lua
