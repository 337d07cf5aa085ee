// Status and integrity of a database, for operators. Read-only.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/store/sql/migrator.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

struct DatabaseStatus {
  std::string engine;  // "SQLite 3.40.1"
  sql::SchemaState schema;
  std::int64_t bytes = 0;                                  // tables and indexes; on SQLite the main file
  std::int64_t log_bytes = 0;                              // SQLite's write-ahead log
  std::vector<std::pair<std::string, std::int64_t>> rows;  // rows of the main tables, in a fixed order
};

DatabaseStatus status_of(sql::Session& session, const std::vector<sql::Migration>& migrations);

/// One sentence per finding: the engine's own check of its file or tables, then references to missing rows. Takes as
/// long as reading all data once.
std::vector<std::string> damage_of(sql::Session& session);

}  // namespace tideover::store
