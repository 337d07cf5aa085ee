// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once
#include <cstddef>
#include <string_view>

namespace tideover::domain {

/// Bytes of the well-formed character at the front of `text`; 0 when there is none.
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);
/// Well-formed and without control characters: what every database keeps and every log shows.
bool is_printable(std::string_view text);
/// Characters of a well-formed text.
std::size_t count_characters(std::string_view text);

}  // namespace tideover::domain
