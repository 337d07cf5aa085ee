// Opens sessions on the configured database and lends reading sessions. Thread-safe. Sessions and leases must not
// outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <variant>

#include "core/store/sql/mysql_session.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::sql {

struct SqliteOptions {
  std::filesystem::path file;  // created with mode 0600 if absent; its folder must exist
  int busy_timeout_ms = 5000;
  bool read_only = false;  // a file without writers, such as a backup: no lock and no log; sessions only read
  std::int64_t wal_bytes = 64 << 20;  // a larger write-ahead log is truncated, waiting for readers if necessary
};

struct DatabaseOptions {
  std::variant<SqliteOptions, MySqlOptions> engine;
  std::size_t max_readers = 16;
  std::chrono::milliseconds reader_wait{2000};  // how long reader() waits for a free one
};

class Database;

/// The view that the queries of a reader share.
enum class Moment {
  one,        // a transaction: all data committed before it was lent, none committed after its first query
  each_query  // no transaction: each query sees the data committed at its time
};

/// A reading session; returns to its pool at the end of its scope. Rows read through it must not outlive it.
class ReaderLease {
 public:
  ReaderLease(Database& owner, std::unique_ptr<Session> session, bool was_idle);
  ReaderLease(ReaderLease&&) noexcept = default;
  ReaderLease& operator=(ReaderLease&&) = delete;
  ~ReaderLease();

  Session& operator*() const { return *session_; }
  Session* operator->() const { return session_.get(); }
  /// The session was used before; its connection may have been lost since.
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

  /// A writing session. SQLite allows one at a time: a second one during its lifetime is SqlError misuse.
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
