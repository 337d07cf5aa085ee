#include "core/store/sql/sqlite_session.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "core/store/sql/sqlite_copy.hpp"
#include "core/store/sql/sqlite_log_file.hpp"

namespace tideover::sql {

namespace {

using Kind = SqlError::Kind;

/// A write that failed because of missing space or permission, which SQLite reports as an ordinary I/O error.
Kind kind_of_failed_write(int system_error) {
  switch (system_error) {
    case ENOSPC:
    case EDQUOT:
      return Kind::disk_full;
    case EROFS:
    case EACCES:
    case EPERM:
      return Kind::read_only;
    default:
      return Kind::io;
  }
}

Kind kind_of(int extended_code, int system_error) {
  switch (extended_code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return Kind::unique_violation;
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return Kind::foreign_key;
    case SQLITE_IOERR_WRITE:
      return kind_of_failed_write(system_error);
    case SQLITE_IOERR_SHMOPEN:  // the index of the log is rebuilt if necessary: no data is lost with it
    case SQLITE_IOERR_SHMSIZE:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_IOERR_NOMEM:
      return Kind::no_resources;
    default:
      break;
  }
  switch (extended_code & 0xff) {
    case SQLITE_CONSTRAINT:
      return Kind::check_violation;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Kind::conflict;
    case SQLITE_FULL:
      return Kind::disk_full;
    case SQLITE_READONLY:
      return Kind::read_only;
    case SQLITE_CANTOPEN:
    case SQLITE_NOMEM:
      return Kind::no_resources;
    case SQLITE_IOERR:
      return Kind::io;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Kind::corrupt;
    default:
      return Kind::misuse;
  }
}

/// The system's error of this connection's last failed write, read from the files themselves: errno has been
/// overwritten when a statement fails. Missing space is reported differently (SQLITE_FULL).
int last_system_error(sqlite3* database) {
  for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {  // the log, then the database
    sqlite3_file* file = nullptr;
    int error = 0;
    if (sqlite3_file_control(database, "main", which, &file) != SQLITE_OK || file == nullptr ||
        file->pMethods == nullptr)
      continue;
    if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK && error != 0) return error;
  }
  return sqlite3_system_errno(database);
}

// SQLite's messages name tables, columns and SQL tokens, never values, so they can be shown.
[[noreturn]] void fail(sqlite3* database, std::string_view sql) {
  const int code = sqlite3_extended_errcode(database);
  throw SqlError(kind_of(code, last_system_error(database)), code,
                 std::string("SQLite: ") + sqlite3_errmsg(database) + " (code " + std::to_string(code) +
                     ") in: " + std::string(sql));
}

class SqliteStatement final : public Statement {
 public:
  SqliteStatement(sqlite3* database, std::string_view sql) : database_(database) {
    const char* tail = nullptr;
    if (sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement_,
                           &tail) != SQLITE_OK) {
      fail(database, sql);
    }
    const std::string_view rest(tail, static_cast<std::size_t>(sql.data() + sql.size() - tail));
    if (statement_ == nullptr || rest.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
      sqlite3_finalize(statement_);
      throw SqlError(Kind::misuse, 0, "only one statement is allowed: " + std::string(sql));
    }
  }
  ~SqliteStatement() override { sqlite3_finalize(statement_); }

