#include "core/domain/claims/reason_code.hpp"

#include <algorithm>

namespace tideover::domain {

bool has_payer_code_form(std::string_view text) {
  constexpr std::size_t kMostLetters = 2, kMostDigits = 3;
  const auto letters_end =
      std::find_if(text.begin(), text.end(), [](char c) { return c < 'A' || c > 'Z'; }) - text.begin();
  const auto letters = static_cast<std::size_t>(letters_end);
  const auto digits = text.substr(letters);
  return letters <= kMostLetters && !digits.empty() && digits.size() <= kMostDigits &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_reason_code(std::string_view text, const std::vector<ReasonCode>& catalogue) {
  return has_payer_code_form(text) ||
         std::any_of(catalogue.begin(), catalogue.end(), [&](const ReasonCode& known) { return known.code == text; });
}

}  // namespace tideover::domain
