#include "core/crypto/lasting_digest.hpp"

#include "core/crypto/encoding.hpp"

namespace tideover::crypto {

LastingDigest::LastingDigest(const KeyRing& ring) : purposes_(ring.lasting().derive("lasting-digest-v1", 32).view()) {}

std::string LastingDigest::digest(std::string_view purpose, std::string_view text) const {
  const Sha256Digest key_of_purpose = purposes_.sign(purpose);
  const Sha256Digest tag = hmac_sha256(key_of_purpose, text);
  return hex_encode(std::span(tag).first(16));
}

}  // namespace tideover::crypto
