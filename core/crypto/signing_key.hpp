// Ed25519 signatures (RFC 8032): verified with the public key. Throws std::runtime_error only when OpenSSL itself
// fails. Thread-safe.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

class SigningKey {
 public:
  /// 32 secret bytes, such as a key derived for this purpose only.
  explicit SigningKey(ByteView seed);
  ~SigningKey();
  SigningKey(SigningKey&&) noexcept;
  SigningKey& operator=(SigningKey&&) noexcept;

  PublicKey public_key() const;
  Signature sign(ByteView message) const;

 private:
  struct Key;
  std::unique_ptr<Key> key_;
};

bool signature_holds(const PublicKey& key, ByteView message, ByteView signature);

}  // namespace tideover::crypto
