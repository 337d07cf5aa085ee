#include "tests/fault/tampering/intruder.hpp"

#include <boost/test/unit_test.hpp>

namespace tideover::tests {
namespace {
const char* const kTables[] = {"ledger_transactions", "ledger_entries", "audit_rows"};
}

Intruder::Intruder(const std::filesystem::path& database) {
  BOOST_REQUIRE(sqlite3_open(database.c_str(), &database_) == SQLITE_OK);
  sqlite3_busy_timeout(database_, 5000);
  BOOST_REQUIRE(run("PRAGMA synchronous = OFF") >= 0);
  BOOST_REQUIRE(run("PRAGMA temp_store = MEMORY") >= 0);
  for (const auto& trigger : texts("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    BOOST_REQUIRE(run("DROP TRIGGER " + trigger) >= 0);
  for (const std::string table : kTables)
    BOOST_REQUIRE(run("CREATE TEMP TABLE kept_" + table + " AS SELECT " + columns_of(table) + " FROM main." + table) >=
                  0);
}

Intruder::~Intruder() {
  sqlite3_close(database_);
}

int Intruder::run(const std::string& sql) {
  return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK ? sqlite3_changes(database_) : -1;
}

std::int64_t Intruder::number(const std::string& query) {
  const auto found = texts(query);
  BOOST_REQUIRE_MESSAGE(found.size() == 1, query);
  return std::stoll(found.front());
}

std::vector<std::string> Intruder::texts(const std::string& query) {
  sqlite3_stmt* statement = nullptr;
  BOOST_REQUIRE_MESSAGE(sqlite3_prepare_v2(database_, query.c_str(), -1, &statement, nullptr) == SQLITE_OK, query);
  std::vector<std::string> found;
  while (sqlite3_step(statement) == SQLITE_ROW)
    found.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
  sqlite3_finalize(statement);
  return found;
}

std::string Intruder::columns_of(const std::string& table) {
  std::string columns;
  for (const auto& column : texts("SELECT name FROM pragma_table_info('" + table + "')"))
    columns += (columns.empty() ? "" : ", ") + column;
  return columns;
}

void Intruder::set_hash(const std::string& table, const std::string& chain, std::int64_t position,
                        const std::string& hash) {
  sqlite3_stmt* statement = nullptr;
  const std::string sql = "UPDATE " + table + " SET hash = ? WHERE chain = ? AND position = ?";
  BOOST_REQUIRE(sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK);
  sqlite3_bind_blob(statement, 1, hash.data(), static_cast<int>(hash.size()), SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, chain.c_str(), -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 3, position);
  BOOST_REQUIRE(sqlite3_step(statement) == SQLITE_DONE);
  sqlite3_finalize(statement);
}

void Intruder::put_back() {
  run("ROLLBACK");
  BOOST_REQUIRE(run("BEGIN IMMEDIATE") >= 0);
  for (const std::string table : kTables) {
    BOOST_REQUIRE(run("DELETE FROM main." + table) >= 0);
    BOOST_REQUIRE(run("INSERT INTO main." + table + " (" + columns_of(table) + ") SELECT * FROM kept_" + table) >= 0);
  }
  BOOST_REQUIRE(run("COMMIT") >= 0);
}

}  // namespace tideover::tests
