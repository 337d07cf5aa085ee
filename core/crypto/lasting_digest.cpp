#include "core/crypto/lasting_digest.hpp"

#include <mutex>

#include "core/crypto/primitives/encoding.hpp"

namespace tideover::crypto {

LastingDigest::LastingDigest(const KeyRing& ring) : purposes_(ring.lasting().derive("lasting-digest-v1", 32).view()) {}

const HmacKey& LastingDigest::key_of(std::string_view purpose) const {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = keys_.find(purpose); found != keys_.end()) return *found->second;
  }
  auto made = std::make_unique<const HmacKey>(purposes_.sign(purpose));
  const std::unique_lock lock(mutex_);
  return *keys_.try_emplace(std::string(purpose), std::move(made)).first->second;
}

std::string LastingDigest::digest(std::string_view purpose, std::string_view text) const {
  const Sha256Digest tag = key_of(purpose).sign(text);
  return hex_encode(std::span(tag).first(16));
}

}  // namespace tideover::crypto
