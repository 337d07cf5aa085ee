// SHA-256 (FIPS 180-4), in one call or as a stream. Throws std::runtime_error only if OpenSSL fails.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

using Sha256Digest = std::array<std::uint8_t, 32>;

Sha256Digest sha256(ByteView bytes);

/// One digest over many parts. One thread at a time.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  Sha256& update(ByteView bytes);
  /// Returns the digest of all data since the start (or the last finish) and starts again.
  Sha256Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace tideover::crypto