  std::int64_t run(std::span<const Parameter> parameters) override {
    bind(parameters);
    const std::int64_t before = sqlite3_total_changes64(database_);
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) throw misuse("run() is for statements without a result; use query() for");
    if (code != SQLITE_DONE) fail(database_, sql());
    return sqlite3_total_changes64(database_) == before ? 0 : sqlite3_changes64(database_);
  }

  /// Starts any statement, also one that writes and has rows, such as a PRAGMA; next() then steps it.
  void start() { done_ = false; }

  void open(std::span<const Parameter> parameters) override {
    if (sqlite3_stmt_readonly(statement_) == 0) throw misuse("query() only reads; use run() for");
    bind(parameters);
    done_ = false;
  }

  bool next() override {
    if (done_) return false;
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    done_ = true;  // a further step would start the statement again
    if (code != SQLITE_DONE) fail(database_, sql());
    return false;
  }

  void close() noexcept override {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

  bool is_null(int column) const override { return type_of(column) == SQLITE_NULL; }

  std::int64_t integer(int column) const override {
    expect(column, SQLITE_INTEGER, "an integer");
    return sqlite3_column_int64(statement_, column);
  }
  std::string text(int column) const override {
    expect(column, SQLITE_TEXT, "text");
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  std::vector<std::uint8_t> blob(int column) const override {
    expect(column, SQLITE_BLOB, "a blob");
    const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
    return {bytes, bytes + sqlite3_column_bytes(statement_, column)};
  }

 private:
  struct Binder {
    sqlite3_stmt* statement;
    int position;
    int operator()(std::monostate) const { return sqlite3_bind_null(statement, position); }
    int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, position, value); }
    // The views are valid during run(); a query continues after its arguments are gone, so it copies.
    int operator()(std::string_view text) const {
      return sqlite3_bind_text64(statement, position, text.data() == nullptr ? "" : text.data(), text.size(), lifetime,
                                 SQLITE_UTF8);
    }
    int operator()(BlobView bytes) const {
      if (bytes.empty()) return sqlite3_bind_zeroblob(statement, position, 0);
      return sqlite3_bind_blob64(statement, position, bytes.data(), bytes.size(), lifetime);
    }
    sqlite3_destructor_type lifetime;
  };

  void bind(std::span<const Parameter> parameters) {
    if (static_cast<int>(parameters.size()) != sqlite3_bind_parameter_count(statement_)) {
      throw misuse("wrong number of arguments (" + std::to_string(parameters.size()) + ") for");
    }
    const auto lifetime = sqlite3_stmt_readonly(statement_) != 0 ? SQLITE_TRANSIENT : SQLITE_STATIC;
    int position = 1;
    for (const Parameter& parameter : parameters) {
      if (std::visit(Binder{statement_, position, lifetime}, parameter.value()) != SQLITE_OK) fail(database_, sql());
      ++position;
    }
  }

  int type_of(int column) const {
    if (column < 0 || column >= sqlite3_data_count(statement_)) {
      throw misuse("there is no current row or no column " + std::to_string(column) + " in");
    }
    return sqlite3_column_type(statement_, column);
  }

  void expect(int column, int type, const char* wanted) const {
    if (type_of(column) != type) {
      throw misuse("column " + std::to_string(column) + " is not " + wanted + " (it may be NULL) in");
    }
  }

  SqlError misuse(const std::string& what) const { return {Kind::misuse, 0, what + ": " + std::string(sql())}; }
  std::string_view sql() const { return sqlite3_sql(statement_); }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  bool done_ = true;
};

/// `immutable` needs neither log nor locks for a file without writers, so that it may be on a read-only disk.
std::string uri_of(const SqliteOptions& options) {
  std::string uri = "file:";
  for (const char character : options.file.string()) {
    if (character == '%')
      uri += "%25";
    else if (character == '?')
      uri += "%3f";
    else if (character == '#')
      uri += "%23";
    else
      uri += character;
  }
  return options.read_only ? uri + "?immutable=1" : uri;
}

class SqliteSession final : public Session {
 public:
  SqliteSession(const SqliteOptions& options, SqliteRole role, std::shared_ptr<void> token)
      : token_(std::move(token)), role_(options.read_only ? SqliteRole::reader : role), options_(options) {
    stop_counting_memory();
    // A reader is opened read-write too: a read-only connection could not map the WAL index. query_only prevents
    // writes.
    const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI |
                      (options_.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
    const int code = sqlite3_open_v2(uri_of(options_).c_str(), &database_, flags,
                                     role_ == SqliteRole::writer ? gathering_log_vfs() : nullptr);
    if (code != SQLITE_OK) {
      const SqlError error(kind_of(code, sqlite3_system_errno(database_)), code,
                           "cannot open the database " + options_.file.string() + ": " + sqlite3_errstr(code));
      sqlite3_close(database_);
      throw error;
    }
    try {
      configure();
    } catch (...) {
      sqlite3_close(database_);
      throw;
    }
  }

  ~SqliteSession() override {
    forget_statements();
    for (auto* prepared : {&begin_, &commit_, &rollback_}) prepared->reset();
    sqlite3_close(database_);
  }

  Dialect dialect() const override { return Dialect::sqlite; }
  bool usable() const override { return true; }

  void copy_to(const std::filesystem::path& file,
               const std::function<bool(std::int64_t, std::int64_t)>& step) override {
    copy_sqlite(database_, file, step);
  }

  /// Passive checkpoints never wait. With constant reading some reader always uses the log, so it could never be
  /// restarted and would grow for ever. A restart checkpoint blocks new readers and waits a moment for the present
  /// ones; if that is not enough, the next one will be.
  void tidy() override {
    if (role_ != SqliteRole::writer) return;
    if (log_pages_ >= kCheckpointPages) checkpoint(SQLITE_CHECKPOINT_PASSIVE);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_tidy_) return;
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(log_file_, absent);
    if (absent || bytes <= static_cast<std::uintmax_t>(options_.wal_bytes)) return;
    next_tidy_ = now + kTidyPause;
    sqlite3_busy_timeout(database_, kTidyWaitMs);
    checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
    sqlite3_busy_timeout(database_, options_.busy_timeout_ms);
  }

 protected:
  std::unique_ptr<Statement> prepare(std::string_view sql) override {
    return std::make_unique<SqliteStatement>(database_, sql);
  }

