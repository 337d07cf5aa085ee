// One line of NDJSON, strict RFC 8259, flattened to paths of the review request.
#pragma once
#include <string>
#include <string_view>

#include "claim_rows/mapping.hpp"

namespace ndjson {

/// Fields in file order: "service_lines[0].cpt". Numbers keep their text, true and false become words, null is omitted,
/// unknown keys are kept. Returns the fault, or empty. Top-level keys are renamed by `mapping`.
std::string flatten(std::string_view line, const claim_rows::Mapping& mapping, tideover::sdk::Pairs& fields);

}  // namespace ndjson
