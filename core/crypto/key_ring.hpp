// The service's master keys: a private file of lines `kid:64 hex digits`. The last line is the current key, which signs
// and encrypts; the lines above it only verify and decrypt. The line `lasting:...` is separate: it makes the digests
// that must never change, and is never rotated. Empty lines and `#` comments are allowed. Master keys are never used
// directly: every purpose has its own key, derived from the master key by HKDF.
//
// The file may change while the service runs (README.md describes key rotation): reload() reads the changes.
// Thread-safe; a key that was returned stays valid as long as it is held.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/crypto/primitives/hmac.hpp"
#include "core/crypto/primitives/secret_bytes.hpp"

namespace tideover::crypto {

/// One master key and the keys derived from it.
class MasterKey {
 public:
  MasterKey(std::string kid, SecretBytes master);

  const std::string& kid() const { return kid_; }
  const HmacKey& access_token_key() const { return access_token_key_; }
  /// The pepper of stored client secrets.
  const HmacKey& client_secret_key() const { return client_secret_key_; }
  /// For further purposes; use a name of the form `<purpose>-v<n>`.
  SecretBytes derive(std::string_view label, std::size_t size) const;
  bool same_as(const MasterKey& other) const { return constant_time_equal(master_.view(), other.master_.view()); }

 private:
  std::string kid_;
  SecretBytes master_;
  HmacKey access_token_key_;
  HmacKey client_secret_key_;
};

/// Why a key file was refused: a sentence with path, line and remedy. Never contains key material.
struct KeyRingError {
  std::string message;
};

class KeyRing {
 public:
  /// Loads the file. A missing file is created (mode 0600, its directory with mode 0700) with random keys. Two
  /// processes that start at the same time get the same keys.
  static std::variant<KeyRing, KeyRingError> open_or_create(const std::filesystem::path& path);
  static std::variant<KeyRing, KeyRingError> open(const std::filesystem::path& path);
  KeyRing(KeyRing&&) noexcept;
  KeyRing& operator=(KeyRing&&) noexcept;
  ~KeyRing();

  std::shared_ptr<const MasterKey> current() const;
  /// nullptr when the key ring has no such key; never the lasting key.
  std::shared_ptr<const MasterKey> find(std::string_view kid) const;
  /// In order of the file: the last one is current.
  std::vector<std::string> kids() const;
  /// For look-ups and ids that must not change by rotation.
  const MasterKey& lasting() const;
  const std::filesystem::path& path() const;

  /// Reloads the file if it has changed; returns whether it had. A file that cannot be used, lacks the lasting key or
  /// gives a known id to another key is refused, and nothing changes.
  std::variant<bool, KeyRingError> reload();
  /// Adds a random key to the file as the current key, and reloads. The file is replaced as a whole (mode 0600,
  /// synced): a crash leaves the old or the new file. Returns the id of the new key.
  std::variant<std::string, KeyRingError> rotate();
  /// Adds a random key above the current one: it only verifies and decrypts until make_current(). For several nodes, so
  /// that all have a key before the first one uses it. Returns its id.
  std::variant<std::string, KeyRingError> stage();
  std::optional<KeyRingError> make_current(std::string_view kid);
  /// Removes a key from the file and reloads. Never the current or the lasting key. The caller must know that the key
  /// is no longer needed.
  std::optional<KeyRingError> remove(std::string_view kid);

 private:
  struct Shared;
  explicit KeyRing(std::unique_ptr<Shared> shared);

  std::unique_ptr<Shared> shared_;
};

}  // namespace tideover::crypto
