// The reassociation trace in the addenda of a payment (CCD+, CTX): TRN*1*<trace number>*<originator>[*<supplement>].
//
// Threads: pure functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tideover::domain {

struct AddendaTrace {
  std::string trace_number;  // TRN02; never empty
  std::string originator;    // TRN03; may be empty
};

/// The trace of the TRN segment, which ends at `~`, a backslash or the end of its line. nullopt when there is none,
/// when segments name different trace numbers, or when the number is longer than TRN02 may be.
std::optional<AddendaTrace> trace_in(std::string_view addenda);

}  // namespace tideover::domain
