// Opens sessions on the configured database and lends read sessions. Thread-safe. Sessions and leases must not outlive
// it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <variant>

#include "core/store/sql/mysql_session.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::sql {

/// Suffix of the database's name for the copy that a restore is about to use.
inline constexpr const char* kStagedCopy = ".restoring";

struct SqliteOptions {
  std::filesystem::path file;  // created with mode 0600 if absent; its folder must exist
  int busy_timeout_ms = 5000;
  bool read_only = false;  // for a file without a writer, such as a backup: no lock, no log; writers only read
  std::int64_t wal_bytes = 64 << 20;  // a longer write-ahead log is truncated, if necessary after a wait for readers
};

struct DatabaseOptions {
  std::variant<SqliteOptions, MySqlOptions> engine;
  std::size_t max_readers = 16;
  std::chrono::milliseconds reader_wait{2000};  // how long reader() waits for a free one
};

class Database;

/// What the queries of a read session see.
enum class Moment {
  one,        // one transaction: everything committed before it was lent, nothing after its first query
  each_query  // no transaction: each query sees the state of its time
};

/// A read session. Returns to its pool at the end of its scope. Rows read through it must not outlive it.
class ReaderLease {
 public:
  ReaderLease(Database& owner, std::unique_ptr<Session> session, bool was_idle);
  ReaderLease(ReaderLease&&) noexcept = default;
  ReaderLease& operator=(ReaderLease&&) = delete;
  ~ReaderLease();

  Session& operator*() const { return *session_; }
  Session* operator->() const { return session_.get(); }
  /// It was lent before, so its connection may have died since.
  bool was_idle() const { return was_idle_; }

 private:
  Database* owner_;
  std::unique_ptr<Session> session_;
  bool was_idle_;
};

class Database {
 public:
  /// Opens or creates the database. Throws SqlError with a message for the operator.
  static std::unique_ptr<Database> open(const DatabaseOptions& options);
  ~Database();

  Dialect dialect() const;

  /// A write session. SQLite has one at a time: a second one while the first lives is an error of the caller.
  std::unique_ptr<Session> writer();

  /// Throws SqlError conflict when no read session became free in time.
  ReaderLease reader(Moment moment = Moment::one);

 private:
  friend class ReaderLease;
  class Engine;
  class SqliteEngine;
  class MySqlEngine;
  struct ReaderPool;

  Database(std::unique_ptr<Engine> engine, const DatabaseOptions& options);
  void give_back(std::unique_ptr<Session> session) noexcept;
  std::unique_ptr<Session> idle_reader();

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<ReaderPool> readers_;
};

}  // namespace tideover::sql
