#include "core/crypto/webhook_signature.hpp"

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

}  // namespace tideover::crypto
