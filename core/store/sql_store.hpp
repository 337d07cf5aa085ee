// The durable store over SQL: reads use leased read sessions, writes the group committer. Exceptions of the drivers
// become domain errors here. Thread-safe.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "core/ports/event_encoder.hpp"
#include "core/ports/field_cipher.hpp"
#include "core/ports/store.hpp"
#include "core/store/committer/committer.hpp"
#include "core/store/encryption/key_store.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/sql/database.hpp"
#include "core/store/sql_records.hpp"

namespace tideover::store {

struct StoreOptions {
  enum class Driver { sqlite, mysql } driver = Driver::sqlite;
  std::filesystem::path sqlite_path;  // the file; its folder is created with mode 0700 when absent
  int sqlite_busy_timeout_ms = 5000;
  bool sqlite_read_only = false;  // for reading a backup: nothing is created, locked or migrated
  sql::MySqlOptions mysql;
  std::size_t max_readers = 16;
  std::string node = "node";     // this process among those that share the database; names its hash chains
  CommitterOptions committer;    // lanes count on MariaDB only: SQLite has one writer
  bool migrate_at_start = true;  // otherwise a database that lacks migrations is refused
  /// Called for every failure of the database, for the operator's log: the statement and the driver's code, never a
  /// value. Clients get a message without them. Called on any thread; must not throw.
  std::function<void(std::string_view)> on_failure = [](std::string_view) {};
  /// Called once when the disk of the embedded database failed or one of its pages is damaged. Nothing is written any
  /// more, and the process should end. Like on_failure.
  std::function<void(std::string_view)> on_broken = [](std::string_view) {};
};

class SqlStore final : public ports::Store {
 public:
  /// Opens or creates the database, migrates its schema unless `migrate_at_start` is false, and checks that the cipher
  /// has the keys of its values. The Error has a message for the operator. Its code is conflict when another process
  /// has the file, and retry_after_s is set when a later try may work: the server is unreachable, the disk is full.
  /// `encoder` and `cipher` must outlive the store.
  static domain::Result<std::unique_ptr<SqlStore>> open(const StoreOptions& options, const ports::EventEncoder& encoder,
                                                        const ports::FieldCipher& cipher);
  ~SqlStore() override;  // drains

  domain::Status read(const std::function<void(const ports::Records&)>& look) override;
  domain::Status read_one(const std::function<void(const ports::Records&)>& look) override;
  domain::Status commit(const Unit& unit, ports::Priority priority = ports::Priority::interactive) override;
  void commit_async(Unit unit, ports::Priority priority, Done done) override;

  /// What the database has about the key ring, as one snapshot.
  domain::Status read_keys(const std::function<void(const KeyStore&)>& look);
  /// Runs in one background unit, possibly more than once.
  domain::Status write_keys(const std::function<void(KeyStore&)>& change);
  /// How many encrypted values failed to open since the start.
  SealFaultCounts seal_faults() const { return cells_.faults(); }

  /// Whether the database answers, is usable and, after a full or read-only disk, accepts writes again. Returns a
  /// Galera node's view of its cluster as text, otherwise "".
  domain::Result<std::string> healthy();
  domain::Result<DatabaseStatus> status();
  /// Findings of the engine's own check and of the references between tables; empty: none.
  domain::Result<std::vector<std::string>> damage();
  /// Copies the database in its current state into a new file while it is in use, and returns its state. `step` as in
  /// sql::Session::copy_to.
  domain::Result<DatabaseStatus> copy_to(const std::filesystem::path& file,
                                         const std::function<bool(std::int64_t done, std::int64_t all)>& step);
  /// Refuses new units and finishes all accepted ones.
  void drain() { committer_.drain(); }
  CommitterStats stats() const { return committer_.stats(); }

 private:
  SqlStore(std::unique_ptr<sql::Database> database, const StoreOptions& options, const ports::EventEncoder& encoder,
           const ports::FieldCipher& cipher);
  domain::Status commit_on(const std::function<domain::Status(sql::Session&)>& unit, ports::Priority priority);
  domain::Status ended(const CommitReport& report, std::optional<domain::Error>& refusal);
  domain::Status outcome_of(const CommitReport& report);
  domain::Status with_reader(sql::Moment moment, const std::function<void(sql::Session&)>& look);
  domain::Error failure(sql::SqlError::Kind kind, std::string_view what);

  const bool embedded_;
  const std::filesystem::path sqlite_path_;
  const std::function<void(std::string_view)> on_failure_;
  const std::function<void(std::string_view)> on_broken_;
  std::atomic<bool> broken_ = false;
  std::atomic<bool> takes_no_writes_ = false;  // a commit failed for a full or read-only disk, and none succeeded since
  const EncryptedCells cells_;
  const RecordServices services_;
  const std::unique_ptr<sql::Database> database_;
  Committer committer_;  // after the database: its sessions end first
};

/// The state of a database that no service has open. Changes nothing and accepts any schema.
domain::Result<DatabaseStatus> inspect(const StoreOptions& options);
/// Whether values may be encrypted under a key ring. False when there is no database yet.
domain::Result<bool> needs_keys(const StoreOptions& options);
/// SqlStore::damage of such a database.
domain::Result<std::vector<std::string>> damage(const StoreOptions& options);
/// Applies the missing migrations and returns their names.
domain::Result<std::vector<std::string>> migrate(const StoreOptions& options);

}  // namespace tideover::store
