#include "core/lua/ruleset/cases.hpp"

#include <algorithm>

#include "core/lua/ruleset/case_input.hpp"
#include "core/lua/ruleset/lint.hpp"
#include "core/lua/ruleset/program.hpp"
#include "core/lua/vm/rates.hpp"
#include "core/lua/vm/table_reader.hpp"

namespace tideover::lua {
namespace {

class CaseFile {
 public:
  CaseFile(Program& program, const Limits& limits, Coverage* coverage, Sandbox& sandbox, std::string file,
           CaseReport& report)
      : program_(program),
        limits_(limits),
        coverage_(coverage),
        ruleset_(*program.ruleset()),
        state_(sandbox.state()),
        file_(std::move(file)),
        report_(report) {}

  /// Runs the cases of the file; its result is on top of the stack.
  void run() {
    TableReader table(state_, -1, "a file of cases", complain());
    for (const char* key : {"rule", "cases"}) table.require(key);
    const std::string rule = table.text("rule").value_or("");
    const auto found =
        std::find_if(ruleset_.denial.begin(), ruleset_.denial.end(), [&](const auto& r) { return r.id == rule; });
    const bool is_terms = !rule.empty() && rule == ruleset_.terms.id;
    const bool is_recourse = !rule.empty() && rule == ruleset_.recourse.id;
    const bool runs = is_terms || is_recourse || found != ruleset_.denial.end();
    if (!rule.empty() && !runs && !known_to_bundle(rule)) fault(rule, "there is no rule '" + rule + "'");
    if (table.push("cases") == LUA_TTABLE && runs) {
      TableReader list(state_, -1, "cases", complain());
      list.each_element([&](int index) {
        const int faults_before = static_cast<int>(report_.errors.size());
        const auto fires = is_terms ? run_terms_case(index)
                           : is_recourse
                               ? run_recourse_case(index)
                               : run_denial_case(index, static_cast<std::size_t>(found - ruleset_.denial.begin()));
        // A failed rule has its own fault; the missing kinds of cases are then not reported.
        auto& names = report_.rules[rule];
        if (fires.value_or(true)) names.fired.push_back(case_name_);
        if (!fires.value_or(false)) names.silent.push_back(case_name_);
        ++(static_cast<int>(report_.errors.size()) == faults_before ? report_.passed : report_.failed);
      });
    }
    lua_pop(state_, 1);
    table.refuse_other_fields();
  }

 private:
  TableReader::Complain complain() {
    return [this](std::string_view word, std::string message) { fault(word, std::move(message)); };
  }
  void fault(std::string_view word, std::string message) {
    report_.errors.push_back(error_at_word(*ruleset_.bundle, file_, word, std::move(message)));
  }
  /// A fault of the rule in a case: its position is in the rule, not in the case. Reported once, however many cases
  /// have it.
  void rule_fault(const std::string& rule_file, const std::string& problem, const std::string& case_name) {
    auto error = error_from_lua(*ruleset_.bundle, rule_file, problem);
    const bool is_reported = std::any_of(report_.errors.begin(), report_.errors.end(), [&](const RuleFileError& e) {
      return e.file == error.file && e.line == error.line && e.message.starts_with(error.message);
    });
    if (is_reported) return;
    error.message += " (in case '" + case_name + "')";
    report_.errors.push_back(std::move(error));
  }
  /// A rule whose file has faults is not in the ruleset; its cases are skipped until it is valid.
  bool known_to_bundle(std::string id) const {
    std::replace(id.begin(), id.end(), '.', '/');
    return ruleset_.bundle->has(id + ".lua");
  }

  /// Reports faults of this case at its name.
  TableReader::Complain complain_of(const std::string& name) {
    return
        [this, name](std::string_view, const std::string& message) { fault(name, "case '" + name + "': " + message); };
  }

  std::string name_of_case(int index) {
    std::string name;
    push_content(state_, -1);
    lua_pushliteral(state_, "name");
    if (lua_istable(state_, -2) && lua_rawget(state_, -2) == LUA_TSTRING) name = lua_tostring(state_, -1);
    lua_pop(state_, 2);
    if (name.empty()) fault("cases", "case " + std::to_string(index) + " needs a name");
    return case_name_ = name;
  }

