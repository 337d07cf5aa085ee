// The service's master keys: a private file of lines `kid:64 hex digits`. The last line is the current key and signs;
// the lines above it only verify (README.md says how to rotate). The line `lasting:...` is apart: it makes the digests
// that must come out the same for ever, and is never rotated. Empty lines and `#` comments are allowed. Master keys
// never sign anything themselves: every purpose has its own key, derived from the master by HKDF. Immutable after
// loading, so any number of threads may read it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/crypto/hmac.hpp"
#include "core/crypto/secret_bytes.hpp"

namespace tideover::crypto {

/// One master key and the keys derived from it.
class MasterKey {
 public:
  MasterKey(std::string kid, SecretBytes master);

  const std::string& kid() const { return kid_; }
  const HmacKey& access_token_key() const { return access_token_key_; }
  /// The pepper of stored client secrets.
  const HmacKey& client_secret_key() const { return client_secret_key_; }
  /// For any further purpose; name it `<purpose>-v<n>`.
  SecretBytes derive(std::string_view label, std::size_t size) const;

 private:
  std::string kid_;
  SecretBytes master_;
  HmacKey access_token_key_;
  HmacKey client_secret_key_;
};

/// Why a key file was refused: a whole sentence with the path, the line and the remedy. Never contains key material.
struct KeyRingError {
  std::string message;
};

class KeyRing {
 public:
  /// Loads the file; where there is none, creates it (mode 0600, and its folder, mode 0700) with random keys. Two
  /// processes starting at once end up with the same keys.
  static std::variant<KeyRing, KeyRingError> open_or_create(const std::filesystem::path& path);
  static std::variant<KeyRing, KeyRingError> open(const std::filesystem::path& path);

  const MasterKey& current() const { return keys_.back(); }
  /// For look-ups and ids that must survive rotation; signs nothing else.
  const MasterKey& lasting() const { return lasting_; }
  /// nullptr when the ring has no such key; never the lasting one.
  const MasterKey* find(std::string_view kid) const;

 private:
  KeyRing(std::vector<MasterKey> keys, MasterKey lasting) : keys_(std::move(keys)), lasting_(std::move(lasting)) {}
  static std::variant<KeyRing, KeyRingError> parse(const std::filesystem::path& path, std::string_view text);

  std::vector<MasterKey> keys_;  // never empty
  MasterKey lasting_;
};

}  // namespace tideover::crypto
