#include "core/store/sql_store.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/store/commit_marks.hpp"
#include "core/store/galera_state.hpp"
#include "core/store/private_folder.hpp"
#include "core/store/schema.hpp"
#include "core/store/sql/migrator.hpp"
#include "core/store/sql_records.hpp"

namespace tideover::store {
namespace {

using domain::Error;
using domain::ErrorCode;
using Kind = sql::SqlError::Kind;

Error unavailable(std::string message) {
  return Error::of(ErrorCode::service_unavailable, std::move(message)).retry_after(1);
}

/// What a client is told; what the driver said is the operator's.
Error error_of(Kind kind) {
  switch (kind) {
    case Kind::unique_violation:
      return Error::of(ErrorCode::conflict, "another request wrote the same unique value first; look again");
    case Kind::conflict:
      return unavailable("the database is busy with conflicting requests; try again");
    case Kind::connection_lost:
      return unavailable("the database cannot be reached; nothing was changed, try again");
    case Kind::commit_unknown:
      return unavailable("the database did not answer the commit; the change may or may not be kept, ask again")
          .with("outcome", "uncertain");
    case Kind::disk_full:
      return unavailable("the database has no room left; nothing was changed, try again later");
    case Kind::io:
      return unavailable("the database failed to write; nothing was changed, try again later");
    case Kind::foreign_key:
    case Kind::check_violation:
    case Kind::corrupt:
    case Kind::misuse:
      break;
  }
  return Error::of(ErrorCode::internal_error, "the database refused the change; nothing was kept");
}

sql::DatabaseOptions database_options(const StoreOptions& options) {
  sql::DatabaseOptions database;
  database.max_readers = options.max_readers;
  if (options.driver == StoreOptions::Driver::sqlite) {
    database.engine = sql::SqliteOptions{options.sqlite_path, options.sqlite_busy_timeout_ms};
  } else {
    database.engine = options.mysql;
  }
  return database;
}

CommitterOptions committer_options(const StoreOptions& options) {
  auto committer = options.committer;
  if (options.driver == StoreOptions::Driver::sqlite)
    committer.lanes = 1;
  else
    committer.new_witness = new_commit_witness;
  return committer;
}

Priority priority_of(ports::Priority priority) {
  return priority == ports::Priority::interactive ? Priority::interactive : Priority::background;
}

/// A name that fits the column and a line of the checkpoint file, whatever a host is called.
std::string chain_name(std::string node) {
  constexpr std::size_t kMostCharacters = 64;
  node.resize(std::min(node.size(), kMostCharacters));
  for (char& c : node) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    if (!plain) c = '_';
  }
  return node;
}

}  // namespace

domain::Result<std::unique_ptr<SqlStore>> SqlStore::open(const StoreOptions& options,
                                                         const ports::EventEncoder& encoder) {
  try {
    if (options.driver == StoreOptions::Driver::sqlite) create_private_folder(options.sqlite_path.parent_path());
    auto database = sql::Database::open(database_options(options));
    {
      const auto writer = database->writer();
      sql::migrate(*writer, schema());
      if (options.driver == StoreOptions::Driver::mysql) forget_old_commit_marks(*writer);
    }
    return std::unique_ptr<SqlStore>(new SqlStore(std::move(database), options, encoder));
  } catch (const std::exception& error) {
    return Error::of(ErrorCode::service_unavailable, std::string("the database cannot be opened: ") + error.what());
  }
}

SqlStore::SqlStore(std::unique_ptr<sql::Database> database, const StoreOptions& options,
                   const ports::EventEncoder& encoder)
    : services_{encoder, chain_name(options.node)},
      on_failure_(options.on_failure),
      database_(std::move(database)),
      committer_([this] { return database_->writer(); }, committer_options(options)) {}

SqlStore::~SqlStore() = default;

domain::Status SqlStore::read(const std::function<void(const ports::Records&)>& look) {
  return with_reader([&](sql::Session& session) {
    const SqlRecords records(session, services_);
    look(records);
  });
}

domain::Status SqlStore::commit(const Unit& unit, ports::Priority priority) {
  std::optional<Error> refusal;
  const auto report = committer_.commit(
      [&](sql::Session& session) {
        SqlRecords records(session, services_);
        const auto status = unit(records);
        refusal = status ? std::nullopt : std::optional(status.error());
        return refusal ? UnitVerdict::discard : UnitVerdict::keep;
      },
      priority_of(priority));
  switch (report.outcome) {
    case CommitOutcome::committed:
      return {};
    case CommitOutcome::discarded:
      return std::move(*refusal);
    case CommitOutcome::refused_queue_full:
      return unavailable("too many requests wait for the database; try again");
    case CommitOutcome::refused_stopping:
      return Error::of(ErrorCode::shutting_down, "the service is stopping; send the request to another node")
          .retry_after(1);
    case CommitOutcome::failed:
      break;
  }
  return failure(report.error.value_or(Kind::misuse), report.message);
}

domain::Result<std::string> SqlStore::healthy() {
  std::string state;
  const auto looked = with_reader([&](sql::Session& session) {
    state = galera_state(session);
    session.first([](const sql::Row& row) { return row.integer(0); }, "SELECT COUNT(*) FROM schema_migrations");
  });
  if (!looked) return looked.error();
  return state;
}

domain::Status SqlStore::with_reader(const std::function<void(sql::Session&)>& look) {
  try {
    const auto reader = database_->reader();
    look(*reader);
    return {};
  } catch (const sql::SqlError& error) {
    return failure(error.kind, error.what());
  } catch (const std::exception& error) {
    return failure(Kind::misuse, error.what());
  }
}

domain::Error SqlStore::failure(Kind kind, std::string_view what) const {
  if (kind != Kind::unique_violation) on_failure_(what);
  return error_of(kind);
}

}  // namespace tideover::store
