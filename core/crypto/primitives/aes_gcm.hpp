// AES-256-GCM (NIST SP 800-38D) with 96-bit nonces and 128-bit tags. Throws std::runtime_error only when OpenSSL itself
// fails.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/crypto/primitives/byte_view.hpp"

namespace tideover::crypto {

/// A key with its schedule computed. Contexts are kept and reused, as many as there are threads at work at the same
/// moment. Any number of threads may use one key.
class AesGcmKey {
 public:
  static constexpr std::size_t kKeyBytes = 32;
  static constexpr std::size_t kNonceBytes = 12;
  static constexpr std::size_t kTagBytes = 16;
  using Nonce = std::array<std::uint8_t, kNonceBytes>;

  /// `key`: kKeyBytes, else std::invalid_argument.
  explicit AesGcmKey(ByteView key);
  ~AesGcmKey();
  AesGcmKey(const AesGcmKey&) = delete;
  AesGcmKey& operator=(const AesGcmKey&) = delete;

  /// Appends nonce, ciphertext and tag. The nonce is random, drawn anew for each call.
  void seal(ByteView associated, ByteView plain, std::string& out) const;
  /// With a nonce of the caller's choice, which must never come twice under one key: for known-answer tests.
  void seal_with(const Nonce& nonce, ByteView associated, ByteView plain, std::string& out) const;
  /// Opens what seal() appended; nullopt when a bit of it, of the associated data or of the key differs.
  std::optional<std::string> open(ByteView associated, ByteView sealed) const;

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

}  // namespace tideover::crypto
