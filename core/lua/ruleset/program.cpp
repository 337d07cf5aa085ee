#include "core/lua/ruleset/program.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/lua/ruleset/outcome.hpp"

namespace tideover::lua {
namespace {

int make_params(lua_State* state, const std::vector<Param>& params) {
  lua_createtable(state, 0, static_cast<int>(params.size()));
  for (const auto& param : params) {
    if (const auto* yes = std::get_if<bool>(&param.value)) lua_pushboolean(state, *yes ? 1 : 0);
    if (const auto* whole = std::get_if<std::int64_t>(&param.value)) lua_pushinteger(state, *whole);
    if (const auto* number = std::get_if<double>(&param.value)) lua_pushnumber(state, *number);
    if (const auto* text = std::get_if<std::string>(&param.value)) lua_pushlstring(state, text->data(), text->size());
    lua_setfield(state, -2, param.name.c_str());
  }
  push_view(state, Unknown::is_error, "params");
  return luaL_ref(state, LUA_REGISTRYINDEX);
}

/// Makes facts available for one call.
class Showing {
 public:
  template <class Facts>
  Showing(FactViews& views, const Facts& facts) : views_(views) {
    views.show(facts);
  }
  ~Showing() { views_.hide(); }
  Showing(const Showing&) = delete;
  Showing& operator=(const Showing&) = delete;

