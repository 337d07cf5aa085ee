// The database's records about master keys, and the walk that re-encrypts old values under a new key. Bound to one
// session and its thread; throws SqlError.
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

/// Number of rows of one table with a cell encrypted under one key.
struct SealCount {
  std::string table;
  std::string key_id;
  std::int64_t rows = 0;
};

struct KeyRecord {
  std::string key_id;
  domain::Timestamp first_current_at;  // 0: never
  domain::Timestamp last_current_at;   // when a node last reported to encrypt and sign with it
  std::int64_t seals =
      0;  // values encrypted under it, over all tenants; a node that dies does not report its last minute
  std::int64_t client_secrets = 0;  // of enabled clients
};

/// Whether the key is due for rotation: nonces of AES-GCM are random, so a key has a limited number of uses and a
/// limited time. Counted per master key, although each tenant has its own derived key. Source: NIST SP 800-38D and
/// 800-57.
inline constexpr std::int64_t kMostSeals = std::int64_t{1} << 30;
inline constexpr std::int64_t kLongestUseMs = std::int64_t{365} * 86'400'000;
bool is_worn(const KeyRecord& key, domain::Timestamp now);

class KeyStore {
 public:
  KeyStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  /// Why this key ring does not fit this database, as a sentence for the operator; nullopt when it fits.
  std::optional<std::string> misfit() const;
  /// Records that this node encrypts with the current key now. A key gets its canary when it becomes current for the
  /// first time, so that a staged key has no effect. `seals`: what this node encrypted since its last report, by key
  /// id.
  void keep(domain::Timestamp now, const std::map<std::string, std::uint64_t>& seals = {});
  void forget(std::string_view key_id);

  /// All keys of the database, except the lasting one.
  std::vector<KeyRecord> records() const;
  /// Scans every encrypted table.
  std::vector<SealCount> count() const;

  struct Step {
    bool more = true;                 // false when all tables are done
    std::vector<SealCount> resealed;  // rows by the key that they were encrypted under before
  };
  /// Whether reseal_page() would find work.
  bool has_more_to_reseal() const;
  /// Re-encrypts one page of rows under the current key. Any number of nodes may do this: each page is done by one
  /// node.
  Step reseal_page();
  /// Restarts the walk: another node may have encrypted values under an older key after it passed.
  void restart_reencryption();

 private:
  struct Progress {
    std::string key_id;
    std::string row_reached;
    bool done = false;
  };
  /// A table that is not done, and the position of its walk.
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