  void execute_text(std::string_view sql) override {
    SqliteStatement statement(database_, sql);
    statement.start();
    while (statement.next()) {
    }
  }

  void begin_transaction() override { step(begin_, role_ == SqliteRole::writer ? "BEGIN IMMEDIATE" : "BEGIN"); }

  void commit_transaction() override {
    try {
      step(commit_, "COMMIT");
    } catch (const SqlError& error) {
      // A failed fsync can leave the whole commit in the WAL, where a crash would make it effective.
      if (error.kind != Kind::io) throw;
      sqlite3_db_config(database_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                        nullptr);  // uncertain data must not be written further
      throw SqlError(Kind::commit_unknown, error.code, error.what());
    }
  }

  void rollback_transaction() override {
    if (sqlite3_get_autocommit(database_) == 0) step(rollback_, "ROLLBACK");
  }

 private:
  /// SQLite's memory statistics are not used, and they take a process-wide lock at every allocation. No effect when
  /// SQLite was used before.
  static void stop_counting_memory() {
    [[maybe_unused]] static const int once = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  }

  /// The statements around every transaction are prepared once: preparing costs more than a short read.
  void step(std::optional<SqliteStatement>& prepared, std::string_view sql) {
    if (!prepared) prepared.emplace(database_, sql);
    try {
      prepared->run({});
    } catch (...) {
      prepared.reset();
      throw;
    }
    prepared->close();
  }

  void configure() {
    sqlite3_busy_timeout(database_, options_.busy_timeout_ms);
    set_option(SQLITE_DBCONFIG_DEFENSIVE, 1);
    set_option(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
    set_option(SQLITE_DBCONFIG_DQS_DDL, 0);
    set_option(SQLITE_DBCONFIG_DQS_DML, 0);
    execute_text("PRAGMA foreign_keys = ON");
    execute_text("PRAGMA case_sensitive_like = ON");  // compares as MariaDB's binary collations do
    if (role_ == SqliteRole::writer) {
      turn_wal_on();
      execute_text("PRAGMA synchronous = FULL");
      // Random keys use the same few thousand index pages again and again: the cache avoids reading them again, and
      // with a longer log one write to the database file more often stands for many writes to the log.
      execute_text("PRAGMA cache_size = -32768");
      execute_text("PRAGMA wal_autocheckpoint = 0");  // tidy() does it after waiting callers have their answers
      sqlite3_wal_hook(database_, &note_log_pages, this);
      execute_text("PRAGMA journal_size_limit = " + std::to_string(options_.wal_bytes));
    } else {
      set_option(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1);
      execute_text("PRAGMA wal_autocheckpoint = 0");
      execute_text("PRAGMA query_only = ON");
    }
  }

  void turn_wal_on() {
    SqliteStatement pragma(database_, "PRAGMA journal_mode = WAL");
    pragma.start();
    if (!pragma.next() || pragma.text(0) != "wal") {
      throw SqlError(Kind::misuse, 0, "SQLite cannot use WAL here. Move the database to a local file system");
    }
  }

  void set_option(int option, int value) {
    if (sqlite3_db_config(database_, option, value, nullptr) != SQLITE_OK) fail(database_, "sqlite3_db_config");
  }

  static int note_log_pages(void* session, sqlite3*, const char*, int pages) {
    static_cast<SqliteSession*>(session)->log_pages_ = pages;
    return SQLITE_OK;
  }

  /// A checkpoint that found no space is repeated: the log still has the data. After a disk failure in a checkpoint the
  /// disk cannot be trusted with the next commit.
  void checkpoint(int mode) {
    const int code = sqlite3_wal_checkpoint_v2(database_, nullptr, mode, nullptr, nullptr);
    if (code == SQLITE_OK || kind_of(code, last_system_error(database_)) != Kind::io) return;
    throw SqlError(Kind::io, code,
                   "SQLite: checkpoint: " + std::string(sqlite3_errstr(code)) + " (code " + std::to_string(code) + ")");
  }

  /// Costs a waiting caller about 30 ms. Half as many pages cost a tenth more work, since pages are moved more often.
  static constexpr int kCheckpointPages = 4000;
  static constexpr std::chrono::milliseconds kTidyPause{500};
  static constexpr int kTidyWaitMs = 100;

  const std::shared_ptr<void> token_;
  const SqliteRole role_;
  const SqliteOptions options_;
  const std::filesystem::path log_file_ = options_.file.string() + "-wal";
  std::chrono::steady_clock::time_point next_tidy_;
  int log_pages_ = 0;
  sqlite3* database_ = nullptr;
  std::optional<SqliteStatement> begin_, commit_, rollback_;
};

}  // namespace

std::unique_ptr<Session> open_sqlite_session(const SqliteOptions& options, SqliteRole role,
                                             std::shared_ptr<void> token) {
  return std::make_unique<SqliteSession>(options, role, std::move(token));
}

}  // namespace tideover::sql
