// Brings a database to the schema of this binary. Migrations are numbered from 1 without gaps, applied in order,
// recorded in schema_migrations, and never edited once released.
//
// One file serves both engines. What differs is written as a token
//     {ascii:N}  TEXT                  VARCHAR(N) ASCII       ids, enums, codes: compared byte by byte
//     {text:N}   TEXT                  VARCHAR(N) UTF-8       text that is indexed or short
//     {text}     TEXT                  LONGTEXT               text of any length, not indexed
//     {bytes:N}  BLOB                  VARBINARY(N)           digests, blind indexes
//     {blob}     BLOB                  LONGBLOB
//     {int}      INTEGER               BIGINT
//     {table}    STRICT                ENGINE=InnoDB …        after the closing parenthesis of CREATE TABLE
// or as a line that only one engine reads: `-- sqlite: …` and `-- mysql: …`. A statement ends with `;` at a line's end.
// MariaDB commits each DDL statement by itself, so there every statement must be repeatable (IF NOT EXISTS).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/store/sql/session.hpp"

namespace tideover::sql {

struct Migration {
  int number;
  std::string name;  // "claims" of 0002_claims.sql
  std::string sql;
};

/// The schema state of a database, read-only; also for an empty database and for one newer than this binary.
struct SchemaState {
  int applied = 0;                   // the highest migration of the database
  int known = 0;                     // the highest migration of this binary
  std::vector<std::string> missing;  // "3 (claims)", in order

  bool newer_than_program() const { return applied > known; }
  bool current() const { return applied == known && missing.empty(); }
};
SchemaState schema_state(Session& session, const std::vector<Migration>& migrations);

/// Applies the missing migrations and returns their number. Throws SqlError misuse, with instructions, when the
/// database is newer than this binary or an applied migration was edited.
int migrate(Session& writer, const std::vector<Migration>& migrations);

/// The statements of a migration for one engine.
std::vector<std::string> statements_for(Dialect dialect, std::string_view sql);

}  // namespace tideover::sql
