// An entry of the reason-code catalogue (core/docs/contract.md#lists-and-metadata). CARC and RARC numbers belong to
// X12; the texts are our own.
#pragma once
#include <string>
#include <vector>

namespace tideover::domain {

struct ReasonCode {
  std::string code;    // "29" or "TIMELY_FILING"
  std::string system;  // CARC | RARC | SERVICE
  std::string description;
  std::vector<std::string> group_codes;  // CO | PR | OA | PI
  std::string category;                  // eligibility, authorization, coding, timely_filing, ...
  std::string severity;                  // info | warning | denial
  std::string recommended_action;
  std::string maps_to;  // the CARC a SERVICE code stands for; empty for none
  bool active = true;
  std::string effective_from;  // date text; empty for unknown
  std::string effective_to;
};

}  // namespace tideover::domain
