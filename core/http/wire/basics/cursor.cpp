#include "core/http/wire/basics/cursor.hpp"

#include "core/crypto/primitives/encoding.hpp"
#include "core/domain/basics/text.hpp"

namespace tideover::wire {

std::string seal_cursor(std::string_view list, std::string_view position) {
  return crypto::base64url_encode(std::string(list).append(position));
}

std::optional<std::string> open_cursor(std::string_view list, std::string_view cursor) {
  const auto bytes = crypto::base64url_decode(cursor);
  if (!bytes) return std::nullopt;
  std::string text(bytes->begin(), bytes->end());
  // Anyone can encode a position: it must be text that a column of ids can be compared with.
  const bool is_plain = domain::is_ascii(text) && text.find('\0') == std::string::npos;
  if (!is_plain || !text.starts_with(list)) return std::nullopt;
  return text.substr(list.size());
}

}  // namespace tideover::wire
