#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

#include "core/store/committer/committer.hpp"
#include "core/store/sql/sqlite_session.hpp"
#include "tests/store/sql/test_database.hpp"

using namespace tideover;
using namespace tideover::tests;
using Kind = sql::SqlError::Kind;

namespace {

struct Fixture {
  TestDatabase database{sql::Dialect::sqlite};
  std::filesystem::path file = std::get<sql::SqliteOptions>(database.options().engine).file;
};

std::string pragma(sql::Session& session, sql::Sql query) {
  return std::to_string(*session.first([](const sql::Row& row) { return row.integer(0); }, query));
}

mode_t mode_of(const std::string& file) {
  struct stat status {};
  BOOST_REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(store_sqlite, Fixture)

BOOST_AUTO_TEST_CASE(the_writer_syncs_fully_and_the_readers_never_checkpoint) {
  const auto writer = database->writer();
  BOOST_TEST(std::filesystem::exists(file.string() + "-wal"));
  BOOST_TEST(pragma(*writer, "PRAGMA synchronous") == "2");
  BOOST_TEST(pragma(*writer, "PRAGMA foreign_keys") == "1");
  const auto reader = database->reader();
  BOOST_TEST(pragma(*reader, "PRAGMA query_only") == "1");
  BOOST_TEST(pragma(*reader, "PRAGMA wal_autocheckpoint") == "0");
}

BOOST_AUTO_TEST_CASE(a_commit_of_many_pages_is_few_writes) {
  database.create_tables();
  const auto writer = database->writer();
  const auto writes = [] {
    std::ifstream counts("/proc/self/io");
    for (std::string name; counts >> name;)
      if (long count = 0; name == "syscw:" && counts >> count) return count;
    throw std::runtime_error("/proc/self/io counts no writes");
  };
  writer->begin();
  for (int i = 0; i < 50; ++i) writer->run("INSERT INTO t (id) VALUES (?)", std::to_string(i) + std::string(4000, 'x'));
  const auto before = writes();
  writer->commit();
  BOOST_TEST(writes() - before <= 20);  // of some two hundred pages
}

// More than the writer's cache holds goes to the log before the commit and is read back from there.
BOOST_AUTO_TEST_CASE(a_transaction_larger_than_the_cache_reads_its_writes_and_shows_them_to_no_other) {
  database.create_tables();
  constexpr int kRows = 800;
  const auto writer = database->writer();
  const auto reader = database->reader();
  const auto bytes = [](sql::Session& session) {
    return *session.first([](const sql::Row& row) { return row.integer(0); },
                          "SELECT COALESCE(SUM(LENGTH(id)), 0) FROM t");
  };
  writer->begin();
  std::int64_t written = 0;
  for (int i = 0; i < kRows; ++i) {
    const auto id = std::to_string(i) + std::string(64 * 1024, 'x');
    written += static_cast<std::int64_t>(id.size());
    writer->run("INSERT INTO t (id) VALUES (?)", id);
  }
  BOOST_TEST(bytes(*writer) == written);
  BOOST_TEST(bytes(*reader) == 0);
  writer->commit();
  BOOST_TEST(bytes(*database->reader()) == written);
  BOOST_TEST(bytes(*writer) == written);
}

BOOST_AUTO_TEST_CASE(there_is_one_writer_at_a_time) {
  auto writer = database->writer();
  BOOST_TEST(kind_thrown_by([&] { database->writer(); }) == Kind::misuse);
  writer.reset();
  BOOST_CHECK_NO_THROW(database->writer());
}

BOOST_AUTO_TEST_CASE(a_second_opening_of_the_file_is_refused_with_the_holder_named) {
  try {
    sql::Database::open(database.options());
    BOOST_FAIL("the second opening must fail");
  } catch (const sql::SqlError& error) {
    BOOST_TEST(error.kind == Kind::in_use);
    BOOST_TEST(std::string(error.what()).find("process " + std::to_string(::getpid())) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(only_the_owner_may_read_the_files) {
  database.create_tables();
  const auto writer = database->writer();
  writer->run("INSERT INTO t (id) VALUES ('a')");
  for (const char* suffix : {"", "-wal", "-shm", ".lock"}) BOOST_TEST(mode_of(file.string() + suffix) == 0600U);
}

BOOST_AUTO_TEST_CASE(a_double_quoted_word_is_never_taken_for_a_string) {
  const auto writer = database->writer();
  BOOST_TEST(kind_thrown_by([&] { writer->query("SELECT \"no such column\""); }) == Kind::misuse);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_database_is_named_as_corrupt) {
  TemporaryFolder folder;
  std::ofstream(folder / "bad.db") << std::string(4096, 'x');
  sql::DatabaseOptions options;
  options.engine = sql::SqliteOptions{folder / "bad.db"};
  BOOST_TEST(kind_thrown_by([&] { sql::Database::open(options); }) == Kind::corrupt);
}

BOOST_AUTO_TEST_CASE(a_missing_folder_is_a_clear_error) {
  sql::DatabaseOptions options;
  options.engine = sql::SqliteOptions{"/nonexistent/folder/tideover.db"};
  try {
    sql::Database::open(options);
    BOOST_FAIL("opening must fail");
  } catch (const sql::SqlError& error) {
    BOOST_TEST(error.kind == Kind::io);
    BOOST_TEST(std::string(error.what()).find("/nonexistent/folder/tideover.db") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_and_recovers) {
  database.create_tables();
  const auto writer = database->writer();
  BOOST_REQUIRE(writer->first([](const sql::Row&) { return true; }, "PRAGMA max_page_count = 20"));
  writer->begin();
  BOOST_TEST(kind_thrown_by([&] {
               writer->run("INSERT INTO t (id, note) VALUES ('big', ?)", std::string(1 << 20, 'x'));
             }) == Kind::disk_full);
  // The engine may have rolled back by itself; a swallowed error must not let the rest be committed.
  BOOST_TEST(kind_thrown_by([&] { writer->commit(); }) == Kind::disk_full);
  writer->rollback();
  BOOST_REQUIRE(writer->first([](const sql::Row&) { return true; }, "PRAGMA max_page_count = 100000"));
  writer->begin();
  writer->run("INSERT INTO t (id, note) VALUES ('big', ?)", std::string(1 << 20, 'x'));
  writer->commit();
  BOOST_TEST(database.count("SELECT COUNT(*) FROM t") == 1);
}

BOOST_AUTO_TEST_CASE(the_write_ahead_log_stays_bounded_under_constant_reads) {
  TemporaryFolder folder;
  sql::DatabaseOptions options;
  options.engine = sql::SqliteOptions{.file = folder / "busy.db", .wal_bytes = 1 << 20};
  const auto busy = sql::Database::open(options);
  busy->writer()->execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)");
  store::Committer committer([&] { return busy->writer(); }, {});

  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        const auto reader = busy->reader();
        reader->query("SELECT COUNT(*) FROM note").next();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // so that the readers overlap
      }
    });
  }
  const auto log_bytes = [&] { return std::filesystem::file_size(folder / "busy.db-wal"); };
  std::uintmax_t longest = 0;
  int cuts = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (cuts == 0 && std::chrono::steady_clock::now() < deadline) {
    const auto report = committer.commit([](sql::Session& session) {
      session.run("INSERT OR REPLACE INTO note (id, text) VALUES (1, ?)", std::string(64 * 1024, 'x'));
      return store::UnitVerdict::keep;
    });
    BOOST_REQUIRE(report.committed());
    if (log_bytes() < longest) ++cuts;
    longest = std::max(longest, log_bytes());
  }
  done = true;
  for (auto& reader : readers) reader.join();
  BOOST_TEST(longest > std::uintmax_t{1} << 20);
  BOOST_TEST(cuts > 0);
}

BOOST_AUTO_TEST_SUITE_END()
