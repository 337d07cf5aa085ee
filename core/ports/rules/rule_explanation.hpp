// The result of one rule on one claim, and what it read, for explanations.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/reviews/review.hpp"

namespace tideover::ports {

struct FactRead {
  std::string name;   // "claim.lines[2].cpt"
  std::string value;  // for display: "99213", 100000 (1000.00)
};

struct RuleExplanation {
  enum class Verdict { fired, silent, failed, off, not_applicable };

  std::string rule_id;
  std::int64_t rev = 1;
  std::string file;
  bool is_shadow = false;  // its findings add nothing
  Verdict verdict = Verdict::silent;
  std::vector<domain::Finding> findings;  // also of a shadow rule
  std::string fault;                      // why it failed
  std::vector<std::string> missing;       // needed facts that the claim lacks: the rule is not applicable
  std::string elsewhere;        // what the rule applies to instead ("is for payers P1, P2"): the rule is not applicable
  std::vector<FactRead> reads;  // each fact once, in the order of reading
  bool read_more = false;       // more than the first 64, which are shown
  std::vector<FactRead> table_reads;  // the first 64, each with edition and digest of its table
};

}  // namespace tideover::ports
