// The database's records about the key ring, and the re-encryption of old values under a new key. Bound to one session
// and its thread; throws SqlError.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/store/encryption/encrypted_cells.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

/// Rows of one table with a cell encrypted under one key.
struct SealCount {
  std::string table;
  std::string key_id;
  std::int64_t rows = 0;
};

struct KeyRecord {
  std::string key_id;
  domain::Timestamp first_current_at;  // 0: never
  domain::Timestamp last_current_at;   // when a node last reported using it
  std::int64_t seals = 0;              // encrypted values over all tenants, without the last minute of a crashed node
  std::int64_t client_secrets = 0;     // of enabled clients
};

/// Whether the key should be rotated. Nonces of AES-GCM are random, so a key has a limited number of uses and a limited
/// time. Counted per master key, although each tenant has a derived key. Source: NIST SP 800-38D and 800-57.
inline constexpr std::int64_t kMostSeals = std::int64_t{1} << 30;
inline constexpr std::int64_t kLongestUseMs = std::int64_t{365} * 86'400'000;
bool is_worn(const KeyRecord& key, domain::Timestamp now);

class KeyStore {
 public:
  KeyStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  /// The reason why this ring cannot serve this database, as a message for the operator; nullopt when it can.
  std::optional<std::string> misfit() const;
  /// Records that this node encrypts with the current key now. A key gets its canary when it is current for the first
  /// time, so that a key that is prepared for later does not bind any node. `seals`: the values that this node
  /// encrypted since its last report, by key id.
  void keep(domain::Timestamp now, const std::map<std::string, std::uint64_t>& seals = {});
  void forget(std::string_view key_id);

  /// All keys in the database, except the permanent one.
  std::vector<KeyRecord> records() const;
  /// Scans every encrypted table.
  std::vector<SealCount> count() const;

  struct Step {
    bool more = true;                 // false when every table is done
    std::vector<SealCount> resealed;  // rows by their former key
  };
  /// Whether reseal_page() would find rows.
  bool has_more_to_reseal() const;
  /// Re-encrypts one page of rows under the current key. Several nodes may do it: each page belongs to one node.
  Step reseal_page();
  /// Starts again from the first table: another node may have encrypted under an older key meanwhile.
  void restart_resealing();

 private:
  struct Progress {
    std::string key_id;
    std::string row_reached;
    bool done = false;
  };
  /// An unfinished table, and the position in it.
  struct Walk {
    const EncryptedTable* table;
    std::optional<Progress> reached;
  };
  std::optional<Progress> progress(const EncryptedTable& table) const;
  std::optional<Walk> next_walk() const;
  std::vector<SealCount> reseal_page(const EncryptedTable& table, const Progress& from);

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
