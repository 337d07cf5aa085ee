// What the database keeps about the key ring, and the walk that encrypts old values under a new key.
// Bound to one session and its thread; throws SqlError.
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
  domain::Timestamp last_current_at;   // when a node was last seen to seal and sign with it
  std::int64_t seals = 0;  // values encrypted under it, over all tenants; a node that dies leaves out its last minute
  std::int64_t client_secrets = 0;  // of enabled clients
};

/// Whether the key should be rotated: nonces of AES-GCM are random, so a key has its number of uses and its time.
/// Counted per master key, though each tenant has a key of its own below it. Source: NIST SP 800-38D and 800-57.
inline constexpr std::int64_t kMostSeals = std::int64_t{1} << 30;
inline constexpr std::int64_t kLongestUseMs = std::int64_t{365} * 86'400'000;
bool is_worn(const KeyRecord& key, domain::Timestamp now);

class KeyStore {
 public:
  KeyStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  /// Why this ring cannot serve this database: a sentence for the operator. nullopt when it can.
  std::optional<std::string> misfit() const;
  /// This node encrypts with the current key at this moment. A key gets its canary when it is current for the first
  /// time, so that a key which is only laid out for later binds nobody. `seals`: what this node encrypted since it last
  /// told, by key id.
  void keep(domain::Timestamp now, const std::map<std::string, std::uint64_t>& seals = {});
  void forget(std::string_view key_id);

  /// All keys that the database knows, except the lasting one.
  std::vector<KeyRecord> records() const;
  /// Scans every encrypted table.
  std::vector<SealCount> count() const;

  struct Step {
    bool more = true;                 // false when every table has been walked through
    std::vector<SealCount> resealed;  // rows by the key that they were encrypted under
  };
  /// Whether reseal_page() would find something to do.
  bool has_more_to_reseal() const;
  /// Seals one page of rows under the current key. Any number of nodes may walk: each page is one node's.
  Step reseal_page();
  /// Lets the walk begin anew: behind it, another node may have encrypted under an older key.
  void restart_resealing();

 private:
  struct Progress {
    std::string key_id;
    std::string row_reached;
    bool done = false;
  };
  /// A table that is not walked through yet, and how far its walk is.
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
