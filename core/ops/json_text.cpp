#include "core/ops/json_text.hpp"

#include <algorithm>
#include <cstddef>

#include "core/domain/basics/text.hpp"

namespace tideover::ops {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

/// ASCII without escapes, as nearly all text in a log.
bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = domain::utf8_length(text);
    const unsigned char first = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      out += kReplacement;
    } else if (first == '"' || first == '\\') {
      out += '\\';
      out += text[0];
    } else if (first == '\n') {
      out += "\\n";
    } else if (first < 0x20 || first == 0x7f) {
      out += "\\u00";
      out += kHexDigits[first >> 4];
      out += kHexDigits[first & 0x0f];
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

}  // namespace tideover::ops
