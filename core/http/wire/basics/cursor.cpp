#include "core/http/wire/basics/cursor.hpp"

#include "core/crypto/primitives/encoding.hpp"

namespace tideover::wire {

std::string seal_cursor(std::string_view list, std::string_view position) {
  return crypto::base64url_encode(std::string(list).append(position));
}

std::optional<std::string> open_cursor(std::string_view list, std::string_view cursor) {
  const auto bytes = crypto::base64url_decode(cursor);
  if (!bytes) return std::nullopt;
  std::string text(bytes->begin(), bytes->end());
  if (!text.starts_with(list)) return std::nullopt;
  return text.substr(list.size());
}

}  // namespace tideover::wire
