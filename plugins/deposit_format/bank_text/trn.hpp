// The reassociation trace in the addenda of a payment (CCD+: TRN*1*<trace number>*<originator>[*<supplement>]~).
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bank_text {

struct Trn {
  std::string trace_number;  // TRN02
  std::string originator;    // TRN03; the payer, which is not always the company that sent the entry
  std::string supplement;    // TRN04
  bool ended = false;        // its segment terminator (~ or \) is there
};

/// The first segment with a trace number. A segment may be broken between two lines at any position.
std::optional<Trn> find_trn(const std::vector<std::string_view>& lines);

/// The ids under which the payer may be known, most specific first: of the trace, then of the company that sent the
/// entry.
std::vector<std::string> payer_ids_of(const std::optional<Trn>& trn, const std::string& company_id);

}  // namespace bank_text
