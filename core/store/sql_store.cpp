#include "core/store/sql_store.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/store/disk_room.hpp"
#include "core/store/galera_state.hpp"
#include "core/store/integrity/commit_marks.hpp"
#include "core/store/private_folder.hpp"
#include "core/store/records/claims/number_forms.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/schema.hpp"
#include "core/store/sql/migrator.hpp"
#include "core/store/sql_records.hpp"

namespace tideover::store {
namespace {

using domain::Error;
using domain::ErrorCode;
using Kind = sql::SqlError::Kind;

/// Bytes that must fit before writing starts again after the disk was full: enough for the batches that wait until
/// then.
constexpr std::size_t kSpaceToResume = 1 << 20;

Error unavailable(std::string message) {
  return Error::of(ErrorCode::service_unavailable, std::move(message)).retry_after(1);
}

/// Whether the same may work later without a change of this program's settings.
bool passes(Kind kind) {
  switch (kind) {
    case Kind::conflict:
    case Kind::connection_lost:
    case Kind::commit_unknown:
    case Kind::disk_full:
    case Kind::read_only:
    case Kind::no_resources:
      return true;
    default:
      return false;
  }
}

/// The client's message; the driver's message is for the operator.
Error error_of(Kind kind) {
  switch (kind) {
    case Kind::unique_violation:
      return Error::of(ErrorCode::conflict,
                       "Another request wrote the same unique value first. Read the object and try again.");
    case Kind::conflict:
      return unavailable("The database is busy with conflicting requests. Retry after 1 s.");
    case Kind::connection_lost:
      return unavailable("The database cannot be reached. Nothing was changed; retry after 1 s.");
    case Kind::commit_unknown:
      return unavailable("The database did not answer the commit, so the result is unknown. Retry to find out.")
          .with("outcome", "uncertain");
    case Kind::disk_full:
      return unavailable("The disk of the database is full. Nothing was changed; retry later.");
    case Kind::read_only:
      return unavailable("The disk of the database is read-only. Nothing was changed; retry later.");
    case Kind::no_resources:
      return unavailable("The service is out of memory or file handles. Nothing was changed; retry later.");
    case Kind::io:
      return unavailable("The database failed to write. Nothing was changed; retry later.");
    case Kind::key_missing:
      return unavailable(
          "A stored value needs a key that this node does not have yet. Nothing was changed; retry later.");
    case Kind::unreadable:
      return Error::of(ErrorCode::internal_error, "A stored value is damaged and cannot be read. Nothing was changed.");
    case Kind::corrupt:
      return unavailable("The database is damaged. Nothing was changed; the operator must restore it.");
    case Kind::foreign_key:
    case Kind::check_violation:
    case Kind::in_use:
    case Kind::misuse:
      break;
  }
  return Error::of(ErrorCode::internal_error, "The database refused the change. Nothing was changed.");
}

sql::DatabaseOptions database_options(const StoreOptions& options) {
  sql::DatabaseOptions database;
  database.max_readers = options.max_readers;
  if (options.driver == StoreOptions::Driver::sqlite) {
    database.engine = sql::SqliteOptions{options.sqlite_path, options.sqlite_busy_timeout_ms, options.sqlite_read_only};
  } else {
    database.engine = options.mysql;
  }
  return database;
}

CommitterOptions committer_options(const StoreOptions& options,
                                   std::function<void(const sql::SqlError&)> on_disk_failed) {
  auto committer = options.committer;
  committer.on_disk_failed = std::move(on_disk_failed);
  if (options.driver == StoreOptions::Driver::sqlite) {
    committer.lanes = 1;
    committer.disk_errors_are_final = true;
  } else {
    committer.new_witness = new_commit_witness;
  }
  return committer;
}

/// Opens the database and passes it to `use`; errors become a sentence for the operator.
template <class Value>
domain::Result<Value> with_database(const StoreOptions& options,
                                    const std::function<domain::Result<Value>(std::unique_ptr<sql::Database>)>& use) {
  try {
    if (options.driver == StoreOptions::Driver::sqlite && !options.sqlite_read_only)
      create_private_folder(options.sqlite_path.parent_path());
    return use(sql::Database::open(database_options(options)));
  } catch (const sql::SqlError& error) {
    const std::string problem = std::string("the database cannot be opened: ") + error.what();
    if (error.kind == Kind::in_use) return Error::of(ErrorCode::conflict, problem);
    return passes(error.kind) ? unavailable(problem) : Error::of(ErrorCode::service_unavailable, problem);
  } catch (const std::exception& error) {
    return Error::of(ErrorCode::service_unavailable, std::string("the database cannot be opened: ") + error.what());
  }
}

/// The committer's view of a unit's outcome; its refusal is kept for the caller.
UnitVerdict verdict(const domain::Status& status, std::optional<Error>& refusal) {
  refusal = status ? std::nullopt : std::optional(status.error());
  return refusal ? UnitVerdict::discard : UnitVerdict::keep;
}

Priority priority_of(ports::Priority priority) {
  switch (priority) {
    case ports::Priority::interactive:
      return Priority::interactive;
    case ports::Priority::background:
      return Priority::background;
    case ports::Priority::bulk:
      break;
  }
  return Priority::bulk;
}

/// Why the key ring does not fit this database. If it fits, its current key is recorded, unless the database is only
/// read.
std::optional<std::string> meet_keys(sql::Session& writer, const EncryptedCells& cells, bool read_only) {
  constexpr int kMostTries = 5;
  for (int tried = 1;; ++tried) {
    try {
      writer.begin();
      KeyStore keys(writer, cells);
      auto misfit = keys.misfit();
      if (!misfit && !read_only) keys.keep(domain::Timestamp{});
      writer.commit();
      return misfit;
    } catch (const sql::SqlError& error) {
      if (error.kind != Kind::conflict || tried == kMostTries) throw;
      writer.rollback();  // another node starts at the same time
    }
  }
}

/// The smallest write that reaches the disk of an embedded store. Setting a row to its own value would not.
UnitVerdict smallest_write(sql::Session& session) {
  session.execute("PRAGMA user_version = 0");
  return UnitVerdict::keep;
}

/// For MariaDB, whose disk is elsewhere: needs space and leaves nothing. Uses rows that fit into a page, because InnoDB
/// (10.11) stops the server when there is no space for larger ones.
UnitVerdict write_and_take_back(sql::Session& session) {
  const std::vector<std::uint8_t> ballast(4000);
  for (std::int64_t number = 0; static_cast<std::size_t>(number) * ballast.size() < kSpaceToResume; ++number)
    insert_row<"import_pieces", "tenant = '', job_id = '', number, bytes">(session, number, sql::BlobView(ballast));
  return UnitVerdict::discard;
}

/// A name that fits into the column and into a line of the checkpoint file, for any host name.
std::string chain_name(std::string node) {
  constexpr std::size_t kMostCharacters = 64;
  node.resize(std::min(node.size(), kMostCharacters));
  for (char& c : node) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    if (!plain) c = '_';
  }
  return node;
}

}  // namespace

