// The payer that an id which no directory knows may be meant for: spreadsheets and billing systems lose zeros in front
// of ids, and add them.
#pragma once
#include <string>
#include <string_view>

#include "core/ports/plugins/payer_directory.hpp"

namespace tideover::usecases {

/// Id of the payer whose id differs from `id` by zeros in front alone; empty where there is none, or the directory does
/// not answer.
std::string near_payer_id(ports::PayerDirectory& payers, std::string_view id);

}  // namespace tideover::usecases
