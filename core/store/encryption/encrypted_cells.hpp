// Encrypted columns for the stores: values are encrypted and decrypted with the name of their cell. A value that cannot
// be decrypted is an SqlError with table, column and row, never the value, and is counted. Thread-safe.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/decryption_fault.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/ports/field_cipher.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

struct EncryptedColumn {
  std::string_view table;
  std::string_view column;
};

/// Bytes for a blob column.
struct Sealed {
  std::string bytes;
  operator sql::BlobView() const { return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}; }
};

/// Number of cells that could not be decrypted.
struct SealFaultCounts {
  std::uint64_t damaged = 0;
  std::uint64_t unknown_key = 0;
};

class EncryptedCells {
 public:
  /// `tell` reports every cell that a list was read without. Both arguments must outlive this object.
  EncryptedCells(const ports::FieldCipher& cipher, const std::function<void(std::string_view)>& tell)
      : cipher_(cipher), tell_(tell) {}

  /// An empty text stays empty: it has no content to protect, and most notes and addenda are empty.
  Sealed seal(const domain::TenantId& tenant, const EncryptedColumn& where, std::string_view row,
              std::string_view plain) const;
  /// Throws SqlError: `key_missing` when the key ring lacks the key, `unreadable` when the bytes are damaged or moved.
  std::string open(const domain::TenantId& tenant, const EncryptedColumn& where, std::string_view row,
                   std::string_view sealed) const;

  const ports::FieldCipher& cipher() const { return cipher_; }
  /// Digest to find the data of a claim number of one tenant: an equal digest is the same number, byte for byte.
  ports::BlindIndex claim_lookup(const domain::TenantId& tenant, std::string_view claim_identifier) const {
    return cipher_.blind_index(tenant.text(), "claim-lookup-v1", claim_identifier);
  }
  /// Reports a cell that its reader continues without.
  void tell(std::string_view what) const { tell_(what); }
  SealFaultCounts faults() const { return {damaged_.load(), unknown_key_.load()}; }

  /// The first `limit` rows of a query that can be decrypted. One damaged cell must hide neither the other rows of a
  /// list nor the next page: fewer rows than the limit mean that there are no more. `sql` ends with LIMIT ? OFFSET ?,
  /// which are set here.
  template <class Read, class... Arguments>
  auto first_that_open(sql::Session& session, Read read, std::size_t limit, sql::SqlFor<sizeof...(Arguments) + 2> sql,
                       const Arguments&... arguments) const {
    std::vector<std::invoke_result_t<Read, const sql::Row&>> values;
    for (std::size_t seen = 0, wanted = limit; wanted > 0; wanted = limit - values.size()) {
      const std::size_t until = seen + wanted;
      for (const sql::Row& row :
           session.query(sql, arguments..., static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(seen))) {
        ++seen;
        try {
          values.push_back(read(row));
        } catch (const sql::SqlError& error) {
          if (error.kind != sql::SqlError::Kind::unreadable) throw;
          tell_(error.what());
        }
      }
      if (seen < until) break;
    }
    return values;
  }

 private:
  const ports::FieldCipher& cipher_;
  const std::function<void(std::string_view)>& tell_;
  mutable std::atomic<std::uint64_t> damaged_ = 0;
  mutable std::atomic<std::uint64_t> unknown_key_ = 0;
};

/// The fault of a cell that this error reports; nullopt for any other error.
std::optional<domain::DecryptionFault> fault_of(const sql::SqlError& error);

/// The name of a row with a two-part key.
inline std::string row_name(std::string_view first, std::int64_t second) {
  return std::string(first) + '/' + std::to_string(second);
}

}  // namespace tideover::store
