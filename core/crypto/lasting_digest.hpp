// ports::KeyedDigest over the ring's lasting key: the same text gives the same digest after every rotation.
#pragma once
#include "core/crypto/key_ring.hpp"
#include "core/ports/keyed_digest.hpp"

namespace tideover::crypto {

class LastingDigest : public ports::KeyedDigest {
 public:
  explicit LastingDigest(const KeyRing& ring);

  std::string digest(std::string_view purpose, std::string_view text) const override;

 private:
  HmacKey purposes_;
};

}  // namespace tideover::crypto
