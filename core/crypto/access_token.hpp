// Access tokens: encoded and authenticated by the service, opaque to the client, checked on any node without a look-up.
//
//   "v1." base64url( kid | client | tenant | scope bits | environment | issued | expires | epoch | nonce | tag )
//
// Each version has one algorithm, so none is negotiated. The tag is an HMAC-SHA-256; it is checked before any
// field is used.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "core/crypto/key_ring.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::crypto {

struct AccessTokenClaims {
  std::string client_id;  // at most 64 bytes
  std::string tenant_id;  // at most 64 bytes
  std::uint64_t scope_bits = 0;
  domain::Environment environment = domain::Environment::sandbox;
  std::int64_t issued_at_s = 0;  // seconds since 1970, UTC
  std::int64_t expires_at_s = 0;
  std::uint64_t epoch = 0;  // of client and secret; a higher one of the client ends all earlier tokens

  bool operator==(const AccessTokenClaims&) const = default;
};

/// A valid token that has expired.
struct TokenExpired {};
/// Any other fault: forged, damaged, of an unknown key, or issued in the future.
struct TokenInvalid {};
using OpenedToken = std::variant<AccessTokenClaims, TokenExpired, TokenInvalid>;

/// Allowed difference between the clocks of nodes.
inline constexpr std::int64_t kTokenClockSkewSeconds = 60;

/// Throws std::invalid_argument when an id is longer than 64 bytes; the service's own ids are shorter.
std::string seal(const KeyRing& ring, const AccessTokenClaims& claims);

/// A token is valid while issued_at_s - skew <= now_s < expires_at_s.
OpenedToken open(const KeyRing& ring, std::string_view token, std::int64_t now_s);

}  // namespace tideover::crypto
