// A payer's record as a review was made with it, as one text: the same record is the same text, so its digest names the
// edition.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/claims/payer.hpp"

namespace tideover::usecases {

std::string text_of(const domain::Payer& payer);
/// nullopt: damaged, or of a later version of the program.
std::optional<domain::Payer> payer_of(std::string_view text);

}  // namespace tideover::usecases
