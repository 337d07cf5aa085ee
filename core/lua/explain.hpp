// What each rule thought of one claim, and what it read to think so: for the analyst who asks why.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/lua/limits.hpp"
#include "core/lua/ruleset.hpp"
#include "core/ports/rule_policy.hpp"

namespace tideover::lua {

struct FactRead {
  std::string name;   // "claim.lines[2].cpt"
  std::string value;  // as text_of() says it
};

struct RuleExplanation {
  enum class Verdict { fired, silent, failed, off, not_applicable };

  const DenialRule* rule = nullptr;  // of the ruleset
  Verdict verdict = Verdict::silent;
  std::vector<domain::Finding> findings;  // of a shadow rule as well, though it adds nothing
  std::string fault;                      // why it failed
  std::vector<std::string> missing;       // facts that it needs and the claim does not have: then it is not applicable
  std::string elsewhere;                  // what the rule is for instead ("is for payers P1, P2"): then it is not applicable either
  std::vector<FactRead> reads;            // each fact once, in the order in which the rule asked
  bool read_more = false;                 // than the first 64 questions, which are shown
  std::vector<FactRead> table_reads;      // the first 64, each with edition and digest of its table
};

/// Every rule of the ruleset, in its order. Nothing is counted or kept.
std::vector<RuleExplanation> explain_denial(const std::shared_ptr<const Ruleset>& ruleset, const Limits& limits, const ports::ClaimFacts& facts);

}  // namespace tideover::lua
