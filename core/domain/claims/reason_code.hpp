// An entry of the reason-code catalogue (core/docs/contract.md#lists-and-metadata). CARC and RARC numbers belong to
// X12; the texts are our own.
#pragma once
#include <string>
#include <string_view>
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

/// The form of CARC, RARC and claim status codes: up to two capital letters and one to three digits. Payers use more of
/// them than a catalogue has.
bool has_payer_code_form(std::string_view text);
/// A code of the catalogue, or one that a payer may use.
bool is_reason_code(std::string_view text, const std::vector<ReasonCode>& catalogue);

}  // namespace tideover::domain
