#include "core/store/sql/session.hpp"

namespace tideover::sql {

namespace {

/// Resets a statement after its execution, so that a cached statement survives every error.
class CloseAtExit {
 public:
  explicit CloseAtExit(Statement& statement) : statement_(&statement) {}
  CloseAtExit(const CloseAtExit&) = delete;
  CloseAtExit& operator=(const CloseAtExit&) = delete;
  ~CloseAtExit() {
    if (statement_ != nullptr) statement_->close();
  }
  void dismiss() { statement_ = nullptr; }

 private:
  Statement* statement_;
};

}  // namespace

/// Refuses statements in a failed transaction (after a deadlock they would be committed one by one) and detects new
/// failures.
template <typename Call>
auto Session::watched(Call&& call) -> decltype(call()) {
  if (in_transaction_ && doom_) throw SqlError(*doom_);
  try {
    if (!in_transaction_) outside_transaction();
    return call();
  } catch (const SqlError& error) {
    if (in_transaction_ && dooms_transaction(error.kind)) doom_.emplace(error);
    throw;
  }
}

Rows::~Rows() {
  if (statement_ == nullptr) return;
  statement_->close();
  statement_->in_use = false;
}

Statement& Session::prepared(Sql sql) {
  const std::string_view text = sql.text(dialect());
  auto found = statements_.find(text);
  if (found == statements_.end()) found = statements_.emplace(std::string(text), prepare(text)).first;
  if (found->second->in_use) {
    throw SqlError(SqlError::Kind::misuse, 0,
                   "a result of this statement is still being read; finish it first: " + std::string(text));
  }
  return *found->second;
}

std::int64_t Session::run_bound(Sql sql, std::span<const Parameter> parameters) {
  if (gathering_ && gathered_.take(sql.text(dialect()), parameters)) {
    ++changes_;
    return 1;
  }
  hand_over_gathered();
  Statement& statement = watched([&]() -> Statement& { return prepared(sql); });
  const CloseAtExit close(statement);
  const std::int64_t affected = watched([&] { return statement.run(parameters); });
  changes_ += static_cast<std::uint64_t>(affected);
  return affected;
}

void Session::send_gathered() {
  gathering_ = false;
  hand_over_gathered();
}

void Session::hand_over_gathered() {
  if (gathered_.empty()) return;
  try {
    gathered_.hand_over([&](std::string_view sql, std::span<const Parameter> parameters) {
      Statement& statement = watched([&]() -> Statement& { return prepared(Sql::composed(sql)); });
      const CloseAtExit close(statement);
      watched([&] { return statement.run(parameters); });
    });
  } catch (const SqlError& error) {
    if (dooms_transaction(error.kind)) throw;
    throw InsertsRefused();
  }
}

Rows Session::query_bound(Sql sql, std::span<const Parameter> parameters) {
  hand_over_gathered();
  Statement& statement = watched([&]() -> Statement& { return prepared(sql); });
  CloseAtExit close(statement);
  watched([&] { statement.open(parameters); });
  close.dismiss();
  return Rows(&statement);
}

void Session::execute(Sql sql) {
  hand_over_gathered();
  watched([&] { execute_text(sql.text(dialect())); });
  ++changes_;  // its effect is unknown, so a unit that calls it counts as having written
}

void Session::begin() {
  if (in_transaction_) throw SqlError(SqlError::Kind::misuse, 0, "begin: a transaction is already open");
  begin_transaction();
  in_transaction_ = true;
  doom_.reset();
  changes_ = 0;
  memory_.begin();
}

void Session::commit() {
  if (!in_transaction_) throw SqlError(SqlError::Kind::misuse, 0, "commit: no transaction is open");
  send_gathered();
  watched([&] { commit_transaction(); });
  in_transaction_ = false;
  memory_.commit();
}

void Session::rollback() {
  if (!in_transaction_) return;
  in_transaction_ = false;
  gathering_ = false;
  gathered_.clear();
  memory_.roll_back();
  rollback_transaction();
}

void Session::copy_to(const std::filesystem::path&, const std::function<bool(std::int64_t, std::int64_t)>&) {
  throw CopyFailed(
      "only the embedded store can be copied; use MariaDB's own tools for MariaDB (packaging/docs/backup.md)");
}

void Session::savepoint() {
  execute_text("SAVEPOINT unit");
  memory_.savepoint();
}
void Session::rollback_to_savepoint() {
  execute_text("ROLLBACK TO SAVEPOINT unit");
  memory_.roll_back_to_savepoint();
}
void Session::release_savepoint() {
  execute_text("RELEASE SAVEPOINT unit");
}

}  // namespace tideover::sql