domain::Result<std::unique_ptr<SqlStore>> SqlStore::open(const StoreOptions& options,
                                                         const ports::EventEncoder& encoder,
                                                         const ports::FieldCipher& cipher) {
  return with_database<std::unique_ptr<SqlStore>>(
      options, [&](std::unique_ptr<sql::Database> database) -> domain::Result<std::unique_ptr<SqlStore>> {
        if (options.migrate_at_start && !options.sqlite_read_only) sql::migrate(*database->writer(), schema());
        if (const auto state = sql::schema_state(*database->reader(), schema()); !state.current()) {
          return Error::of(ErrorCode::service_unavailable,
                           "the database schema is at migration " + std::to_string(state.applied) +
                               " and this program needs " + std::to_string(state.known) +
                               "; run `tideover db migrate` (store.migrate_at_start is false)");
        }
        const EncryptedCells cells(cipher, options.on_failure);
        {
          const auto writer = database->writer();
          if (options.driver == StoreOptions::Driver::mysql) forget_old_commit_marks(*writer);
          if (auto why = meet_keys(*writer, cells, options.sqlite_read_only))
            return Error::of(ErrorCode::service_unavailable, std::move(*why));
          if (!options.sqlite_read_only) fill_number_forms(*writer, cells);
        }
        return std::unique_ptr<SqlStore>(new SqlStore(std::move(database), options, encoder, cipher));
      });
}

