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
    case Kind::key_missing:
      return unavailable("a stored value needs a key that this node has not got yet; nothing was changed, try again");
    case Kind::unreadable:
      return Error::of(ErrorCode::internal_error, "a stored value is damaged and cannot be read; nothing was changed");
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

/// Why the keys are not this database's; if they are, it knows the current one afterwards.
std::optional<std::string> meet_keys(sql::Session& writer, const SealedCells& cells) {
  constexpr int kMostTries = 5;
  for (int tried = 1;; ++tried) {
    try {
      writer.begin();
      KeyStore keys(writer, cells);
      auto misfit = keys.misfit();
      if (!misfit) keys.keep(domain::Timestamp{});
      writer.commit();
      return misfit;
    } catch (const sql::SqlError& error) {
      if (error.kind != Kind::conflict || tried == kMostTries) throw;
      writer.rollback();  // another node starts at the same moment
    }
  }
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
                                                         const ports::EventEncoder& encoder,
                                                         const ports::FieldCipher& cipher) {
  try {
    if (options.driver == StoreOptions::Driver::sqlite) create_private_folder(options.sqlite_path.parent_path());
    auto database = sql::Database::open(database_options(options));
    const SealedCells cells(cipher, options.on_failure);
    {
      const auto writer = database->writer();
      sql::migrate(*writer, schema());
      if (options.driver == StoreOptions::Driver::mysql) forget_old_commit_marks(*writer);
      if (auto why = meet_keys(*writer, cells)) return Error::of(ErrorCode::service_unavailable, std::move(*why));
    }
    return std::unique_ptr<SqlStore>(new SqlStore(std::move(database), options, encoder, cipher));
  } catch (const std::exception& error) {
    return Error::of(ErrorCode::service_unavailable, std::string("the database cannot be opened: ") + error.what());
  }
}

SqlStore::SqlStore(std::unique_ptr<sql::Database> database, const StoreOptions& options,
                   const ports::EventEncoder& encoder, const ports::FieldCipher& cipher)
    : on_failure_(options.on_failure),
      cells_(cipher, on_failure_),
      services_{encoder, chain_name(options.node), cells_},
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
  return commit_on(
      [&](sql::Session& session) {
        SqlRecords records(session, services_);
        return unit(records);
      },
      priority);
}

domain::Status SqlStore::read_keys(const std::function<void(const KeyStore&)>& look) {
  return with_reader([&](sql::Session& session) {
    const KeyStore keys(session, cells_);
    look(keys);
  });
}

domain::Status SqlStore::write_keys(const std::function<void(KeyStore&)>& change) {
  return commit_on(
      [&](sql::Session& session) -> domain::Status {
        KeyStore keys(session, cells_);
        change(keys);
        return {};
      },
      ports::Priority::background);
}

domain::Status SqlStore::commit_on(const std::function<domain::Status(sql::Session&)>& unit, ports::Priority priority) {
  std::optional<Error> refusal;
  const auto report = committer_.commit(
      [&](sql::Session& session) {
        const auto status = unit(session);
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
