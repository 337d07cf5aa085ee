// The durable memory over SQL: reads on leased reading sessions, writes through the group committer. Here the drivers'
// exceptions end and become domain errors. Thread-safe.
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
  bool sqlite_read_only = false;  // a backup to be looked at: nothing is created, locked or migrated
  sql::MySqlOptions mysql;
  std::size_t max_readers = 16;
  std::string node = "node";     // this process among those that share the database: names its hash chains
  CommitterOptions committer;    // lanes count on MariaDB only: SQLite has one writer
  bool migrate_at_start = true;  // else a database that lacks migrations is refused
  /// Told of every failure of the database, for the operator's log: statement and driver's code, never a value. Clients
  /// get a sentence without them. Called on any thread; must not throw.
  std::function<void(std::string_view)> on_failure = [](std::string_view) {};
  /// Told once when the disk under the embedded database failed or a page of it is damaged: nothing is written any more
  /// and the process should end. Like on_failure.
  std::function<void(std::string_view)> on_broken = [](std::string_view) {};
};

class SqlStore final : public ports::Store {
 public:
  /// Opens or creates the database, brings its schema up to date unless told otherwise, and checks that the cipher's
  /// keys are those under which its values are encrypted. The Error is a sentence for the operator; its code is
  /// conflict where another process has the file, and retry_after_s is set where the same works later: the server is
  /// away, the disk is full. `encoder` and `cipher` must outlive the store.
  static domain::Result<std::unique_ptr<SqlStore>> open(const StoreOptions& options, const ports::EventEncoder& encoder,
                                                        const ports::FieldCipher& cipher);
  ~SqlStore() override;  // drains

  domain::Status read(const std::function<void(const ports::Records&)>& look) override;
  domain::Status read_one(const std::function<void(const ports::Records&)>& look) override;
  domain::Status commit(const Unit& unit, ports::Priority priority = ports::Priority::interactive) override;
  void commit_async(Unit unit, ports::Priority priority, Done done) override;

  /// What the database knows of the key ring, as one snapshot.
  domain::Status read_keys(const std::function<void(const KeyStore&)>& look);
  /// In one background unit, which may run more than once.
  domain::Status write_keys(const std::function<void(KeyStore&)>& change);
  /// How many encrypted values did not open since the start.
  SealFaultCounts seal_faults() const { return cells_.faults(); }

  /// Whether the database answers, may be used and, after a commit that found no space or a read-only disk, takes
  /// writes again; a Galera node's view of its cluster in words, else "".
  domain::Result<std::string> healthy();
  domain::Result<DatabaseStatus> status();
  /// What the engine's own check and a look at the references between tables find wrong; empty = nothing.
  domain::Result<std::vector<std::string>> damage();
  /// Copies the database as it is now into a new file, while it is served, and returns where the copy stands. `step` as
  /// in sql::Session::copy_to.
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
      false;  // a commit found no space or a read-only disk, and none was written since
  const EncryptedCells cells_;
  const RecordServices services_;
  const std::unique_ptr<sql::Database> database_;
  Committer committer_;  // after the database: its sessions end first
};

/// Where a database stands that no service has open; changes nothing and bears any schema.
domain::Result<DatabaseStatus> inspect(const StoreOptions& options);
/// Whether values may stand there that are encrypted under a key ring. False where there is no database yet.
domain::Result<bool> needs_keys(const StoreOptions& options);
/// SqlStore::damage of such a database.
domain::Result<std::vector<std::string>> damage(const StoreOptions& options);
/// Applies the missing migrations and returns their names.
domain::Result<std::vector<std::string>> migrate(const StoreOptions& options);

}  // namespace tideover::store
