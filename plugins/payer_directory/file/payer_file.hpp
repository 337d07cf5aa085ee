// Reads payers from a JSON Lines file: one payer object per line, blank lines and lines starting with # skipped.
#pragma once
#include <string>
#include <vector>

#include "tideover/payer_directory.hpp"

namespace payer_file {

/// In file order. Throws Fault(INVALID_CONFIG) with path:line for the first fault: an unknown key, a wrong type, a rate
/// out of range, or a payer_id or alias that is already used.
std::vector<tideover::sdk::Payer> load(const std::string& path);

}  // namespace payer_file
