// Gives each test an empty database on the engine it asks for. The MariaDB server is started once per program, at the
// first test that needs it.
#pragma once

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include "core/store/sql/database.hpp"
#include "tests/support/mariadb/mariadb_instance.hpp"

namespace tideover::sql {

inline std::ostream& operator<<(std::ostream& out, Dialect dialect) {
  return out << (dialect == Dialect::sqlite ? "SQLite" : "MariaDB");
}
inline std::ostream& operator<<(std::ostream& out, SqlError::Kind kind) {
  return out << "SqlError::Kind " << static_cast<int>(kind);
}

}  // namespace tideover::sql

namespace tideover::tests {

/// The engines that a suite runs on.
std::vector<sql::Dialect> engines();

MariaDbInstance& mariadb();

class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

class TestDatabase {
 public:
  explicit TestDatabase(sql::Dialect dialect);

  sql::DatabaseOptions options() const { return options_; }
  sql::Database& operator*() { return *database_; }
  sql::Database* operator->() { return database_.get(); }

  /// A table t(id, note) and an account table with a guard, made through the migrator's tokens.
  void create_tables();
  std::int64_t count(sql::Sql counting_query);

 private:
  TemporaryFolder folder_;
  sql::DatabaseOptions options_;
  std::unique_ptr<sql::Database> database_;
};

/// The kind of the SqlError that `call` throws; fails the test when it throws none.
template <typename Call>
sql::SqlError::Kind kind_thrown_by(Call&& call) {
  try {
    call();
  } catch (const sql::SqlError& error) {
    return error.kind;
  }
  BOOST_FAIL("no SqlError was thrown");
  throw;
}

}  // namespace tideover::tests