  /// True when the rule found something; nullopt when it failed.
  std::optional<bool> run_denial_case(int index, std::size_t rule) {
    const std::string name = name_of_case(index);
    const auto complain = complain_of(name);
    TableReader table(state_, -1, "a case", complain);
    table.text("name");
    const ClaimCase given = CaseInput(state_, complain).claim_case(table);

    const auto other = read_params(table, complain);
    Program& program = other ? *other : program_;
    std::vector<domain::Finding> findings;
    FactReads reads;
    TableReads table_reads;
    const auto errors_before = report_.errors.size();
    const auto problem = program.run_denial(rule, given.facts(), findings, reads, table_reads);
    if (problem) rule_fault(ruleset_.denial[rule].file, *problem, name);
    for (const auto& kept : program.settle()) complain("", kept.problem);

    table.has("expect");
    if (!problem) compare_findings(table, findings, complain);
    for (auto i = errors_before; i < report_.errors.size(); ++i) report_.errors[i].notes = notes_of(reads, table_reads);
    table.refuse_other_fields();
    return problem ? std::nullopt : std::optional(!findings.empty());
  }

  /// The first facts that the rule read in a failed case.
  static std::vector<std::string> notes_of(const FactReads& reads, const TableReads& table_reads) {
    constexpr std::size_t kMostNotes = 12;
    std::vector<std::string> notes;
    const auto add = [&](std::string note) {
      if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
    };
    for (const auto& read : reads.all())
      add("it read " + name_of(read.question) + " = " + text_of(read.question, read.value));
    for (const auto& read : table_reads.all()) add("it read " + name_of(read) + " = " + text_of(read));
    return notes;
  }

  /// The rules with the parameters that a case overrides; null when it overrides none.
  std::unique_ptr<Program> read_params(TableReader& table, const TableReader::Complain& complain) {
    std::unique_ptr<Program> program;
    if (table.push("params") != LUA_TNIL) {
      TableReader given(state_, -1, "params", complain);
      auto changed = std::make_shared<Ruleset>(ruleset_);
      for (auto& param : changed->params) {
        if (std::holds_alternative<bool>(param.value))
          param.value = given.boolean(param.name.c_str()).value_or(std::get<bool>(param.value));
        if (std::holds_alternative<std::int64_t>(param.value))
          param.value = given.integer(param.name.c_str()).value_or(std::get<std::int64_t>(param.value));
        if (std::holds_alternative<double>(param.value))
          param.value = given.number(param.name.c_str()).value_or(std::get<double>(param.value));
        if (std::holds_alternative<std::string>(param.value))
          param.value = given.text(param.name.c_str()).value_or(std::get<std::string>(param.value));
      }
      given.refuse_other_fields();
      program = std::make_unique<Program>(changed, changed->sample_tables, limits_, coverage_);
    }
    lua_pop(state_, 1);
    return program;
  }

  void compare_findings(TableReader& table, const std::vector<domain::Finding>& findings,
                        const TableReader::Complain& complain) {
    const int type = table.push("expect");
    if (type == LUA_TSTRING && std::string(lua_tostring(state_, -1)) == "nothing") {
      if (!findings.empty()) complain("", "expected nothing, the rule found " + shown(findings));
    } else if (type == LUA_TTABLE) {
      push_content(state_, -1);
      const auto listed = static_cast<std::size_t>(lua_rawlen(state_, -1));
      lua_pop(state_, 1);
      const std::size_t expected = listed == 0 ? 1 : listed;
      if (findings.size() != expected) {
        complain("", "expected " + std::to_string(expected) + " finding(s), the rule found " + shown(findings));
      } else if (listed == 0) {
        compare_finding(findings.front(), complain);
      } else {
        TableReader list(state_, -1, "expect", complain);
        list.each_element([&](int index) { compare_finding(findings[static_cast<std::size_t>(index - 1)], complain); });
      }
    } else {
      complain("", "needs expect = 'nothing', a finding such as { probability = 0.9 }, or a list of findings");
    }
    lua_pop(state_, 1);
  }

