// ports::KeyedDigest over the lasting key of the key ring: the same text has the same digest after every rotation.
#pragma once
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>

#include "core/crypto/key_ring.hpp"
#include "core/ports/keyed_digest.hpp"

namespace tideover::crypto {

class LastingDigest : public ports::KeyedDigest {
 public:
  explicit LastingDigest(const KeyRing& ring);

  std::string digest(std::string_view purpose, std::string_view text) const override;

 private:
  const HmacKey& key_of(std::string_view purpose) const;

  HmacKey purposes_;
  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, std::unique_ptr<const HmacKey>, std::less<>>
      keys_;  // few entries: purposes are constants of the code
};

}  // namespace tideover::crypto
