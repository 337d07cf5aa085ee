// Access tokens: signed by the service, opaque to the client, checked on any node without a look-up. Pure functions;
// thread-safe.
//
//   "v1." base64url( kid | client | tenant | scope bits | environment | issued | expires | epoch | nonce | HMAC-SHA-256
//   )
//
// One algorithm per version, so none is negotiated. The tag is checked before any field is used.
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
  std::uint64_t epoch = 0;  // of the client; raising it ends every earlier token

  bool operator==(const AccessTokenClaims&) const = default;
};

/// The token is valid but expired.
struct TokenExpired {};
/// All other cases: forged, damaged, of an unknown key, or issued in the future.
struct TokenInvalid {};
using OpenedToken = std::variant<AccessTokenClaims, TokenExpired, TokenInvalid>;

/// Maximum difference between the clocks of nodes.
inline constexpr std::int64_t kTokenClockSkewSeconds = 60;

/// Throws std::invalid_argument if an id is longer than 64 bytes; ids of the service are shorter.
std::string seal(const KeyRing& ring, const AccessTokenClaims& claims);

/// A token is valid while issued_at_s - skew <= now_s < expires_at_s.
OpenedToken open(const KeyRing& ring, std::string_view token, std::int64_t now_s);

}  // namespace tideover::crypto
