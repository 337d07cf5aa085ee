#include "core/lua/engine/explain.hpp"

#include <algorithm>

#include "core/lua/ruleset/program.hpp"

namespace tideover::lua {
namespace {

using ports::FactRead;
using ports::RuleExplanation;
using Verdict = RuleExplanation::Verdict;

std::vector<FactRead> named_reads(const FactReads& reads) {
  std::vector<FactRead> facts;
  for (const auto& read : reads.all()) {
    const auto name = name_of(read.question);
    if (std::none_of(facts.begin(), facts.end(), [&](const auto& known) { return known.name == name; }))
      facts.push_back({name, text_of(read.question, read.value)});
  }
  return facts;
}

}  // namespace

std::vector<RuleExplanation> explain_denial(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits,
                                            const ports::ClaimFacts& facts) {
  Program program(ruleset, ruleset->tables, limits);
  std::vector<RuleExplanation> all;
  for (std::size_t i = 0; i < ruleset->denial.size(); ++i) {
    const auto& rule = ruleset->denial[i];
    RuleExplanation& one = all.emplace_back();
    one.rule_id = rule.id;
    one.rev = rule.rev;
    one.file = rule.file;
    one.is_shadow = rule.mode == RuleMode::shadow;
    if (rule.mode == RuleMode::off) {
      one.verdict = Verdict::off;
      continue;
    }
    const Window window{&facts};
    for (const auto* const fact : rule.needs)
      if (is_missing(*fact, window)) one.missing.push_back(std::string("claim.") + fact->name);
    one.elsewhere = reason_not_for(rule, facts);
    if (!one.missing.empty() || !one.elsewhere.empty()) {
      one.verdict = Verdict::not_applicable;
      continue;
    }
    FactReads reads;
    TableReads table_reads;
    auto fault = program.run_denial(i, facts, one.findings, reads, table_reads);
    one.verdict = fault ? Verdict::failed : one.findings.empty() ? Verdict::silent : Verdict::fired;
    one.fault = std::move(fault).value_or("");
    one.reads = named_reads(reads);
    one.read_more = !reads.is_whole();
    for (const auto& read : table_reads.all()) one.table_reads.push_back({name_of(read), text_of(read)});
  }
  for (const auto& kept : program.settle())
    for (auto& one : all)
      if (one.rule_id == kept.rule_id) {
        one.verdict = Verdict::failed;
        one.fault = kept.problem;
      }
  return all;
}

RuleExplanation explain_terms(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits,
                              const ports::TermsFacts& facts) {
  Program program(ruleset, ruleset->tables, limits);
  RuleExplanation one;
  one.rule_id = ruleset->terms.id;
  one.rev = ruleset->terms.rev;
  one.file = ruleset->terms.file;
  FactReads reads;
  TableReads table_reads;
  domain::TermsProposal proposal;
  auto fault = program.run_terms(facts, proposal, reads, table_reads);
  for (const auto& kept : program.settle())
    if (!fault && kept.rule_id == one.rule_id) fault = kept.problem;
  if (fault) one.verdict = Verdict::failed;
  one.fault = std::move(fault).value_or("");
  one.reads = named_reads(reads);
  one.read_more = !reads.is_whole();
  for (const auto& read : table_reads.all()) one.table_reads.push_back({name_of(read), text_of(read)});
  return one;
}

}  // namespace tideover::lua
