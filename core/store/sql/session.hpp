// One database connection: `run` writes, `query` reads, a transaction groups them. Calls have the same meaning on
// SQLite and on MariaDB. Not thread-safe: one owner at a time, which may move between threads. Every member throws
// SqlError.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store/sql/error.hpp"
#include "core/store/sql/gathered_inserts.hpp"
#include "core/store/sql/parameter.hpp"
#include "core/store/sql/statement.hpp"
#include "core/store/sql/transaction_memory.hpp"

namespace tideover::sql {

/// The current row of a result; columns count from 0. Reading NULL with a plain getter, or a column of another type, is
/// SqlError misuse. Values are copies.
class Row {
 public:
  bool is_null(int column) const { return statement_->is_null(column); }
  std::int64_t integer(int column) const { return statement_->integer(column); }
  std::string text(int column) const { return statement_->text(column); }
  std::vector<std::uint8_t> blob(int column) const { return statement_->blob(column); }

  std::optional<std::int64_t> optional_integer(int column) const {
    return is_null(column) ? std::nullopt : std::optional(integer(column));
  }
  std::optional<std::string> optional_text(int column) const {
    return is_null(column) ? std::nullopt : std::optional(text(column));
  }
  std::optional<std::vector<std::uint8_t>> optional_blob(int column) const {
    return is_null(column) ? std::nullopt : std::optional(blob(column));
  }

 protected:
  explicit Row(Statement* statement) : statement_(statement) {}
  Statement* statement_;
};

/// The result of a query and its current row. Read it to the end in a loop, or once:
///   for (const Row& row : session.query("SELECT …", id)) …
///   auto row = session.query("SELECT …", id);  if (row.next()) return row.text(0);
/// During its lifetime the same SQL text cannot be executed again on the same session.
class Rows : public Row {
 public:
  explicit Rows(Statement* executed) : Row(executed) { statement_->in_use = true; }
  Rows(Rows&& other) noexcept : Row(std::exchange(other.statement_, nullptr)) {}
  Rows& operator=(Rows&&) = delete;
  ~Rows();

  /// Moves to the next row; false after the last.
  bool next() { return statement_->next(); }

  class Iterator {
   public:
    explicit Iterator(Rows* rows) : rows_(rows) {}
    const Row& operator*() const { return *rows_; }
    Iterator& operator++() {
      if (!rows_->next()) rows_ = nullptr;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return rows_ != other.rows_; }

   private:
    Rows* rows_;
  };
  Iterator begin() { return Iterator(next() ? this : nullptr); }
  Iterator end() { return Iterator(nullptr); }
};

/// A copy that was stopped or could not be written: an error of the copy, not of the database.
struct CopyFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// At least one of the gathered inserts was refused, for example by a unique key.
class InsertsRefused : public std::exception {
 public:
  const char* what() const noexcept override { return "one of several gathered inserts was refused"; }
};

class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  virtual Dialect dialect() const = 0;

  /// False after the connection was lost. Discard the session then; it never reconnects.
  virtual bool usable() const = 0;

  /// Executes an INSERT, UPDATE or DELETE and returns the affected rows: the matched ones, whether or not their values
  /// changed. For an upsert only "none" and "some" have the same meaning on both engines.
  template <typename... Arguments>
  std::int64_t run(SqlFor<sizeof...(Arguments)> sql, const Arguments&... arguments) {
    const std::array<Parameter, sizeof...(Arguments)> parameters{Parameter(arguments)...};
    return run_bound(sql, parameters);
  }
  std::int64_t run_bound(Sql sql, std::span<const Parameter> parameters);

  /// From here to send_gathered() plain inserts may be kept back and sent together, if the engine gains by it. Their
  /// errors come later, from the statement that sends them or from send_gathered(). The failing insert is then unknown,
  /// so InsertsRefused is thrown and the transaction can only be rolled back.
  void gather_inserts() { gathering_ = gains_by_gathering(); }
  void send_gathered();