  static std::string shown(const std::vector<domain::Finding>& findings) {
    if (findings.empty()) return "nothing";
    std::string text;
    for (const auto& finding : findings)
      text += (text.empty() ? "" : ", ") + finding.code + " at " + std::to_string(finding.probability_bps) + " bps" +
              (finding.line ? " on line " + std::to_string(*finding.line + 1) : "");
    return text;
  }

  /// The expected finding is on top of the stack; only its fields are compared.
  void compare_finding(const domain::Finding& found, const TableReader::Complain& complain) {
    TableReader expected(state_, -1, "an expected finding", complain);
    const auto differs = [&](const char* what, const std::string& wanted, const std::string& got) {
      if (wanted != got) complain("", std::string("expected ") + what + " " + wanted + ", got " + got);
    };
    if (const auto share = expected.number("probability"))
      differs("probability (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(found.probability_bps));
    if (const auto line = expected.integer("line"))
      differs("line", std::to_string(*line), found.line ? std::to_string(*found.line + 1) : "none");
    if (const auto field = expected.text("field")) differs("field", *field, found.field);
    if (const auto effect = expected.text("effect")) differs("effect", *effect, std::string(name_of(found.effect)));
    if (const auto carc = expected.text("carc")) differs("carc", *carc, found.carc);
    if (const auto cents = expected.integer("amount_at_risk_cents"))
      differs("amount_at_risk_cents", std::to_string(*cents),
              found.amount_at_risk ? std::to_string(found.amount_at_risk->cents()) : "none");
    if (const auto share = expected.number("confidence_cap"))
      differs("confidence_cap (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(found.confidence_cap_bps));
    expected.refuse_other_fields();
  }

  /// A terms case "fires" when it approves, so that cases must include an approval and a refusal.
  std::optional<bool> run_terms_case(int index) {
    const std::string name = name_of_case(index);
    const auto complain = complain_of(name);
    TableReader table(state_, -1, "a case", complain);
    table.text("name");
    const TermsCase given = CaseInput(state_, complain).terms_case(table);

    const auto other = read_params(table, complain);
    Program& program = other ? *other : program_;
    domain::TermsProposal proposal;
    const auto problem = program.run_terms(given.facts(), proposal);
    if (problem) rule_fault(ruleset_.terms.file, *problem, name);
    for (const auto& kept : program.settle()) complain("", kept.problem);
    table.require("expect");
    if (table.push("expect") == LUA_TTABLE && !problem) compare_terms(proposal, complain);
    lua_pop(state_, 1);
    table.refuse_other_fields();
    return problem ? std::nullopt : std::optional(proposal.decision == domain::Decision::approved);
  }

  /// A recourse case "fires" when the rule names other bearers than the usual ones. The answer must be within the
  /// bounds of the domain.
  std::optional<bool> run_recourse_case(int index) {
    const std::string name = name_of_case(index);
    const auto complain = complain_of(name);
    TableReader table(state_, -1, "a case", complain);
    table.text("name");
    const RecourseCase given = CaseInput(state_, complain).recourse_case(table);

    const auto other = read_params(table, complain);
    Program& program = other ? *other : program_;
    std::optional<domain::RecourseProposal> proposal;
    const auto problem = program.run_recourse(given.facts, proposal);
    if (problem) rule_fault(ruleset_.recourse.file, *problem, name);
    for (const auto& kept : program.settle()) complain("", kept.problem);
    const auto decision = domain::bound_recourse(proposal, given.facts);
    if (!decision.problem.empty()) complain("", "the answer of the rule is refused: " + decision.problem);
    table.require("expect");
    if (table.push("expect") == LUA_TTABLE && !problem) compare_recourse(decision, complain);
    lua_pop(state_, 1);
    table.refuse_other_fields();
    return problem ? std::nullopt : std::optional(decision.split != given.facts.usual);
  }

  /// A part that is not named is expected to be nothing.
  void compare_recourse(const domain::RecourseDecision& decision, const TableReader::Complain& complain) {
    TableReader expected(state_, -1, "expect", complain);
    const auto compare = [&](const char* what, domain::Money got) {
      const auto wanted = expected.integer(what).value_or(0);
      if (wanted != got.cents())
        complain("", std::string("expected ") + what + " " + std::to_string(wanted) + ", got " +
                         std::to_string(got.cents()));
    };
    compare("future_residuals_cents", decision.split.future_residuals);
    compare("reserve_cents", decision.split.reserve);
    compare("funder_cents", decision.split.funder);
    if (const auto reasons = expected.texts("reasons"); reasons && *reasons != decision.reasons)
      complain("", "expected other reasons than the rule gave");
    expected.refuse_other_fields();
  }

  void compare_terms(const domain::TermsProposal& proposal, const TableReader::Complain& complain) {
    TableReader expected(state_, -1, "expect", complain);
    const auto differs = [&](const char* what, const std::string& wanted, const std::string& got) {
      if (wanted != got) complain("", std::string("expected ") + what + " " + wanted + ", got " + got);
    };
    if (const auto decision = expected.text("decision"))
      differs("decision", *decision, std::string(domain::name_of(proposal.decision)));
    if (const auto share = expected.number("advance_percentage"))
      differs("advance_percentage (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(proposal.advance_bps));
    if (const auto share = expected.number("fee_percentage"))
      differs("fee_percentage (in bps)", std::to_string(exact_scaled(*share, domain::kOneInBps).value_or(-1)),
              std::to_string(proposal.fee_bps));
    if (const auto reasons = expected.texts("reasons")) {
      const auto joined = [](const std::vector<std::string>& texts) {
        std::string all;
        for (const auto& text : texts) all += (all.empty() ? "" : ", ") + text;
        return "[" + all + "]";
      };
      differs("reasons", joined(*reasons), joined(proposal.reasons));
    }
    expected.refuse_other_fields();
  }

  Program& program_;
  const Limits& limits_;
  Coverage* coverage_;
  const Ruleset& ruleset_;
  lua_State* state_;
  std::string file_, case_name_;
  CaseReport& report_;
};

}  // namespace

CaseReport run_cases(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits, Coverage* coverage) {
  CaseReport report;
  Program program(ruleset, ruleset->sample_tables, limits, coverage);
  Sandbox case_files(ruleset->bundle, {});
  for (const auto& [file, text] : ruleset->bundle->files) {
    if (!file.starts_with("cases/")) continue;
    if (const auto failed = case_files.run_file(file)) {
      report.errors.push_back(error_from_lua(*ruleset->bundle, file, *failed));
      continue;
    }
    CaseFile(program, limits, coverage, case_files, file, report).run();
    lua_pop(case_files.state(), 1);
  }
  const auto demand = [&](const std::string& id, const std::string& file, const char* fires, const char* rests) {
    const auto& names = report.rules[id];
    if (names.fired.empty())
      report.errors.push_back(
          error_at_word(*ruleset->bundle, file, "id", "needs a case in cases/ in which " + std::string(fires)));
    if (names.silent.empty())
      report.errors.push_back(
          error_at_word(*ruleset->bundle, file, "id", "needs a case in cases/ in which " + std::string(rests)));
  };
  for (const auto& rule : ruleset->denial) demand(rule.id, rule.file, "it finds something", "it finds nothing");
  if (!ruleset->terms.file.empty())
    demand(ruleset->terms.id, ruleset->terms.file, "it approves", "it does not approve");
  if (const auto& recourse = ruleset->recourse;
      !recourse.file.empty() && report.rules[recourse.id].fired.empty() && report.rules[recourse.id].silent.empty())
    report.errors.push_back(error_at_word(*ruleset->bundle, recourse.file, "id", "needs a case in cases/"));
  return report;
}

}  // namespace tideover::lua
