// Protection of single values at rest: encrypted under a key of the tenant, bound to the place where they are stored,
// and found again through keyed digests. Thread-safe.
//
// Every encrypted value opens with a plain head, so that anybody can tell what it was encrypted under without a key:
//   one byte version (1) | one byte length of the key id | key id | what the implementation makes of it
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tideover::ports {

/// Where an encrypted value lives. It opens nowhere else.
struct Cell {
  std::string_view tenant;
  std::string_view table;
  std::string_view column;
  std::string_view row;  // the rest of the primary key
};

enum class SealFault {
  unknown_key,  // encrypted under a key that the ring does not hold: not yet, or no more
  damaged       // changed, cut, or moved here from another cell
};

/// 128 bits of a keyed digest: equal texts of one tenant are equal, nothing can be read back.
using BlindIndex = std::array<std::uint8_t, 16>;

class FieldCipher {
 public:
  virtual ~FieldCipher() = default;

  /// Under the current key. The same text twice gives different bytes.
  virtual std::string seal(const Cell& cell, std::string_view plain) const = 0;
  virtual std::variant<std::string, SealFault> open(const Cell& cell, std::string_view sealed) const = 0;

  /// The id of the key under which new values are encrypted.
  virtual std::string current_key() const = 0;
  /// The id of the lasting key, which no rotation touches, then those of all keys that open values.
  virtual std::vector<std::string> keys() const = 0;
  /// Under a key of keys(); throws std::invalid_argument for another.
  virtual std::string seal_under(std::string_view key_id, const Cell& cell, std::string_view plain) const = 0;

  /// `purpose` keeps digests of different meaning apart. The same for ever: no rotation changes it.
  virtual BlindIndex blind_index(std::string_view tenant, std::string_view purpose, std::string_view text) const = 0;
};

inline constexpr char kSealVersion = '\x01';

/// How every value begins that is encrypted under this key.
inline std::string seal_head(std::string_view key_id) {
  std::string head{kSealVersion, static_cast<char>(key_id.size())};
  return head.append(key_id);
}

/// The key id of an encrypted value; empty when the bytes cannot be one.
inline std::string_view key_of_seal(std::string_view sealed) {
  if (sealed.size() < 2 || sealed[0] != kSealVersion) return {};
  const auto length = static_cast<unsigned char>(sealed[1]);
  return sealed.size() < 2u + length ? std::string_view{} : sealed.substr(2, length);
}

}  // namespace tideover::ports
