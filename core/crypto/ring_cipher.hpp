// ports::FieldCipher over the key ring: AES-256-GCM under a key per master key and tenant. The associated data is the
// cell and the key id, so that a value moved to another tenant, table, column or row, or labelled with another key,
// cannot be decrypted. Blind indexes use the lasting key.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "core/crypto/key_ring.hpp"
#include "core/crypto/primitives/aes_gcm.hpp"
#include "core/ports/field_cipher.hpp"

namespace tideover::crypto {

class RingCipher final : public ports::FieldCipher {
 public:
  /// `ring` must outlive this object.
  explicit RingCipher(const KeyRing& ring);

  std::string seal(const ports::Cell& cell, std::string_view plain) const override;
  std::variant<std::string, ports::SealFault> open(const ports::Cell& cell, std::string_view sealed) const override;
  std::string current_key() const override;
  std::vector<std::string> keys() const override;
  std::string seal_under(std::string_view key_id, const ports::Cell& cell, std::string_view plain) const override;
  ports::BlindIndex blind_index(std::string_view tenant, std::string_view purpose,
                                std::string_view text) const override;

  /// Number of values that each master key has encrypted since the last call, by key id; only keys that were used.
  std::map<std::string, std::uint64_t> take_seals() const;

 private:
  struct SealingKey {
    AesGcmKey key;
    mutable std::atomic<std::uint64_t> seals{0};
  };

  /// Keys of tenants by "<key id>|<tenant>"; a key ring never gives one id to two keys.
  template <class Key>
  struct Derived {
    mutable std::shared_mutex mutex;
    mutable std::unordered_map<std::string, std::unique_ptr<const Key>> keys;
  };

  const SealingKey& sealing_key(const MasterKey& master, std::string_view tenant) const;
  const HmacKey& index_key(std::string_view tenant, std::string_view purpose) const;
  std::string seal_by(const MasterKey& master, const ports::Cell& cell, std::string_view plain) const;

  const KeyRing& ring_;
  const HmacKey indexes_;
  Derived<SealingKey> sealing_;
  Derived<HmacKey> index_;
};

}  // namespace tideover::crypto
