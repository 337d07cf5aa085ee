// The service's master keys: a private file of lines `kid:64 hex digits`. The last line is the current key and signs
// and seals; the lines above it only verify and open. The line `lasting:...` is apart: it makes the digests that must
// come out the same for ever, and is never rotated. Empty lines and `#` comments are allowed. Master keys never sign
// anything themselves: every purpose has its own key, derived from the master by HKDF.
//
// The file may change while the service runs (README.md says how keys are rotated): reload() takes over what is new.
// Thread-safe; a key that was handed out stays good for as long as it is held.
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
  /// For any further purpose; name it `<purpose>-v<n>`.
  SecretBytes derive(std::string_view label, std::size_t size) const;
  bool same_as(const MasterKey& other) const { return constant_time_equal(master_.view(), other.master_.view()); }

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
  KeyRing(KeyRing&&) noexcept;
  KeyRing& operator=(KeyRing&&) noexcept;
  ~KeyRing();

  std::shared_ptr<const MasterKey> current() const;
  /// nullptr when the ring has no such key; never the lasting one.
  std::shared_ptr<const MasterKey> find(std::string_view kid) const;
  /// In the order of the file: the last one is current.
  std::vector<std::string> kids() const;
  /// For look-ups and ids that must survive rotation.
  const MasterKey& lasting() const;
  const std::filesystem::path& path() const;

  /// Takes over the file if it changed since; says whether it had. A file that cannot be used, lacks the lasting key or
  /// gives a known id to another key is refused, and everything stays as it was.
  std::variant<bool, KeyRingError> reload();
  /// Adds a random key to the file, as the current one, and reloads. The file is replaced whole (mode 0600, synced): a
  /// crash leaves the old one or the new one. Returns the new key's id.
  std::variant<std::string, KeyRingError> rotate();
  /// Adds a random key above the current one: it opens and verifies, and nothing is made with it until make_current().
  /// For several nodes, so that all know a key before the first uses it. Returns its id.
  std::variant<std::string, KeyRingError> stage();
  std::optional<KeyRingError> make_current(std::string_view kid);
  /// Takes a key out of the file and reloads. Never the current or the lasting one. Whether anything still needs it is
  /// the caller's to know.
  std::optional<KeyRingError> remove(std::string_view kid);

 private:
  struct Shared;
  explicit KeyRing(std::unique_ptr<Shared> shared);

  std::unique_ptr<Shared> shared_;
};

}  // namespace tideover::crypto
