// Hex, Base64 and Base64url (RFC 4648). Encoders write the canonical form. Decoders accept nothing else, so that a
// value has exactly one spelling and a signed text has no second form. nullopt = not canonical.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

using Bytes = std::vector<std::uint8_t>;

/// Lower-case digits. Decoding requires lower case and an even number of digits.
std::string hex_encode(ByteView bytes);
std::optional<Bytes> hex_decode(std::string_view text);

/// RFC 4648 section 4, with padding. Decoding refuses missing or extra padding, line breaks and non-zero trailing bits.
std::string base64_encode(ByteView bytes);
std::optional<Bytes> base64_decode(std::string_view text);
/// For large texts, without a copy. False = not canonical; the content of `into` is then undefined.
bool base64_decode(std::string_view text, std::string& into);

/// RFC 4648 section 5, without padding. Decoding refuses padding and non-zero trailing bits.
std::string base64url_encode(ByteView bytes);
std::optional<Bytes> base64url_decode(std::string_view text);

}  // namespace tideover::crypto
