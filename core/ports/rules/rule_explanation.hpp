// How one rule ended on one claim, and what it read to end so: for whoever asks why.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/reviews/review.hpp"

namespace tideover::ports {

struct FactRead {
  std::string name;   // "claim.lines[2].cpt"
  std::string value;  // for people: "99213", 100000 (1000.00)
};

struct RuleExplanation {
  enum class Verdict { fired, silent, failed, off, not_applicable };

  std::string rule_id;
  std::int64_t rev = 1;
  std::string file;
  bool is_shadow = false;  // what it finds adds nothing
  Verdict verdict = Verdict::silent;
  std::vector<domain::Finding> findings;  // of a shadow rule as well
  std::string fault;                      // why it failed
  std::vector<std::string> missing;       // facts that it needs and the claim does not have: then it is not applicable
  std::string elsewhere;  // what the rule is for instead ("is for payers P1, P2"): then it is not applicable either
  std::vector<FactRead> reads;        // each fact once, in the order in which the rule asked
  bool read_more = false;             // than the first 64 questions, which are shown
  std::vector<FactRead> table_reads;  // the first 64, each with edition and digest of its table
};

}  // namespace tideover::ports
