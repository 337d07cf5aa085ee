#include "tests/store/sql/test_database.hpp"

#include <cstdlib>
#include <stdexcept>

#include "core/store/sql/migrator.hpp"

namespace tideover::tests {

namespace {

std::unique_ptr<MariaDbInstance>& running_server() {
  static std::unique_ptr<MariaDbInstance> server;
  return server;
}

/// Says once that MariaDB is left out, and stops the server while the test framework is still whole.
struct ServerLife {
  ServerLife() {
    if (MariaDbInstance::skipped()) BOOST_TEST_MESSAGE("TIDEOVER_TEST_MARIADB=skip: nothing is tested on MariaDB");
  }
  ~ServerLife() { running_server().reset(); }
};
BOOST_TEST_GLOBAL_FIXTURE(ServerLife);

}  // namespace

std::vector<sql::Dialect> engines() {
  if (MariaDbInstance::skipped()) return {sql::Dialect::sqlite};
  return {sql::Dialect::sqlite, sql::Dialect::mysql};
}

MariaDbInstance& mariadb() {
  if (!running_server()) running_server() = std::make_unique<MariaDbInstance>();
  return *running_server();
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tideover-store-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create a folder like " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TestDatabase::TestDatabase(sql::Dialect dialect) {
  if (dialect == sql::Dialect::sqlite) {
    options_.engine = sql::SqliteOptions{folder_ / "test.db"};
  } else {
    static int number = 0;
    options_.engine = mariadb().create_database("test" + std::to_string(++number));
  }
  database_ = sql::Database::open(options_);
}

void TestDatabase::create_tables() {
  const std::vector<sql::Migration> schema = {{1, "tables",
                                               "CREATE TABLE IF NOT EXISTS t (\n"
                                               "  id {ascii:32} NOT NULL PRIMARY KEY,\n"
                                               "  number {int},\n"
                                               "  note {text},\n"
                                               "  bytes {blob}\n"
                                               ") {table};\n"
                                               "CREATE TABLE IF NOT EXISTS account (\n"
                                               "  id {int} NOT NULL PRIMARY KEY,\n"
                                               "  cents {int} NOT NULL CHECK (cents >= 0)\n"
                                               ") {table};\n"
                                               "CREATE TABLE IF NOT EXISTS payment (\n"
                                               "  id {int} NOT NULL PRIMARY KEY,\n"
                                               "  account_id {int} NOT NULL,\n"
                                               "  FOREIGN KEY (account_id) REFERENCES account (id)\n"
                                               ") {table};\n"}};
  sql::migrate(*database_->writer(), schema);
}

std::int64_t TestDatabase::count(sql::Sql counting_query) {
  const auto reader = database_->reader();
  return *reader->first([](const sql::Row& row) { return row.integer(0); }, counting_query);
}

}  // namespace tideover::tests
