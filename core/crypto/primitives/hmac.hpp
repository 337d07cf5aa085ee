// HMAC-SHA-256 (RFC 2104) and the key derivation HKDF (RFC 5869). Throws std::runtime_error only if OpenSSL fails.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "core/crypto/primitives/byte_view.hpp"
#include "core/crypto/primitives/secret_bytes.hpp"
#include "core/crypto/primitives/sha256.hpp"

namespace tideover::crypto {

/// A key with its schedule computed. sign() costs one pass over the message: contexts are reused; there are as many as
/// threads that sign at the same time. sign() is thread-safe.
class HmacKey {
 public:
  explicit HmacKey(ByteView key);
  ~HmacKey();
  HmacKey(HmacKey&&) noexcept;
  HmacKey& operator=(HmacKey&&) noexcept;

  Sha256Digest sign(ByteView message) const { return sign_pieces({message}); }
  /// Signs the concatenation without building it.
  Sha256Digest sign_pieces(std::initializer_list<ByteView> pieces) const;

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

/// `size` bytes derived from a master key for `label`; different labels give independent keys. At most 8160 bytes.
SecretBytes hkdf_sha256(ByteView master, std::string_view label, std::size_t size);

}  // namespace tideover::crypto
