#include "core/crypto/primitives/encoding.hpp"

#include <array>
#include <utility>

namespace tideover::crypto {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kBase64Url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kNoDigit = 0xff;
using DigitValues = std::array<std::uint8_t, 256>;

constexpr DigitValues values_of(std::string_view alphabet) {
  DigitValues values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}

constexpr DigitValues kHexValues = values_of(kHexDigits);
constexpr DigitValues kBase64Values = values_of(kBase64);
constexpr DigitValues kBase64UrlValues = values_of(kBase64Url);

std::string encode_sextets(ByteView bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t pending = 0;
  int pending_bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    pending = (pending << 8) | bytes.data()[i];
    pending_bits += 8;
    while (pending_bits >= 6) {
      pending_bits -= 6;
      text.push_back(alphabet[(pending >> pending_bits) & 0x3f]);
    }
  }
  if (pending_bits > 0) text.push_back(alphabet[(pending << (6 - pending_bits)) & 0x3f]);
  return text;
}

template <class Into>
bool decode_sextets(std::string_view text, const DigitValues& values, Into& bytes) {
  if (text.size() % 4 == 1) return false;  // six bits are less than a byte
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t pending = 0;
  int pending_bits = 0;
  for (const char digit : text) {
    const std::uint8_t value = values[static_cast<unsigned char>(digit)];
    if (value == kNoDigit) return false;
    pending = (pending << 6) | value;
    pending_bits += 6;
    if (pending_bits >= 8) {
      pending_bits -= 8;
      bytes.push_back(static_cast<typename Into::value_type>(static_cast<std::uint8_t>(pending >> pending_bits)));
    }
  }
  const std::uint32_t trailing = pending & ((1u << pending_bits) - 1);
  return trailing == 0;
}

template <class Into>
bool decode_base64(std::string_view text, Into& bytes) {
  if (text.size() % 4 != 0) return false;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  return decode_sextets(text, kBase64Values, bytes);
}

}  // namespace

std::string hex_encode(ByteView bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text.push_back(kHexDigits[bytes.data()[i] >> 4]);
    text.push_back(kHexDigits[bytes.data()[i] & 0x0f]);
  }
  return text;
}

std::optional<Bytes> hex_decode(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  Bytes bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::uint8_t high = kHexValues[static_cast<unsigned char>(text[i])];
    const std::uint8_t low = kHexValues[static_cast<unsigned char>(text[i + 1])];
    if (high == kNoDigit || low == kNoDigit) return std::nullopt;
    bytes.push_back(static_cast<std::uint8_t>(high << 4 | low));
  }
  return bytes;
}

std::string base64_encode(ByteView bytes) {
  std::string text = encode_sextets(bytes, kBase64);
  while (text.size() % 4 != 0) text.push_back('=');
  return text;
}

std::optional<Bytes> base64_decode(std::string_view text) {
  Bytes bytes;
  return decode_base64(text, bytes) ? std::optional(std::move(bytes)) : std::nullopt;
}

bool base64_decode(std::string_view text, std::string& into) {
  into.clear();
  return decode_base64(text, into);
}

std::string base64url_encode(ByteView bytes) {
  return encode_sextets(bytes, kBase64Url);
}

std::optional<Bytes> base64url_decode(std::string_view text) {
  Bytes bytes;
  return decode_sextets(text, kBase64UrlValues, bytes) ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace tideover::crypto
