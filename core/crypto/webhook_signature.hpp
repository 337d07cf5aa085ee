// Signatures of webhook deliveries; for the receiver: api/webhooks/signing.md. Pure functions.
//
//   Service-Signature: t=<unix seconds>,v1=<hex>[,v1=<hex>]     HMAC over "<t>.<body>",      key = the secret as shown
//   webhook-signature: v1,<base64>[ v1,<base64>]                HMAC over "<id>.<t>.<body>", key = the secret's bytes
//
// During the rotation of a secret, the new and the old secret both sign, newest first.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/crypto/primitives/secret_bytes.hpp"

namespace tideover::crypto {

/// `whsec_` + Base64 of 32 random bytes. Shown to the client once.
std::string new_webhook_secret();

class WebhookSecret {
 public:
  /// nullopt unless the text is `whsec_` + canonical Base64 of 24 to 64 bytes (the limits of Standard Webhooks).
  static std::optional<WebhookSecret> parse(std::string_view shown);

  ByteView shown() const { return shown_.view(); }
  ByteView bytes() const { return bytes_.view(); }

 private:
  WebhookSecret(SecretBytes shown, SecretBytes bytes) : shown_(std::move(shown)), bytes_(std::move(bytes)) {}

  SecretBytes shown_;
  SecretBytes bytes_;
};

/// Value of the Service-Signature header.
std::string service_signature(std::span<const WebhookSecret> secrets, std::int64_t timestamp_s, std::string_view body);

/// Value of the webhook-signature header; sent with `webhook-id: <event_id>` and `webhook-timestamp: <timestamp_s>`.
std::string standard_signature(std::span<const WebhookSecret> secrets, std::string_view event_id,
                               std::int64_t timestamp_s, std::string_view body);

}  // namespace tideover::crypto
