#include "tests/bench/bare_batches.hpp"

#include <sqlite3.h>
#include <sys/resource.h>

#include <chrono>
#include <map>
#include <stdexcept>

#include "core/http/wire/operations/event_json.hpp"
#include "core/store/sql_store.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/support/review_writes/review_writes.hpp"

namespace tideover::bench {
namespace {

using tests::StatementTaken;
using Clock = std::chrono::steady_clock;

constexpr int kBatch = 256;
constexpr int kBoundAtOnce = 20 * kBatch;  // made ready outside of the measured time

double thread_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class BareSqlite {
 public:
  explicit BareSqlite(const std::filesystem::path& file) {
    check(sqlite3_open_v2(file.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr));
    execute("PRAGMA journal_mode = WAL");
    execute("PRAGMA synchronous = FULL");
  }
  BareSqlite(const BareSqlite&) = delete;
  BareSqlite& operator=(const BareSqlite&) = delete;
  ~BareSqlite() {
    for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
    sqlite3_close(database_);
  }

  void execute(const char* sql) { check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }

  void run(const StatementTaken& taken) {
    sqlite3_stmt* const statement = prepared(taken.sql);
    int position = 0;
    for (const auto& value : taken.values) std::visit(Bind{statement, ++position}, value);
    int code = sqlite3_step(statement);
    while (code == SQLITE_ROW) code = sqlite3_step(statement);
    if (code != SQLITE_DONE) check(code);
    sqlite3_reset(statement);
  }

 private:
  struct Bind {
    sqlite3_stmt* statement;
    int position;
    void operator()(std::monostate) const { sqlite3_bind_null(statement, position); }
    void operator()(std::int64_t value) const { sqlite3_bind_int64(statement, position, value); }
    void operator()(const std::string& text) const {
      sqlite3_bind_text(statement, position, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    }
    void operator()(const std::vector<std::uint8_t>& bytes) const {
      // An empty vector may have no data at all, which would bind NULL.
      if (bytes.empty())
        sqlite3_bind_zeroblob(statement, position, 0);
      else
        sqlite3_bind_blob(statement, position, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
    }
  };

  sqlite3_stmt* prepared(const std::string& sql) {
    sqlite3_stmt*& statement = statements_[sql];
    if (statement == nullptr)
      check(sqlite3_prepare_v3(database_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
    return statement;
  }

  void check(int code) {
    if (code != SQLITE_OK) throw std::runtime_error(std::string("bare SQLite: ") + sqlite3_errmsg(database_));
  }

  sqlite3* database_ = nullptr;
  std::map<std::string, sqlite3_stmt*> statements_;
};

void create_schema(const std::filesystem::path& file) {
  store::StoreOptions options;
  options.sqlite_path = file;
  const wire::EventJson events;
  const fakes::PlainCipher cipher;
  if (const auto made = store::SqlStore::open(options, events, cipher); !made)
    throw std::runtime_error(made.error().message);
}

}  // namespace

Sample run_bare_batches(int rows) {
  const test::ServiceFolder folder;
  const auto file = folder.path() / "store" / "bare.db";
  create_schema(file);
  BareSqlite database(file);
  tests::ReviewWrites reviews(sql::Dialect::sqlite);

  Clock::duration spent{};
  double cpu = 0;
  for (int done = 0; done < rows; done += kBoundAtOnce) {
    std::vector<std::vector<StatementTaken>> units;
    for (int i = 0; i < kBoundAtOnce; ++i) units.push_back(reviews.next(true));
    const auto began = Clock::now();
    const double cpu_before = thread_cpu_seconds();
    for (int i = 0; i < kBoundAtOnce; ++i) {
      if (i % kBatch == 0) database.execute("BEGIN IMMEDIATE");
      for (const auto& statement : units[static_cast<std::size_t>(i)]) database.run(statement);
      if (i % kBatch == kBatch - 1) database.execute("COMMIT");
    }
    spent += Clock::now() - began;
    cpu += thread_cpu_seconds() - cpu_before;
  }
  const int whole = (rows + kBoundAtOnce - 1) / kBoundAtOnce * kBoundAtOnce;
  return {whole / std::chrono::duration<double>(spent).count(), cpu * 1e6 / whole, 0, 0};
}

}  // namespace tideover::bench
