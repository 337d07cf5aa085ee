#include "core/lua/ruleset/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/domain/basics/text.hpp"
#include "core/lua/vm/rates.hpp"
#include "core/lua/vm/table_reader.hpp"

namespace tideover::lua {
namespace {

constexpr std::size_t kLongestNote = 200;
constexpr std::size_t kMostReasons = 20;

/// Keeps the first fault of a value.
class FirstFault {
 public:
  TableReader::Complain complain() {
    return [this](std::string_view, std::string message) {
      if (!text_) text_ = std::move(message);
    };
  }
  void operator()(std::string message) { complain()("", std::move(message)); }
  std::optional<std::string> text() && { return std::move(text_); }
  explicit operator bool() const { return text_.has_value(); }

 private:
  std::optional<std::string> text_;
};

void check_reasons(const std::optional<std::vector<std::string>>& reasons, FirstFault& fault) {
  if (reasons && reasons->size() > kMostReasons) fault("there are more than 20 reasons");
  if (reasons &&
      !std::all_of(reasons->begin(), reasons->end(), [](const std::string& reason) { return domain::is_utf8(reason); }))
    fault("a reason is not UTF-8");
}

/// "service_lines[].cpt" and line 1 (from 0) -> "service_lines[1].cpt".
std::string field_of_line(std::string field, std::optional<int> line) {
  const auto brackets = field.find("[]");
  if (brackets == std::string::npos) return field;
  return field.replace(brackets, 2, line ? "[" + std::to_string(*line) + "]" : "");
}

bool is_carc(std::string_view code) {
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
  return !code.empty() && code.size() <= 4 && std::all_of(code.begin(), code.end(), plain);
}

/// The fields of a finding; a table without any of them is a list.
constexpr const char* kFindingFields[] = {"probability", "line", "amount_at_risk_cents", "note", "field", "carc"};

/// The finding of a rule that only fires, without further data.
domain::Finding plain_finding(const DenialRule& rule, const ports::ClaimFacts& facts,
                              std::optional<std::size_t> asked_line) {
  const auto& profile = rule.profiles[static_cast<std::size_t>(facts.profile)];
  domain::Finding finding;
  finding.effect = profile.effect;
  finding.confidence_cap_bps = profile.confidence_cap_bps;
  finding.rule_id = rule.id;
  finding.code = rule.code;
  finding.carc = rule.carc;
  finding.group = rule.group;
  finding.family = rule.family;
  if (asked_line) finding.line = static_cast<int>(*asked_line);
  finding.field = field_of_line(rule.field, finding.line);
  finding.description = rule.summary;
  finding.fix = rule.fix;
  finding.probability_bps = finding.weight_bps = rule.weight_bps.value_or(0);
  finding.strength = rule.strength;
  finding.is_locked = rule.lock;
  finding.severity = rule.severity;
  finding.amount_at_risk = asked_line ? facts.claim.service_lines[*asked_line].amount : facts.claim.submitted_amount;
  return finding;
}

std::optional<std::string> read_finding(lua_State* state, int index, const DenialRule& rule,
                                        const ports::ClaimFacts& facts, std::optional<std::size_t> asked_line,
                                        std::vector<domain::Finding>& findings) {
  FirstFault fault;
  TableReader table(state, index, "a finding", fault.complain());
  const auto probability = table.number("probability");
  const auto line = table.integer("line");
  const auto at_risk = table.integer("amount_at_risk_cents");
  const auto note = table.text("note");
  const auto field = table.text("field");
  const auto carc = table.text("carc");
  if (!rule.weight_bps) table.require("probability");
  table.refuse_other_fields();

  const auto& lines = facts.claim.service_lines;
  if (probability && !(*probability > 0 && *probability <= 1))
    fault("probability must be above 0 and at most 1, not " + std::to_string(*probability));
  if (line && (*line < 1 || *line > static_cast<std::int64_t>(lines.size())))
    fault("line is " + std::to_string(*line) + " but the claim has " + std::to_string(lines.size()) + " lines");
  if (at_risk && (*at_risk < 0 || *at_risk > domain::kLargestAmount.cents()))
    fault("amount_at_risk_cents is not a valid amount of a claim");
  if (note && note->size() > kLongestNote) fault("note is longer than 200 bytes");
  if (note && !domain::is_utf8(*note)) fault("note is not UTF-8");
  if (field && !domain::is_utf8(*field)) fault("field is not UTF-8");
  if (carc && !is_carc(*carc))
    fault("carc must be one to three digits, or a letter and digits, not '" + carc->substr(0, 20) + "'");
  if (fault) return std::move(fault).text();

  domain::Finding finding = plain_finding(rule, facts, asked_line);
  if (note) finding.description += " (" + *note + ")";
  // A probability is an estimate and may be rounded; money and percentages of it must be exact.
  if (probability)
    finding.probability_bps = std::max(1, static_cast<int>(std::lround(*probability * domain::kOneInBps)));
  if (!rule.weight_bps) finding.weight_bps = finding.probability_bps;
  if (carc) finding.carc = *carc;
  if (line) finding.line = static_cast<int>(*line - 1);
  finding.field = field_of_line(field.value_or(rule.field), finding.line);
  if (at_risk)
    finding.amount_at_risk = domain::Money::cents(*at_risk);
  else if (line)
    finding.amount_at_risk = lines[static_cast<std::size_t>(*finding.line)].amount;
  findings.push_back(std::move(finding));
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_findings(lua_State* state, int index, const DenialRule& rule,
                                         const ports::ClaimFacts& facts, std::optional<std::size_t> asked_line,
                                         std::vector<domain::Finding>& findings) {
  index = lua_absindex(state, index);
  if (lua_isnil(state, index)) return std::nullopt;
  if (lua_type(state, index) == LUA_TBOOLEAN && rule.weight_bps) {
    if (lua_toboolean(state, index) != 0) findings.push_back(plain_finding(rule, facts, asked_line));
    return std::nullopt;
  }
  if (lua_type(state, index) != LUA_TTABLE)
    return std::string("evaluate must return nil, a finding or a list of findings, not a ") +
           luaL_typename(state, index) +
           (lua_isboolean(state, index) ? " (true fires where the rule has a weight)" : "");

  FirstFault fault;
  TableReader list(state, index, "the list of findings", fault.complain());
  const bool is_finding =
      list.has("probability") || (rule.weight_bps && std::any_of(std::begin(kFindingFields), std::end(kFindingFields),
                                                                 [&](const char* key) { return list.has(key); }));
  if (is_finding) return read_finding(state, index, rule, facts, asked_line, findings);
  const auto before = findings.size();
  list.each_element([&](int) {
    if (fault || findings.size() - before == kMostFindings) return;
    if (auto problem = read_finding(state, -1, rule, facts, asked_line, findings)) fault(*problem);
  });
  if (!fault && findings.size() == before) {
    // An empty list means no finding; named fields without a probability are an incomplete finding.
    TableReader finding(state, index, "a finding", fault.complain());
    for (const char* key : kFindingFields) finding.has(key);
    finding.refuse_other_fields();
    for (const char* key : kFindingFields)
      if (finding.has(key)) finding.require("probability");
  }
  if (fault) findings.resize(before);
  return std::move(fault).text();
}

std::optional<std::string> read_proposal(lua_State* state, int index, domain::TermsProposal& proposal) {
  FirstFault fault;
  TableReader table(state, index, "the result of a terms rule", fault.complain());
  const auto decision = table.one_of("decision", {"approved", "declined", "manual_review"});
  const auto advance = table.number("advance_percentage");
  const auto fee = table.number("fee_percentage");
  const auto reasons = table.texts("reasons");
  table.require("decision");
  if (decision == "approved")
    for (const char* key : {"advance_percentage", "fee_percentage"}) table.require(key);
  table.refuse_other_fields();
  const auto share = [&](const char* key, std::optional<double> value) {
    if (!value) return 0;
    const auto bps = exact_scaled(*value, domain::kOneInBps);
    if (!bps || *bps < 0 || *bps > domain::kOneInBps) {
      fault(std::string(key) + " must be a share between 0 and 1 with at most four decimals, not " +
            std::to_string(*value));
      return 0;
    }
    return static_cast<int>(*bps);
  };
  const int advance_bps = share("advance_percentage", advance);
  const int fee_bps = share("fee_percentage", fee);
  check_reasons(reasons, fault);
  if (fault) return std::move(fault).text();
  proposal = {*domain::decision_named(*decision), advance_bps, fee_bps, reasons.value_or(std::vector<std::string>{})};
  return std::nullopt;
}

std::optional<std::string> read_recourse(lua_State* state, int index,
                                         std::optional<domain::RecourseProposal>& proposal) {
  if (lua_isnil(state, index)) return std::nullopt;
  FirstFault fault;
  TableReader table(state, index, "the result of a recourse rule", fault.complain());
  const auto cents = [&](const char* key) {
    const auto amount = table.integer(key).value_or(0);
    if (amount < 0 || amount > domain::kLargestAmount.cents())
      fault(std::string(key) + " must be an amount from 0 to " + format_money(domain::kLargestAmount));
    return domain::Money::cents(amount);
  };
  domain::RecourseProposal read;
  read.split.future_residuals = cents("future_residuals_cents");
  read.split.reserve = cents("reserve_cents");
  read.split.funder = cents("funder_cents");
  const auto reasons = table.texts("reasons");
  table.refuse_other_fields();
  check_reasons(reasons, fault);
  if (fault) return std::move(fault).text();
  read.reasons = reasons.value_or(std::vector<std::string>{});
  proposal = std::move(read);
  return std::nullopt;
}

}  // namespace tideover::lua