domain::Result<DatabaseStatus> inspect(const StoreOptions& options) {
  return with_database<DatabaseStatus>(options,
                                       [](const auto& database) { return status_of(*database->reader(), schema()); });
}

domain::Result<bool> needs_keys(const StoreOptions& options) {
  const bool embedded = options.driver == StoreOptions::Driver::sqlite;
  if (embedded && !std::filesystem::exists(options.sqlite_path)) return false;
  return with_database<bool>(options, [](const auto& database) {
    const auto reader = database->reader();
    const auto tables = reader->first([](const sql::Row& row) { return row.integer(0); },
                                      {"SELECT COUNT(*) FROM sqlite_schema WHERE name = 'master_keys'",
                                       "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() "
                                       "AND table_name = 'master_keys'"});
    if (tables == 0) return false;
    return reader->first([](const sql::Row& row) { return row.integer(0); }, "SELECT COUNT(*) FROM master_keys") > 0;
  });
}

domain::Result<std::vector<std::string>> damage(const StoreOptions& options) {
  return with_database<std::vector<std::string>>(options,
                                                 [](const auto& database) { return damage_of(*database->reader()); });
}

domain::Result<std::vector<std::string>> migrate(const StoreOptions& options) {
  return with_database<std::vector<std::string>>(options, [](const auto& database) {
    const auto writer = database->writer();
    const auto missing = sql::schema_state(*writer, schema()).missing;
    sql::migrate(*writer, schema());
    return missing;
  });
}

SqlStore::SqlStore(std::unique_ptr<sql::Database> database, const StoreOptions& options,
                   const ports::EventEncoder& encoder, const ports::FieldCipher& cipher)
    : embedded_(options.driver == StoreOptions::Driver::sqlite),
      sqlite_path_(options.sqlite_path),
      on_failure_(options.on_failure),
      on_broken_(options.on_broken),
      cells_(cipher, on_failure_),
      services_{encoder, chain_name(options.node), cells_},
      database_(std::move(database)),
      committer_([this] { return database_->writer(); }, committer_options(options, [this](const sql::SqlError& error) {
                   (void)failure(error.kind, error.what());
                 })) {}

SqlStore::~SqlStore() = default;

domain::Status SqlStore::read(const std::function<void(const ports::Records&)>& look) {
  return with_reader(sql::Moment::one, [&](sql::Session& session) {
    const SqlRecords records(session, services_);
    look(records);
  });
}

