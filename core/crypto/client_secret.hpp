// Client secrets: issued by the service, shown once, stored only as a peppered digest. Thread-safe.
//
//   cs_test_ | cs_live_   43 characters of 0-9A-Za-z (256 random bits)   6 characters of checksum
//
// The checksum distinguishes a typing error from a wrong secret without a look-up, and lets secret scanners detect a
// leaked secret. A slow hash would add no protection (256 bits cannot be guessed) and would make request floods more
// costly for the service.
#pragma once
#include <string>
#include <string_view>

#include "core/crypto/key_ring.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::crypto {

std::string new_client_secret(domain::Environment environment);

/// The stored form: the digest, and the key that peppered it.
struct ClientSecretDigest {
  std::string kid;
  Sha256Digest digest{};
};

/// Under the current key. Compute it for an unknown client too, so that both answers take the same time.
ClientSecretDigest digest_client_secret(const KeyRing& ring, std::string_view secret);

/// Constant time. Also false when the key ring no longer has the key.
bool client_secret_matches(const KeyRing& ring, std::string_view secret, const ClientSecretDigest& stored);

}  // namespace tideover::crypto
