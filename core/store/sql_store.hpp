// The store over SQL: reads on leased reading sessions, writes through the group committer. The drivers' exceptions are
// converted to domain errors here. Thread-safe.
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
  bool sqlite_read_only = false;  // a backup that is only read: nothing is created, locked or migrated
  sql::MySqlOptions mysql;
  std::size_t max_readers = 16;
  std::string node = "node";     // name of this process among those that share the database: names its hash chains
  CommitterOptions committer;    // lanes apply to MariaDB only: SQLite has one writer
  bool migrate_at_start = true;  // if false, a database that lacks migrations is refused
  /// Reports every failure of the database for the operator's log: statement and driver's code, never a value. Clients
  /// get a sentence without them. Called on any thread; must not throw.
  std::function<void(std::string_view)> on_failure = [](std::string_view) {};
  /// Reports once that the disk of the embedded database failed or a page of it is damaged: nothing is written any more
  /// and the process should end. Like on_failure.
  std::function<void(std::string_view)> on_broken = [](std::string_view) {};
};

class SqlStore final : public ports::Store {
 public:
  /// Opens or creates the database, migrates its schema unless disabled, and checks that its values are encrypted under
  /// the cipher's keys. The Error is a sentence for the operator. Its code is conflict when another process has the
  /// file, and retry_after_s is set when the same may work later: the server is away, the disk is full. `encoder` and
  /// `cipher` must outlive the store.
  static domain::Result<std::unique_ptr<SqlStore>> open(const StoreOptions& options, const ports::EventEncoder& encoder,
                                                        const ports::FieldCipher& cipher);
  ~SqlStore() override;  // drains

  domain::Status read(const std::function<void(const ports::Records&)>& look) override;
  domain::Status read_one(const std::function<void(const ports::Records&)>& look) override;
  domain::Status commit(const Unit& unit, ports::Priority priority = ports::Priority::interactive) override;
  void commit_async(Unit unit, ports::Priority priority, Done done) override;

  /// The database's records about the key ring, as one snapshot.
  domain::Status read_keys(const std::function<void(const KeyStore&)>& look);
  /// Runs in one background unit, possibly more than once.
  domain::Status write_keys(const std::function<void(KeyStore&)>& change);
  /// Number of encrypted values that could not be decrypted since the start.
  SealFaultCounts seal_faults() const { return cells_.faults(); }

  /// Whether the database answers, may be used and, after a commit that found no space or a read-only disk, accepts
  /// writes again. Returns a Galera node's view of its cluster in words, else "".
  domain::Result<std::string> healthy();
  domain::Result<DatabaseStatus> status();
  /// Findings of the engine's own check and of a check of the references between tables; empty = none.
  domain::Result<std::vector<std::string>> damage();
  /// Copies the current database into a new file during service, and returns the state of the copy. `step` as in
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
  std::atomic<bool> takes_no_writes_ =
      false;  // a commit found no space or a read-only disk, and none has been written since
  const EncryptedCells cells_;
  const RecordServices services_;
  const std::unique_ptr<sql::Database> database_;
  Committer committer_;  // after the database: its sessions end first
};

/// Status of a database that no service has open. Changes nothing and accepts any schema.
domain::Result<DatabaseStatus> inspect(const StoreOptions& options);
/// Whether the database may have values that are encrypted under a key ring. False when there is no database yet.
domain::Result<bool> needs_keys(const StoreOptions& options);
/// SqlStore::damage of such a database.
domain::Result<std::vector<std::string>> damage(const StoreOptions& options);
/// Applies the missing migrations and returns their names.
domain::Result<std::vector<std::string>> migrate(const StoreOptions& options);

}  // namespace tideover::store
