#include "core/pickup/safe_name.hpp"

namespace tideover::pickup {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

}  // namespace

std::string safe_name(std::string_view raw) {
  std::string safe;
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%' && c != '/') {
      safe += c;
    } else {
      safe += '%';
      safe += kHexDigits[byte >> 4];
      safe += kHexDigits[byte & 15];
    }
  }
  return safe;
}

std::string raw_name(std::string_view safe) {
  std::string raw;
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const auto high = i + 2 < safe.size() ? kHexDigits.find(safe[i + 1]) : std::string_view::npos;
    const auto low = i + 2 < safe.size() ? kHexDigits.find(safe[i + 2]) : std::string_view::npos;
    if (safe[i] == '%' && high != std::string_view::npos && low != std::string_view::npos) {
      raw += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      raw += safe[i];
    }
  }
  return raw;
}

}  // namespace tideover::pickup
