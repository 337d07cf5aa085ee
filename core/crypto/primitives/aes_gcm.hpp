// AES-256-GCM (NIST SP 800-38D) with 96-bit nonces and 128-bit tags. Throws std::runtime_error only if OpenSSL fails.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

/// A key with its schedule computed. Contexts are reused; there are as many as threads that work at the same time.
/// Thread-safe.
class AesGcmKey {
 public:
  static constexpr std::size_t kKeyBytes = 32;
  static constexpr std::size_t kNonceBytes = 12;
  static constexpr std::size_t kTagBytes = 16;
  using Nonce = std::array<std::uint8_t, kNonceBytes>;

  /// `key`: kKeyBytes long, else std::invalid_argument.
  explicit AesGcmKey(ByteView key);
  ~AesGcmKey();
  AesGcmKey(const AesGcmKey&) = delete;
  AesGcmKey& operator=(const AesGcmKey&) = delete;

  /// Appends nonce, ciphertext and tag. The nonce is random for each call.
  void seal(ByteView associated, ByteView plain, std::string& out) const;
  /// Decrypts the output of seal(); nullopt when a bit of it, of the associated data or of the key differs.
  std::optional<std::string> open(ByteView associated, ByteView sealed) const;

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

}  // namespace tideover::crypto