  /// Executes a SELECT. Writing statements with RETURNING are refused: their rows would not be counted as changes.
  template <typename... Arguments>
  Rows query(SqlFor<sizeof...(Arguments)> sql, const Arguments&... arguments) {
    const std::array<Parameter, sizeof...(Arguments)> parameters{Parameter(arguments)...};
    return query_bound(sql, parameters);
  }
  Rows query_bound(Sql sql, std::span<const Parameter> parameters);

  /// The first row of a query through `read`, or nothing: `session.first([](const Row& r) { return r.text(0); },
  /// "SELECT …")`.
  template <typename Read, typename... Arguments>
  auto first(Read&& read, SqlFor<sizeof...(Arguments)> sql, const Arguments&... arguments)
      -> std::optional<std::invoke_result_t<Read, const Row&>> {
    Rows rows = query(sql, arguments...);
    if (!rows.next()) return std::nullopt;
    return std::invoke(std::forward<Read>(read), static_cast<const Row&>(rows));
  }

  /// Executes one statement without parameters and without caching it: DDL and session settings.
  void execute(Sql sql);

  /// A writing session takes the write lock here on SQLite; a reading one fixes its snapshot, at the latest at its
  /// first query.
  void begin();
  /// A transaction in which a statement failed with conflict, connection_lost, disk_full, io or corrupt can no longer
  /// be committed, even if the caller ignored that error: the engine may have rolled it back. After commit_unknown the
  /// session must be discarded; after any other error nothing was committed.
  void commit();
  /// Safe to call when the engine has already rolled back.
  void rollback();
  bool in_transaction() const { return in_transaction_; }

  // One level of savepoint inside a transaction.
  void savepoint();
  void rollback_to_savepoint();
  void release_savepoint();

  TransactionMemory& memory() { return memory_; }

  /// Number of this writing session in its process, from 0. A session that replaces a lost one takes its number.
  int lane() const { return lane_; }
  void take_lane(int number) { lane_ = number; }

  /// Between transactions: waits until this database has all data that any node of its cluster has acknowledged, and
  /// returns true. Returns false when there is no cluster, so that no data can be missing.
  virtual bool catch_up() { return false; }

  /// For the owner of a writing session, between transactions: the engine's pending maintenance. Rarely waits. Throws
  /// SqlError when the disk failed; then nothing more may be written.
  virtual void tidy() {}

  /// Copies the whole database, as seen by this session's open transaction, into a new file of mode 0600 and syncs it;
  /// neither readers nor the writer wait for it. `step` gets the number of copied pages and of all pages; returning
  /// false ends the copy. Only for an embedded database. Throws CopyFailed and then leaves no file.
  virtual void copy_to(const std::filesystem::path& file,
                       const std::function<bool(std::int64_t done, std::int64_t all)>& step);

  /// Rows affected since begin(); not reduced when a savepoint is rolled back.
  std::uint64_t changes_in_transaction() const { return changes_; }

 protected:
  virtual std::unique_ptr<Statement> prepare(std::string_view sql) = 0;
  virtual void execute_text(std::string_view sql) = 0;
  virtual void begin_transaction() = 0;
  virtual void commit_transaction() = 0;
  virtual void rollback_transaction() = 0;
  virtual void outside_transaction() {}  // before a statement without a preceding begin()
  virtual bool gains_by_gathering() const { return false; }

  /// Drivers call it first in their destructor: statements must be destroyed before their connection.
  void forget_statements() noexcept { statements_.clear(); }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  Statement& prepared(Sql sql);
  void hand_over_gathered();
  template <typename Call>
  auto watched(Call&& call) -> decltype(call());

  std::unordered_map<std::string, std::unique_ptr<Statement>, TextHash, std::equal_to<>> statements_;
  std::uint64_t changes_ = 0;
  bool in_transaction_ = false;
  bool gathering_ = false;
  GatheredInserts gathered_;
  TransactionMemory memory_;
  int lane_ = 0;
  std::optional<SqlError> doom_;  // why the open transaction cannot be committed
};

}  // namespace tideover::sql
