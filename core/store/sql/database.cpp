#include "core/store/sql/database.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include "core/store/sql/file_lock.hpp"
#include "core/store/sql/sqlite_copy.hpp"
#include "core/store/sql/sqlite_session.hpp"

namespace tideover::sql {

class Database::Engine {
 public:
  virtual ~Engine() = default;
  virtual std::unique_ptr<Session> writer() = 0;
  virtual std::unique_ptr<Session> reader() = 0;
};

class Database::SqliteEngine final : public Engine {
 public:
  explicit SqliteEngine(SqliteOptions options) : options_(std::move(options)) {
    if (!options_.read_only) {
      lock_.emplace(options_.file);
      refuse_to_create(options_.file);
      create_private_file(options_.file);
    }
    writer();  // enables WAL and recovers after a crash before readers open
  }

  std::unique_ptr<Session> writer() override {
    const std::lock_guard guard(mutex_);
    if (!writer_token_.expired()) {
      throw SqlError(SqlError::Kind::misuse, 0,
                     "the writing session of " + options_.file.string() + " is in use; only its owner may write");
    }
    auto token = std::make_shared<int>(0);
    writer_token_ = token;
    return open_sqlite_session(options_, SqliteRole::writer, std::move(token));
  }

  std::unique_ptr<Session> reader() override { return open_sqlite_session(options_, SqliteRole::reader, nullptr); }

 private:
  /// SQLite would create a new database. It would delete a log without a database, and with it acknowledged data; next
  /// to the copy of an interrupted restore it would start with an empty ledger.
  static void refuse_to_create(const std::filesystem::path& file) {
    if (std::filesystem::exists(file)) return;
    const auto missing = "the database " + file.string() + " is missing, but ";
    std::error_code absent;
    const std::filesystem::path log = file.string() + "-wal";
    if (std::filesystem::file_size(log, absent) > 0 && !absent) {
      throw SqlError(SqlError::Kind::misuse, 0,
                     missing + "its log " + log.string() +
                         " exists. Restore the database, or move the log away to start with an empty database");
    }
    const std::filesystem::path staged = file.string() + kStagedCopy;
    if (std::filesystem::exists(staged)) {
      throw SqlError(
          SqlError::Kind::misuse, 0,
          missing + staged.string() +
              " exists: a restore was interrupted. Run it again, or remove that file to start with an empty database");
    }
  }

  /// SQLite gives the WAL and its index the mode of the database file.
  static void create_private_file(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
      throw SqlError(SqlError::Kind::io, errno,
                     "cannot open the database " + file.string() + ": " + std::generic_category().message(errno));
    }
    ::close(descriptor);
  }

  const SqliteOptions options_;
  std::optional<FileLock> lock_;  // none for a file that is only read
  std::mutex mutex_;
  std::weak_ptr<void> writer_token_;
};

class Database::MySqlEngine final : public Engine {
 public:
  explicit MySqlEngine(MySqlOptions options) : options_(std::move(options)) {
    prepare_mysql_driver();
    writer();  // fails now on wrong settings, not at the first request
  }

  std::unique_ptr<Session> writer() override { return open_mysql_session(options_, MySqlRole::writer); }
  std::unique_ptr<Session> reader() override { return open_mysql_session(options_, MySqlRole::reader); }

 private:
  const MySqlOptions options_;
};

struct Database::ReaderPool {
  const std::size_t most;
  const std::chrono::milliseconds wait;
  std::mutex mutex;
  std::condition_variable freed;
  std::vector<std::unique_ptr<Session>> idle{};
  std::size_t lent = 0;
};

std::unique_ptr<Database> Database::open(const DatabaseOptions& options) {
  std::unique_ptr<Engine> engine;
  if (const auto* sqlite = std::get_if<SqliteOptions>(&options.engine)) {
    engine = std::make_unique<SqliteEngine>(*sqlite);
  } else {
    engine = std::make_unique<MySqlEngine>(std::get<MySqlOptions>(options.engine));
  }
  return std::unique_ptr<Database>(new Database(std::move(engine), options));
}

Database::Database(std::unique_ptr<Engine> engine, const DatabaseOptions& options)
    : engine_(std::move(engine)), readers_(new ReaderPool{options.max_readers, options.reader_wait, {}, {}}) {}

Database::~Database() = default;

std::unique_ptr<Session> Database::writer() {
  return engine_->writer();
}

ReaderLease Database::reader(Moment moment) {
  {
    std::unique_lock guard(readers_->mutex);
    if (!readers_->freed.wait_for(guard, readers_->wait, [&] { return readers_->lent < readers_->most; })) {
      throw SqlError(SqlError::Kind::conflict, 0,
                     "all " + std::to_string(readers_->most) + " reading sessions were busy for " +
                         std::to_string(readers_->wait.count()) + " ms");
    }
    ++readers_->lent;
  }
  try {
    for (;;) {
      std::unique_ptr<Session> session = idle_reader();
      const bool was_idle = session != nullptr;
      if (!was_idle) session = engine_->reader();
      try {
        if (moment == Moment::one) session->begin();
        return ReaderLease(*this, std::move(session), was_idle);
      } catch (const SqlError& error) {
        // An idle connection may have been lost; a lost new connection is an error.
        if (!was_idle || error.kind != SqlError::Kind::connection_lost) throw;
      }
    }
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

std::unique_ptr<Session> Database::idle_reader() {
  const std::lock_guard guard(readers_->mutex);
  if (readers_->idle.empty()) return nullptr;
  auto session = std::move(readers_->idle.back());
  readers_->idle.pop_back();
  return session;
}

void Database::give_back(std::unique_ptr<Session> session) noexcept {
  const std::lock_guard guard(readers_->mutex);
  if (session) readers_->idle.push_back(std::move(session));
  --readers_->lent;
  readers_->freed.notify_one();
}

ReaderLease::ReaderLease(Database& owner, std::unique_ptr<Session> session, bool was_idle)
    : owner_(&owner), session_(std::move(session)), was_idle_(was_idle) {}

ReaderLease::~ReaderLease() {
  if (!session_) return;
  try {
    session_->rollback();
  } catch (const SqlError&) {
    session_.reset();  // a session that cannot roll back is not used again
  }
  if (session_ && !session_->usable()) session_.reset();
  owner_->give_back(std::move(session_));
}

}  // namespace tideover::sql
