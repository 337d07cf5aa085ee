// Finds the payer that an unknown id probably means. Spreadsheets and billing systems drop or add leading zeros of ids.
#pragma once
#include <string>
#include <string_view>

#include "core/ports/plugins/payer_directory.hpp"

namespace tideover::usecases {

/// The id of the payer that differs from `id` only by leading zeros; empty when there is none or the directory does not
/// respond.
std::string near_payer_id(ports::PayerDirectory& payers, std::string_view id);

}  // namespace tideover::usecases
