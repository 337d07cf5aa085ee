// UTF-8 according to RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once
#include <cstddef>
#include <string_view>

namespace tideover::domain {

/// The number of bytes of the well-formed character at the start of `text`; 0 when there is none.
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);
bool is_ascii(std::string_view text);
/// Well-formed and without control characters: accepted by every database and log.
bool is_printable(std::string_view text);
/// "." or "..": a name that URLs and folders give another meaning.
inline bool is_dot_segment(std::string_view text) {
  return text == "." || text == "..";
}
/// The number of characters of a well-formed text.
std::size_t count_characters(std::string_view text);

}  // namespace tideover::domain
