#include "core/crypto/webhook_signature.hpp"

#include <charconv>
#include <vector>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/hmac.hpp"

namespace tideover::crypto {
namespace {

constexpr std::string_view kSecretPrefix = "whsec_";
constexpr std::size_t kNewSecretBytes = 32;
constexpr std::size_t kMinSecretBytes = 24;
constexpr std::size_t kMaxSecretBytes = 64;

Sha256Digest service_tag(ByteView shown_secret, std::string_view timestamp, std::string_view body) {
  return HmacKey(shown_secret).sign_pieces({timestamp, ".", body});
}

std::optional<std::int64_t> parse_timestamp(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

struct ParsedHeader {
  std::string_view timestamp;
  std::vector<std::string_view> tags;
};

std::optional<ParsedHeader> parse_header(std::string_view header) {
  ParsedHeader parsed;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(','), header.size());
    const std::string_view item = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    if (item.starts_with("t=")) {
      if (!parsed.timestamp.empty()) return std::nullopt;
      parsed.timestamp = item.substr(2);
    } else if (item.starts_with("v1=")) {
      parsed.tags.push_back(item.substr(3));
    } else if (item.find('=') == std::string_view::npos) {
      return std::nullopt;
    }
  }
  if (parsed.timestamp.empty() || parsed.tags.empty()) return std::nullopt;
  return parsed;
}

}  // namespace

std::string new_webhook_secret() {
  return std::string(kSecretPrefix) + base64_encode(random_bytes(kNewSecretBytes));
}

std::optional<WebhookSecret> WebhookSecret::parse(std::string_view shown) {
  if (!shown.starts_with(kSecretPrefix)) return std::nullopt;
  std::optional<Bytes> bytes = base64_decode(shown.substr(kSecretPrefix.size()));
  if (!bytes || bytes->size() < kMinSecretBytes || bytes->size() > kMaxSecretBytes) return std::nullopt;
  WebhookSecret secret{SecretBytes(shown), SecretBytes(*bytes)};
  wipe(*bytes);
  return secret;
}

std::string service_signature(std::span<const WebhookSecret> secrets, std::int64_t timestamp_s, std::string_view body) {
  const std::string timestamp = std::to_string(timestamp_s);
  std::string header = "t=" + timestamp;
  for (const WebhookSecret& secret : secrets) {
    header += ",v1=" + hex_encode(service_tag(secret.shown(), timestamp, body));
  }
  return header;
}

std::string standard_signature(std::span<const WebhookSecret> secrets, std::string_view event_id,
                               std::int64_t timestamp_s, std::string_view body) {
  const std::string timestamp = std::to_string(timestamp_s);
  std::string header;
  for (const WebhookSecret& secret : secrets) {
    if (!header.empty()) header += ' ';
    header += "v1," + base64_encode(HmacKey(secret.bytes()).sign_pieces({event_id, ".", timestamp, ".", body}));
  }
  return header;
}

SignatureCheck verify_service_signature(std::string_view header, std::string_view shown_secret, std::string_view body,
                                        std::int64_t now_s, std::int64_t tolerance_s) {
  const std::optional<ParsedHeader> parsed = parse_header(header);
  if (!parsed) return SignatureCheck::malformed;
  const std::optional<std::int64_t> timestamp = parse_timestamp(parsed->timestamp);
  if (!timestamp) return SignatureCheck::malformed;

  const std::string expected = hex_encode(service_tag(shown_secret, parsed->timestamp, body));
  bool matched = false;
  for (const std::string_view tag : parsed->tags) matched |= constant_time_equal(expected, tag);
  if (!matched) return SignatureCheck::mismatch;
  if (*timestamp < now_s - tolerance_s || *timestamp > now_s + tolerance_s) return SignatureCheck::outside_tolerance;
  return SignatureCheck::valid;
}

}  // namespace tideover::crypto