 private:
  FactViews& views_;
};

}  // namespace

Program::Program(std::shared_ptr<const Ruleset> ruleset, const TableSet& tables, const Limits& limits,
                 Coverage* coverage)
    : ruleset_(std::move(ruleset)),
      limits_(limits),
      sandbox_(ruleset_->bundle, tables, coverage),
      views_(sandbox_.state()),
      params_(make_params(sandbox_.state(), ruleset_->params)),
      index_(ruleset_->denial),
      memo_caches_(ruleset_->denial.size()),
      code_recall_(ruleset_->denial.size()) {
  for (const auto& rule : ruleset_->denial) evaluate_.push_back(load_evaluate(rule.file));
  terms_cells_ = cells_.size();
  if (!ruleset_->terms.file.empty()) terms_ = load_evaluate(ruleset_->terms.file);
  recourse_cells_ = cells_.size();
  if (!ruleset_->recourse.file.empty()) recourse_ = load_evaluate(ruleset_->recourse.file);
}

int Program::load_evaluate(const std::string& file) {
  lua_State* const s = sandbox_.state();
  const auto cells_before = sandbox_.cell_count();
  if (const auto failed = sandbox_.run_file(file)) throw std::runtime_error("rule file does not load: " + *failed);
  push_content(s, -1);
  lua_pushliteral(s, "evaluate");
  lua_rawget(s, -2);
  const int reference = luaL_ref(s, LUA_REGISTRYINDEX);
  lua_pop(s, 2);
  cells_.push_back({cells_before, sandbox_.cell_count()});
  return reference;
}

/// Prepares the claim before any rule is called. Its facts are available.
void Program::look_at(const ports::ClaimFacts& facts, Call call) {
  index_.select(views_.window());
  if (call == Call::always) return;
  question_cache_.begin_claim();
  code_recall_.look_at(facts.claim);
}

Verdicts Program::judge(const ports::ClaimFacts& facts, Call call) {
  Verdicts verdicts;
  {
    const Showing shown(views_, facts);
    look_at(facts, call);
    const auto& rules = ruleset_->denial;
    for (std::size_t word = 0; word * 64 < rules.size(); ++word) {
      auto asked = index_.selected()[word] & ~index_.off()[word];
      if (asked == 0) continue;
      if (call == Call::when_needed && code_recall_.is_looking()) {
        const auto spared = asked & index_.of_lines()[word] & code_recall_.silent_of_all(word);
        spared_calls_ += static_cast<std::uint64_t>(std::popcount(spared)) * facts.claim.service_lines.size();
        asked &= ~spared;
      }
      for (; asked != 0; asked &= asked - 1) {
        const auto rule = word * 64 + static_cast<std::size_t>(std::countr_zero(asked));
        const bool is_live = rules[rule].mode == RuleMode::live;
        auto& findings = is_live ? verdicts.findings : verdicts.shadowed;
        const auto before = findings.size();
        auto problem = run(rule, facts, findings, call);
        if (problem || findings.size() > before)
          verdicts.ended.push_back({rule, findings.size() > before, problem.has_value()});
        // A shadow rule has no effect, so its fault is counted and causes no manual review.
        if (problem && is_live) verdicts.faults.push_back({rules[rule].id, std::move(*problem)});
      }
    }
  }
  auto kept = settle();
  verdicts.kept_something = !kept.empty();
  const auto is_shadow = [&](const std::string& id) {
    return std::any_of(ruleset_->denial.begin(), ruleset_->denial.end(),
                       [&](const auto& rule) { return rule.id == id && rule.mode == RuleMode::shadow; });
  };
  for (auto& fault : kept) {
    for (std::size_t rule = 0; rule < ruleset_->denial.size(); ++rule)
      if (ruleset_->denial[rule].id == fault.rule_id) verdicts.ended.push_back({rule, false, true});
    if (!is_shadow(fault.rule_id)) verdicts.faults.push_back(std::move(fault));
  }
  return verdicts;
}

std::optional<std::string> Program::run_denial(std::size_t rule, const ports::ClaimFacts& facts,
                                               std::vector<domain::Finding>& findings, Call call) {
  const Showing shown(views_, facts);
  look_at(facts, call);
  return has(index_.selected(), rule) ? run(rule, facts, findings, call) : std::nullopt;
}

std::optional<std::string> Program::run(std::size_t rule, const ports::ClaimFacts& facts,
                                        std::vector<domain::Finding>& findings, Call call) {
  return ask(rule, facts, findings, [&](std::optional<std::size_t> line) -> std::optional<std::string> {
    if (call == Call::always) return call_denial(rule, facts, line, findings);
    if (line && code_recall_.knows_silence(rule, *line)) {
      ++spared_calls_;
      return std::nullopt;
    }
    MemoCache& memo = memo_caches_[rule];
    const bool recalls = memo.is_on();
    if (recalls) {
      if (memo.knows_silence(question_cache_, views_.window())) {
        ++spared_calls_;
        return std::nullopt;
      }
      reads_.clear();
      views_.note_reads_in(&reads_);
    }
    const auto before = findings.size();
    auto fault = call_denial(rule, facts, line, findings);
    views_.note_reads_in(nullptr);
    // Silence with more work than every line allows may be a fault with more lines.
    const bool holds_anywhere = !line || sandbox_.spent() <= kInstructionsPerLine;
    if (recalls && !fault && findings.size() == before && holds_anywhere) {
      memo.learn(question_cache_, reads_);
      if (line) code_recall_.learn(rule, *line, reads_);
    }
    return fault;
  });
}

std::optional<std::string> Program::run_denial(std::size_t rule, const ports::ClaimFacts& facts,
                                               std::vector<domain::Finding>& findings, FactReads& reads,
                                               TableReads& table_reads) {
  const Showing shown(views_, facts);
  reads.clear();
  table_reads.clear();
  look_at(facts, Call::always);
  if (!has(index_.selected(), rule)) return std::nullopt;
  views_.note_reads_in(&reads);
  sandbox_.note_table_reads_in(&table_reads);
  auto fault = ask(rule, facts, findings, [&](std::optional<std::size_t> line) {
    auto problem = call_denial(rule, facts, line, findings);
    if (line) reads.place(*line);
    return problem;
  });
  sandbox_.note_table_reads_in(nullptr);
  return fault;
}

/// One call for the claim, or one for each of its lines. After a fault the rule has no findings.
template <class One>
std::optional<std::string> Program::ask(std::size_t rule, const ports::ClaimFacts& facts,
                                        std::vector<domain::Finding>& findings, One one) {
  if (!ruleset_->denial[rule].asks_lines) return one(std::nullopt);
  const auto before = findings.size();
  const auto lines = facts.claim.service_lines.size();
  line_limits_ = for_line_of(std::max<std::size_t>(lines, 1), limits_);
  for (std::size_t line = 0; line < lines && findings.size() - before < kMostFindings; ++line) {
    if (!index_.is_for_line(rule, line)) continue;
    views_.ask_about(line);
    if (auto fault = one(line)) {
      findings.resize(before);
      return fault;
    }
  }
  if (findings.size() - before > kMostFindings) findings.resize(before + kMostFindings);
  return std::nullopt;
}

std::optional<std::string> Program::call_denial(std::size_t rule, const ports::ClaimFacts& facts,
                                                std::optional<std::size_t> line,
                                                std::vector<domain::Finding>& findings) {
  lua_State* const s = sandbox_.state();
  if (called_.empty() || called_.back().to != cells_[rule].to) called_.push_back(cells_[rule]);
  lua_rawgeti(s, LUA_REGISTRYINDEX, evaluate_[rule]);
  if (line) views_.push_line();
  views_.push_claim();
  views_.push_payer();
  lua_rawgeti(s, LUA_REGISTRYINDEX, params_);
  auto failed = sandbox_.call(line ? 4 : 3, line ? line_limits_ : limits_);
  line_limits_.processor_time -= sandbox_.processor_time();
  if (failed) return failed;
  auto fault = read_findings(s, -1, ruleset_->denial[rule], facts, line, findings);
  lua_pop(s, 1);
  return fault;
}

std::optional<std::string> Program::run_terms(const ports::TermsFacts& facts, domain::TermsProposal& proposal) {
  const Showing shown(views_, facts);
  return call_terms(proposal);
}

std::optional<std::string> Program::run_terms(const ports::TermsFacts& facts, domain::TermsProposal& proposal,
                                              FactReads& reads, TableReads& table_reads) {
  const Showing shown(views_, facts);
  reads.clear();
  table_reads.clear();
  views_.note_reads_in(&reads);
  sandbox_.note_table_reads_in(&table_reads);
  auto fault = call_terms(proposal);
  sandbox_.note_table_reads_in(nullptr);
  return fault;
}

std::optional<std::string> Program::call_terms(domain::TermsProposal& proposal) {
  lua_State* const s = sandbox_.state();
  called_.push_back(cells_[terms_cells_]);
  lua_rawgeti(s, LUA_REGISTRYINDEX, terms_);
  views_.push_review();
  lua_rawgeti(s, LUA_REGISTRYINDEX, params_);
  if (auto fault = sandbox_.call(2, limits_)) return fault;
  auto fault = read_proposal(s, -1, proposal);
  lua_pop(s, 1);
  return fault;
}

std::optional<std::string> Program::run_recourse(const domain::RecourseFacts& facts,
                                                 std::optional<domain::RecourseProposal>& proposal) {
  const Showing shown(views_, facts);
  lua_State* const s = sandbox_.state();
  called_.push_back(cells_[recourse_cells_]);
  lua_rawgeti(s, LUA_REGISTRYINDEX, recourse_);
  views_.push_event();
  lua_rawgeti(s, LUA_REGISTRYINDEX, params_);
  if (auto fault = sandbox_.call(2, limits_)) return fault;
  auto fault = read_recourse(s, -1, proposal);
  lua_pop(s, 1);
  return fault;
}

std::vector<domain::RuleFault> Program::settle() {
  std::vector<domain::RuleFault> faults;
  code_recall_.look_away();
  if (called_.empty()) return faults;
  auto kept = sandbox_.restore(called_);
  called_.clear();
  if (!kept.empty() || question_cache_.is_full()) {
    // If a rule kept a value, another rule of this claim may have been silent because of it.
    question_cache_.forget_texts();
    for (auto& memo : memo_caches_) memo.forget();
    code_recall_.forget();
  }
  for (auto& [owner, variable] : kept) {
    const auto rule = std::find_if(ruleset_->denial.begin(), ruleset_->denial.end(),
                                   [&name = owner](const auto& r) { return r.file == name; });
    if (rule != ruleset_->denial.end()) owner = rule->id;
    if (owner == ruleset_->terms.file) owner = ruleset_->terms.id;
    if (owner == ruleset_->recourse.file) owner = ruleset_->recourse.id;
    faults.push_back(
        {std::move(owner),
         "assigns '" + variable + "', a local of the file outside evaluate: a rule must keep nothing between claims"});
  }
  sandbox_.collect();
  return faults;
}

}  // namespace tideover::lua
