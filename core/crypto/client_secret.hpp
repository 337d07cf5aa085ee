// Client secrets: issued by the service, shown once, stored only as a peppered digest.
//
//   cs_test_ | cs_live_   43 characters of 0-9A-Za-z (256 random bits)   6 characters of checksum
//
// The checksum lets a typing error be told from a wrong secret without a look-up, and lets secret scanners recognise a
// leaked one. A slow hash would protect nothing (256 bits cannot be guessed) and would cost an attacker's flood too
// dearly.
#pragma once
#include <string>
#include <string_view>

#include "core/crypto/key_ring.hpp"
#include "core/domain/basics/tenant.hpp"

namespace tideover::crypto {

std::string new_client_secret(domain::Environment environment);

/// Has the shape, prefix and checksum of a secret of ours; says nothing about whether it was ever issued.
bool plausible_client_secret(std::string_view secret);

/// What is stored: the digest and the key that peppered it.
struct ClientSecretDigest {
  std::string kid;
  Sha256Digest digest{};
};

/// Under the current key. For an unknown client, compute it all the same, so that both answers take the same time.
ClientSecretDigest digest_client_secret(const KeyRing& ring, std::string_view secret);

/// Constant time. False as well when the ring no longer has the key.
bool client_secret_matches(const KeyRing& ring, std::string_view secret, const ClientSecretDigest& stored);

}  // namespace tideover::crypto
