// A ruleset loaded into a Lua state and ready to run; used by one worker at a time.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/lua/facts/fact_views.hpp"
#include "core/lua/facts/memo_cache.hpp"
#include "core/lua/ruleset/rule_index.hpp"
#include "core/lua/ruleset/ruleset.hpp"
#include "core/lua/vm/limits.hpp"
#include "core/lua/vm/sandbox.hpp"

namespace tideover::lua {

/// The results of the rules of a ruleset for one claim.
struct Verdicts {
  struct Ended {
    std::size_t rule;  // index in Ruleset::denial
    bool fired, failed;
  };
  std::vector<domain::Finding> findings, shadowed;
  std::vector<domain::RuleFault> faults;
  std::vector<Ended> ended;     // rules that fired or failed
  bool kept_something = false;  // a rule kept a value that later rules could read
};

class Program {
 public:
  /// Throws std::runtime_error when a file does not load, which the loader has excluded for a published ruleset. Its
  /// table() reads `tables`: the official tables of the ruleset or its samples.
  Program(std::shared_ptr<const Ruleset> ruleset, const TableSet& tables, const Limits& limits,
          Coverage* coverage = nullptr);

  const std::shared_ptr<const Ruleset>& ruleset() const { return ruleset_; }

  /// Whether a rule that is known to be silent is called anyway.
  enum class Call { always, when_needed };
  /// Calls every rule that is not off and that can apply to the claim, then settles.
  Verdicts judge(const ports::ClaimFacts& facts, Call call);
  /// Whether the last claim concerned the rule, called or known to be silent.
  bool was_asked(std::size_t rule) const { return has(index_.selected(), rule) && !has(index_.off(), rule); }
  /// Runs the rule with this index in Ruleset::denial, in any mode. On a fault returns its text and leaves `findings`
  /// unchanged.
  [[nodiscard]] std::optional<std::string> run_denial(std::size_t rule, const ports::ClaimFacts& facts,
                                                      std::vector<domain::Finding>& findings, Call call = Call::always);
  /// As above, with the facts that the rule read. Texts belong to the facts.
  [[nodiscard]] std::optional<std::string> run_denial(std::size_t rule, const ports::ClaimFacts& facts,
                                                      std::vector<domain::Finding>& findings, FactReads& reads,
                                                      TableReads& table_reads);
  [[nodiscard]] std::optional<std::string> run_terms(const ports::TermsFacts& facts, domain::TermsProposal& proposal);
  [[nodiscard]] std::optional<std::string> run_terms(const ports::TermsFacts& facts, domain::TermsProposal& proposal,
                                                     FactReads& reads, TableReads& table_reads);

  [[nodiscard]] std::optional<std::string> run_recourse(const domain::RecourseFacts& facts,
                                                        std::optional<domain::RecourseProposal>& proposal);

  /// Ends the work on one claim: resets what rules kept between calls, and names those rules (for a library: its file).
  std::vector<domain::RuleFault> settle();
  /// Number of calls that were skipped, in total.
  std::uint64_t spared_calls() const { return spared_calls_; }

 private:
  int load_evaluate(const std::string& file);
  void look_at(const ports::ClaimFacts& facts, Call call);
  std::optional<std::string> run(std::size_t rule, const ports::ClaimFacts& facts,
                                 std::vector<domain::Finding>& findings, Call call);
  std::optional<std::string> call_terms(domain::TermsProposal& proposal);
  template <class One>
  std::optional<std::string> ask(std::size_t rule, const ports::ClaimFacts& facts,
                                 std::vector<domain::Finding>& findings, One one);
  std::optional<std::string> call_denial(std::size_t rule, const ports::ClaimFacts& facts,
                                         std::optional<std::size_t> line, std::vector<domain::Finding>& findings);

  std::shared_ptr<const Ruleset> ruleset_;
  Limits limits_, line_limits_;  // of a call for the claim; of a call for a line
  Sandbox sandbox_;
  FactViews views_;
  int params_;  // registry references
  RuleIndex index_;
  std::vector<int> evaluate_;  // by index in Ruleset::denial
  std::vector<Sealer::Cells>
      cells_;  // by the same index: upvalues of the rule's file; then those of the terms rule and the recourse rule
  int terms_ = LUA_NOREF, recourse_ = LUA_NOREF;
  std::size_t terms_cells_ = 0, recourse_cells_ = 0;  // positions in cells_
  std::vector<MemoCache> memo_caches_;                // by index in Ruleset::denial
  CodeMemo code_recall_;
  QuestionCache question_cache_;
  std::vector<Sealer::Cells> called_;  // of the files called since the last settling
  FactReads reads_;
  std::uint64_t spared_calls_ = 0;
};

}  // namespace tideover::lua
