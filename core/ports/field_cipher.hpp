// Encrypts single values at rest under a key of the tenant, bound to their cell, and makes keyed digests by which they
// are found.
//
// Every encrypted value starts with a plain header, so that its key can be identified without a key:
//   one byte version (1) | one byte length of the key id | key id | bytes of the implementation
//
// Threads: thread-safe.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tideover::ports {

/// The cell of an encrypted value. The value opens in no other cell.
struct Cell {
  std::string_view tenant;
  std::string_view table;
  std::string_view column;
  std::string_view row;  // the rest of the primary key
};

enum class SealFault {
  unknown_key,  // the ring does not have the key: not yet, or no longer
  damaged       // changed, truncated, or moved from another cell
};

/// 128 bits of a keyed digest: equal texts of one tenant have equal digests; a digest reveals nothing.
using BlindIndex = std::array<std::uint8_t, 16>;

class FieldCipher {
 public:
  virtual ~FieldCipher() = default;

  /// Encrypts under the current key. The same text gives different bytes each time.
  virtual std::string seal(const Cell& cell, std::string_view plain) const = 0;
  virtual std::variant<std::string, SealFault> open(const Cell& cell, std::string_view sealed) const = 0;

  /// The id of the key for new values.
  virtual std::string current_key() const = 0;
  /// The id of the permanent key, which no rotation changes, then those of all keys that open values.
  virtual std::vector<std::string> keys() const = 0;
  /// Encrypts under a key of keys(). Throws std::invalid_argument for another one.
  virtual std::string seal_under(std::string_view key_id, const Cell& cell, std::string_view plain) const = 0;

  /// `purpose` separates digests of different meaning. Permanent: no rotation changes it.
  virtual BlindIndex blind_index(std::string_view tenant, std::string_view purpose, std::string_view text) const = 0;
};

inline constexpr char kSealVersion = '\x01';

/// The header of every value that is encrypted under this key.
inline std::string seal_head(std::string_view key_id) {
  std::string head{kSealVersion, static_cast<char>(key_id.size())};
  return head.append(key_id);
}

/// The key id of an encrypted value; empty when the bytes are no encrypted value.
inline std::string_view key_of_seal(std::string_view sealed) {
  if (sealed.size() < 2 || sealed[0] != kSealVersion) return {};
  const auto length = static_cast<unsigned char>(sealed[1]);
  return sealed.size() < 2u + length ? std::string_view{} : sealed.substr(2, length);
}

}  // namespace tideover::ports