domain::Status SqlStore::read_one(const std::function<void(const ports::Records&)>& look) {
  return with_reader(sql::Moment::each_query, [&](sql::Session& session) {
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
  return with_reader(sql::Moment::one, [&](sql::Session& session) {
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
  if (broken_) return error_of(Kind::io);
  std::optional<Error> refusal;
  const auto report =
      committer_.commit([&](sql::Session& session) { return verdict(unit(session), refusal); }, priority_of(priority));
  return ended(report, refusal);
}

void SqlStore::commit_async(Unit unit, ports::Priority priority, Done done) {
  if (broken_) return done(error_of(Kind::io));
  struct Waiting {
    Unit unit;
    Done done;
    std::optional<Error> refusal;
  };
  const auto waiting = std::make_shared<Waiting>(Waiting{std::move(unit), std::move(done), {}});
  committer_.commit_async(
      [this, waiting](sql::Session& session) {
        SqlRecords records(session, services_);
        return verdict(waiting->unit(records), waiting->refusal);
      },
      priority_of(priority),
      [this, waiting](const CommitReport& report) { waiting->done(ended(report, waiting->refusal)); });
}

/// For a unit that may refuse.
domain::Status SqlStore::ended(const CommitReport& report, std::optional<Error>& refusal) {
  if (report.outcome == CommitOutcome::discarded) return std::move(*refusal);
  return outcome_of(report);
}

domain::Status SqlStore::outcome_of(const CommitReport& report) {
  switch (report.outcome) {
    case CommitOutcome::committed:
    case CommitOutcome::discarded:
      return {};
    case CommitOutcome::refused_queue_full:
      return unavailable("Too many requests wait for the database. Retry after 1 s.");
    case CommitOutcome::refused_stopping:
      return Error::of(ErrorCode::shutting_down, "The service is stopping. Send the request to another node.")
          .retry_after(1);
    case CommitOutcome::failed:
      break;
  }
  return failure(report.error.value_or(Kind::misuse), report.message);
}

domain::Result<std::string> SqlStore::healthy() {
  if (broken_) return error_of(Kind::io);
  std::string state;
  const auto looked = with_reader(sql::Moment::each_query, [&](sql::Session& session) {
    state = galera_state(session);
    session.first([](const sql::Row& row) { return row.integer(0); }, "SELECT COUNT(*) FROM schema_migrations");
  });
  if (!looked) return looked.error();
  if (!takes_no_writes_) return state;
  const auto written = outcome_of(committer_.commit(embedded_ ? smallest_write : write_and_take_back));
  if (!written) return written.error();
  if (embedded_ && !has_space_beside(sqlite_path_, kSpaceToResume)) return error_of(Kind::disk_full);
  takes_no_writes_ = false;
  return state;
}

domain::Result<DatabaseStatus> SqlStore::status() {
  DatabaseStatus status;
  const auto looked =
      with_reader(sql::Moment::one, [&](sql::Session& session) { status = status_of(session, schema()); });
  if (!looked) return looked.error();
  return status;
}

domain::Result<std::vector<std::string>> SqlStore::damage() {
  std::vector<std::string> found;
  const auto looked = with_reader(sql::Moment::one, [&](sql::Session& session) {
    // MariaDB checks no table inside a read transaction; outside of one, each statement sees the current data.
    found = embedded_ ? damage_of(session) : damage_of(*database_->writer());
  });
  if (!looked) return looked.error();
  return found;
}

domain::Result<DatabaseStatus> SqlStore::copy_to(const std::filesystem::path& file,
                                                 const std::function<bool(std::int64_t, std::int64_t)>& step) {
  DatabaseStatus status;
  std::string problem;
  const auto looked = with_reader(sql::Moment::one, [&](sql::Session& session) {
    try {
      status = status_of(session, schema());  // the first query: from here on the session has one snapshot
      session.copy_to(file, step);
    } catch (const sql::CopyFailed& error) {
      problem = error.what();
    }
  });
  if (!looked) return looked.error();
  if (!problem.empty()) return unavailable(problem);
  return status;
}

domain::Status SqlStore::with_reader(sql::Moment moment, const std::function<void(sql::Session&)>& look) {
  try {
    for (;;) {
      const auto reader = database_->reader(moment);
      try {
        look(*reader);
        return {};
      } catch (const sql::SqlError& error) {
        // An idle connection may have been lost; its lease discards it, and finally a new one gives the real state.
        const bool again =
            moment == sql::Moment::each_query && error.kind == Kind::connection_lost && reader.was_idle();
        if (!again) throw;
      }
    }
  } catch (const sql::SqlError& error) {
    return failure(error.kind, error.what());
  } catch (const std::exception& error) {
    return failure(Kind::misuse, error.what());
  }
}

domain::Error SqlStore::failure(Kind kind, std::string_view what) {
  if (kind != Kind::unique_violation) on_failure_(what);
  if (kind == Kind::disk_full || kind == Kind::read_only) takes_no_writes_ = true;
  const bool breaks = kind == Kind::io || kind == Kind::corrupt || kind == Kind::commit_unknown;
  if (embedded_ && breaks && !broken_.exchange(true)) on_broken_(what);
  return error_of(kind);
}

}  // namespace tideover::store
