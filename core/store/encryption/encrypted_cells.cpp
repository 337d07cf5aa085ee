#include "core/store/encryption/encrypted_cells.hpp"

namespace tideover::store {
namespace {

using Kind = sql::SqlError::Kind;

/// A readable name of a row: a digest is not text.
std::string shown(std::string_view row) {
  std::string text;
  for (const char c : row) {
    if (c > ' ' && c <= '~') {
      text += c;
    } else {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text;
}

}  // namespace

Sealed EncryptedCells::seal(const domain::TenantId& tenant, const EncryptedColumn& where, std::string_view row,
                            std::string_view plain) const {
  if (plain.empty()) return {};
  return {cipher_.seal({tenant.text(), where.table, where.column, row}, plain)};
}

std::string EncryptedCells::open(const domain::TenantId& tenant, const EncryptedColumn& where, std::string_view row,
                                 std::string_view sealed) const {
  if (sealed.empty()) return {};
  auto opened = cipher_.open({tenant.text(), where.table, where.column, row}, sealed);
  if (auto* plain = std::get_if<std::string>(&opened)) return std::move(*plain);
  const bool missing = std::get<ports::SealFault>(opened) == ports::SealFault::unknown_key;
  ++(missing ? unknown_key_ : damaged_);
  const std::string cell = std::string(where.table) + '.' + std::string(where.column) + " of row " + shown(row) +
                           " of tenant " + tenant.text();
  if (!missing)
    throw sql::SqlError(Kind::unreadable, 0,
                        cell + " cannot be decrypted: it was changed, or moved there from another cell");
  throw sql::SqlError(
      Kind::key_missing, 0,
      cell + " is encrypted under the key " + shown(ports::key_of_seal(sealed)) +
          ", which is not in the key ring of this node; copy the key ring from the node where keys were rotated");
}

std::optional<domain::DecryptionFault> fault_of(const sql::SqlError& error) {
  if (error.kind == Kind::key_missing) return domain::DecryptionFault::key_missing;
  if (error.kind == Kind::unreadable) return domain::DecryptionFault::damaged;
  return std::nullopt;
}

}  // namespace tideover::store
