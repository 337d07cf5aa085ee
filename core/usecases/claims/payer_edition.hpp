// A payer's record, as a review used it, as text. Equal records have equal texts, so the digest of the text names the
// edition.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/claims/payer.hpp"

namespace tideover::usecases {

std::string text_of(const domain::Payer& payer);
/// nullopt when the text is damaged or written by a later version of the program.
std::optional<domain::Payer> payer_of(std::string_view text);

}  // namespace tideover::usecases
