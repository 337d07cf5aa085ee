#include "core/lua/tools/rule_edit.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/lua/vm/source.hpp"

namespace tideover::lua {
namespace {

namespace fs = std::filesystem;
using Kind = Token::Kind;

std::string without_prefix(std::string name) {
  return name.starts_with("denial.") ? name.substr(7) : name;
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 40 && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::islower(static_cast<unsigned char>(c)) != 0 ||
                  std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_';
         });
}

std::optional<std::string> read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  return in ? std::optional(std::move(text)) : std::nullopt;
}

/// Writes under a hidden name first, which the watcher of the folder ignores. "" or the reason of a failure.
std::string replace(const fs::path& file, const std::string& text) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  const auto aside = file.parent_path() / ("." + file.filename().string() + ".new");
  std::ofstream out(aside, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) fs::rename(aside, file, failed);
  return !out     ? file.string() + " cannot be written"
         : failed ? file.string() + " cannot be written: " + failed.message()
                  : "";
}

std::string rule_text(const NewRule& rule, const std::string& name) {
  return "-- State here why payers deny such claims, and the source.\n"
         "return {\n"
         "  id = 'denial." +
         name +
         "', rev = 1, mode = 'shadow',  -- runs and is counted, but has no effect until it is 'live'\n"
         "  family = '" +
         name +
         "',\n"
         "  reason = { group = '" +
         rule.group + "', code = '" + rule.code +
         "' },\n"
         "  weight = 0.20, strength = 20, severity = 'moderate',\n"
         "  summary = 'A large claim without lines',\n"
         "  fix = 'Send the service lines of the claim.',\n"
         "  field = 'service_lines',\n"
         "\n"
         "  evaluate = function(claim)\n"
         "    return claim.line_count == 0 and claim.amount_cents >= usd(10000.00)\n"
         "  end,\n"
         "}\n";
}

std::string cases_text(const std::string& name) {
  return "return {\n"
         "  rule = 'denial." +
         name +
         "',\n"
         "  cases = {\n"
         "    { name = 'an ordinary claim', expect = 'nothing' },\n"
         "    { name = 'a cent less', claim = { amount_cents = usd(9999.99), lines = {} }, expect = 'nothing' },\n"
         "    { name = 'ten thousand, no lines', claim = { amount_cents = usd(10000.00), lines = {} }, expect = { "
         "probability = 0.20 } },\n"
         "  },\n"
         "}\n";
}

/// The list of rules with one more at its end, in the existing layout; none when there is no list.
std::optional<std::string> with_listed(const std::string& text, const std::string& name) {
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "denial" || tokens[i].kind != Kind::name || tokens[i + 1].text != "=" ||
        tokens[i + 2].text != "{")
      continue;
    auto close = i + 3;
    while (close < tokens.size() && tokens[close].text != "}") ++close;
    if (close == tokens.size()) return std::nullopt;
    const Token& last = tokens[close - 1];
    std::string edited = text;
    const bool is_own_line = place_of(text, last.at).line != place_of(text, tokens[close].at).line;
    // After the last name, so that a following comment stays in place; a list with one name per line keeps that layout.
    const auto line_end = is_own_line ? text.find('\n', last.at) : last.at + last.text.size();
    const bool has_comma = last.text == "," || last.text == "{";
    const auto indent =
        is_own_line ? std::string(static_cast<std::size_t>(place_of(text, tokens[close].at).column) + 1, ' ') : "";
    edited.insert(line_end, (is_own_line ? "\n" + indent : std::string(" ")) + "'" + name + "'" +
                                (is_own_line                     ? ","
                                 : has_comma && last.text != "{" ? ","
                                                                 : ""));
    if (!has_comma) edited.insert(last.at + last.text.size(), ",");
    return edited;
  }
  return std::nullopt;
}

/// The token after `name =` of the rule's own table.
const Token* value_of(const std::vector<Token>& tokens, std::string_view name) {
  int depth = 0;
  bool is_returned = false;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text == "return" && tokens[i + 1].text == "{" && depth == 0) is_returned = true;
    if (tokens[i].text == "{") ++depth;
    if (tokens[i].text == "}") --depth;
    if (is_returned && depth == 1 && tokens[i].kind == Kind::name && tokens[i].text == name &&
        tokens[i + 1].text == "=")
      return &tokens[i + 2];
  }
  return nullptr;
}

}  // namespace

EditResult add_rule(const fs::path& folder, const NewRule& rule) {
  const auto name = without_prefix(rule.name);
  if (!is_name(name))
    return {"the name of a rule must be a-z, 0-9 and _, start with a letter and have at most 40 characters", {}};
  const auto list = read(folder / "ruleset.lua");
  if (!list) return {(folder / "ruleset.lua").string() + " cannot be read", {}};
  const std::string files[] = {"denial/" + name + ".lua", "cases/" + name + ".lua", "ruleset.lua"};
  for (const auto* file : {&files[0], &files[1]})
    if (std::error_code ignored; fs::exists(folder / *file, ignored))
      return {(folder / *file).string() + " already exists", {}};
  const auto listed = with_listed(*list, name);
  if (!listed) return {(folder / "ruleset.lua").string() + " has no list denial = { … }", {}};

  EditResult done;
  const std::string texts[] = {rule_text(rule, name), cases_text(name), *listed};
  for (std::size_t i = 0; i < std::size(files) && done.problem.empty(); ++i) {
    done.problem = replace(folder / files[i], texts[i]);
    if (done.problem.empty()) done.files.push_back(files[i]);
  }
  return done;
}

std::string file_of_rule(std::string rule) {
  return "denial/" + without_prefix(std::move(rule)) + ".lua";
}

EditedText with_mode(const std::string& file, const std::string& text, RuleMode mode) {
  const auto tokens = tokens_of(text);
  const auto* const mode_now = value_of(tokens, "mode");
  const auto* const rev_now = value_of(tokens, "rev");
  if (mode_now == nullptr || mode_now->kind != Kind::text)
    return {file + " has no mode = '…' that could be changed", {}};
  if (unquoted(*mode_now) == name_of(mode)) return {};
  if (mode == RuleMode::live && unquoted(*mode_now) == name_of(RuleMode::off))
    return {file + " is off; put it into shadow mode first and check its counts", {}};

  std::string edited = text;
  const auto put = [&](const Token& token, const std::string& value) {
    edited.replace(token.at, token.text.size(), value);
  };
  const auto put_mode = [&] { put(*mode_now, "'" + std::string(name_of(mode)) + "'"); };
  const auto put_rev = [&] {
    std::int64_t rev = 0;
    if (rev_now == nullptr ||
        std::from_chars(rev_now->text.data(), rev_now->text.data() + rev_now->text.size(), rev).ec != std::errc())
      return;
    put(*rev_now, std::to_string(rev + 1));
  };
  // From the end, so that earlier positions stay valid.
  if (rev_now != nullptr && rev_now->at > mode_now->at) {
    put_rev();
    put_mode();
  } else {
    put_mode();
    put_rev();
  }
  return {"", std::move(edited)};
}

EditResult set_mode(const fs::path& folder, std::string rule, RuleMode mode) {
  const auto file = file_of_rule(std::move(rule));
  const auto text = read(folder / file);
  if (!text) return {(folder / file).string() + " cannot be read", {}};
  const auto edited = with_mode(file, *text, mode);
  if (!edited.problem.empty() || edited.text.empty()) return {edited.problem, {}};
  EditResult done{replace(folder / file, edited.text), {}};
  if (done.problem.empty()) done.files.push_back(file);
  return done;
}

}  // namespace tideover::lua
