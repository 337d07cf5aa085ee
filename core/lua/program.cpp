#include "core/lua/program.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/lua/outcome.hpp"

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

/// Shows facts for one call.
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

Program::Program(std::shared_ptr<const Ruleset> ruleset, const TableSet& tables, const Limits& limits)
    : ruleset_(std::move(ruleset)),
      limits_(limits),
      sandbox_(ruleset_->bundle, tables),
      views_(sandbox_.state()),
      params_(make_params(sandbox_.state(), ruleset_->params)),
      recalls_(ruleset_->denial.size()),
      code_recall_(ruleset_->denial.size()) {
  for (const auto& rule : ruleset_->denial) evaluate_.push_back(load_evaluate(rule.file));
  if (!ruleset_->terms.file.empty()) terms_ = load_evaluate(ruleset_->terms.file);
}

int Program::load_evaluate(const std::string& file) {
  lua_State* const s = sandbox_.state();
  if (const auto failed = sandbox_.run_file(file)) throw std::runtime_error("rule file does not load: " + *failed);
  push_content(s, -1);
  lua_pushliteral(s, "evaluate");
  lua_rawget(s, -2);
  const int reference = luaL_ref(s, LUA_REGISTRYINDEX);
  lua_pop(s, 2);
  return reference;
}

std::optional<std::string> Program::run_denial(std::size_t rule, const ports::ClaimFacts& facts,
                                               std::vector<domain::Finding>& findings, Call call) {
  const Showing shown(views_, facts);
  if (lacks_needs(rule)) return std::nullopt;
  return ask(rule, facts, findings, [&](std::optional<std::size_t> line) -> std::optional<std::string> {
    if (line && call == Call::when_needed) {
      if (!code_recall_.is_looking()) code_recall_.look_at(facts.claim);
      if (code_recall_.knows_silence(rule, *line)) {
        ++spared_calls_;
        return std::nullopt;
      }
    }
    Recall& recall = recalls_[rule];
    const bool recalls = call == Call::when_needed && recall.is_on();
    if (recalls) {
      if (recall.knows_silence(views_.window())) {
        ++spared_calls_;
        return std::nullopt;
      }
      reads_.clear();
      views_.note_reads_in(&reads_);
    }
    const auto before = findings.size();
    auto fault = call_denial(rule, facts, line, findings);
    if (recalls && !fault && findings.size() == before) {
      recall.learn(reads_);
      if (line) code_recall_.learn(rule, *line, reads_);
    }
    return fault;
  });
}

std::optional<std::string> Program::run_denial(std::size_t rule, const ports::ClaimFacts& facts, std::vector<domain::Finding>& findings,
                                               FactReads& reads, TableReads& table_reads) {
  const Showing shown(views_, facts);
  reads.clear();
  table_reads.clear();
  if (lacks_needs(rule)) return std::nullopt;
  views_.note_reads_in(&reads);
  sandbox_.note_table_reads_in(&table_reads);
  auto fault = ask(rule, facts, findings, [&](std::optional<std::size_t> line) {
    auto told = call_denial(rule, facts, line, findings);
    if (line) reads.place(*line);
    return told;
  });
  sandbox_.note_table_reads_in(nullptr);
  return fault;
}

/// One call about the claim, or one about each of its lines. After a fault nothing of the rule stays.
template <class One>
std::optional<std::string> Program::ask(std::size_t rule, const ports::ClaimFacts& facts, std::vector<domain::Finding>& findings, One one) {
  if (!ruleset_->denial[rule].asks_lines) return one(std::nullopt);
  const auto before = findings.size();
  for (std::size_t line = 0; line < facts.claim.service_lines.size() && findings.size() - before < kMostFindings; ++line) {
    views_.ask_about(line);
    if (auto fault = one(line)) {
      findings.resize(before);
      return fault;
    }
  }
  if (findings.size() - before > kMostFindings) findings.resize(before + kMostFindings);
  return std::nullopt;
}

bool Program::lacks_needs(std::size_t rule) const {
  const auto& needs = ruleset_->denial[rule].needs;
  return std::any_of(needs.begin(), needs.end(), [&](const FactField* fact) { return is_missing(*fact, views_.window()); });
}

std::optional<std::string> Program::call_denial(std::size_t rule, const ports::ClaimFacts& facts, std::optional<std::size_t> line,
                                                std::vector<domain::Finding>& findings) {
  lua_State* const s = sandbox_.state();
  lua_rawgeti(s, LUA_REGISTRYINDEX, evaluate_[rule]);
  if (line) views_.push_line();
  views_.push_claim();
  views_.push_payer();
  lua_rawgeti(s, LUA_REGISTRYINDEX, params_);
  if (auto fault = sandbox_.call(line ? 4 : 3, limits_)) return fault;
  auto fault = read_findings(s, -1, ruleset_->denial[rule], facts, line, findings);
  lua_pop(s, 1);
  return fault;
}

std::optional<std::string> Program::run_terms(const ports::TermsFacts& facts, domain::TermsProposal& proposal) {
  lua_State* const s = sandbox_.state();
  const Showing shown(views_, facts);
  lua_rawgeti(s, LUA_REGISTRYINDEX, terms_);
  views_.push_review();
  lua_rawgeti(s, LUA_REGISTRYINDEX, params_);
  if (auto fault = sandbox_.call(2, limits_)) return fault;
  auto fault = read_proposal(s, -1, proposal);
  lua_pop(s, 1);
  return fault;
}

std::vector<domain::RuleFault> Program::settle() {
  std::vector<domain::RuleFault> faults;
  auto kept = sandbox_.restore();
  code_recall_.look_away();
  if (!kept.empty()) {  // then a rule of this claim may have been silent because of what another one kept
    for (auto& recall : recalls_) recall.forget();
    code_recall_.forget();
  }
  for (auto& [owner, variable] : kept) {
    const auto rule =
        std::find_if(ruleset_->denial.begin(), ruleset_->denial.end(), [&](const auto& r) { return r.file == owner; });
    if (rule != ruleset_->denial.end()) owner = rule->id;
    if (owner == ruleset_->terms.file) owner = ruleset_->terms.id;
    faults.push_back(
        {std::move(owner),
         "assigns '" + variable + "', a local of the file outside evaluate: a rule must keep nothing between claims"});
  }
  sandbox_.collect();
  return faults;
}

}  // namespace tideover::lua
