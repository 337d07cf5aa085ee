#include "core/store/sql/migrator.hpp"

#include <openssl/evp.h>

#include <array>
#include <cctype>
#include <map>
#include <set>

namespace tideover::sql {

namespace {

using Kind = SqlError::Kind;

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw SqlError(Kind::misuse, 0, "SHA-256 is not available from OpenSSL");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The type or clause for `{name}` or `{name:size}`; empty when the token is unknown.
std::string replacement(Dialect dialect, std::string_view name, std::string_view size) {
  const bool sqlite = dialect == Dialect::sqlite;
  const std::string length = "(" + std::string(size) + ")";
  if (size.empty()) {
    if (name == "text") return sqlite ? "TEXT" : "LONGTEXT";
    if (name == "blob") return sqlite ? "BLOB" : "LONGBLOB";
    if (name == "int") return sqlite ? "INTEGER" : "BIGINT";
    if (name == "table") {
      return sqlite ? "STRICT" : "ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin";
    }
    return {};
  }
  if (name == "ascii") return sqlite ? "TEXT" : "VARCHAR" + length + " CHARACTER SET ascii COLLATE ascii_nopad_bin";
  if (name == "text") return sqlite ? "TEXT" : "VARCHAR" + length + " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
  if (name == "bytes") return sqlite ? "BLOB" : "VARBINARY" + length;
  return {};
}

std::string with_tokens_replaced(Dialect dialect, std::string_view line) {
  std::string result;
  for (;;) {
    const std::size_t open = line.find('{');
    const std::size_t close = line.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    const std::string_view token = line.substr(open + 1, close - open - 1);
    const std::size_t colon = token.find(':');
    const std::string_view size = colon == std::string_view::npos ? "" : token.substr(colon + 1);
    const std::string text = replacement(dialect, token.substr(0, colon), size);
    if (text.empty()) {
      throw SqlError(Kind::misuse, 0, "unknown token {" + std::string(token) + "} in a migration");
    }
    result += line.substr(0, open);
    result += text;
    line.remove_prefix(close + 1);
  }
  return result += line;
}

/// The part of a line for one engine: without comments and without lines of the other engine.
std::string_view visible_part(Dialect dialect, std::string_view line) {
  const std::string_view text = trimmed(line);
  if (!text.starts_with("--")) return text;
  const std::string_view own = dialect == Dialect::sqlite ? "-- sqlite:" : "-- mysql:";
  return text.starts_with(own) ? trimmed(text.substr(own.size())) : std::string_view{};
}

struct Applied {
  std::string name;
  std::string sha256;
};

std::map<int, Applied> applied_migrations(Session& session) {
  for (const std::string& statement : statements_for(session.dialect(),
                                                     "CREATE TABLE IF NOT EXISTS schema_migrations (\n"
                                                     "  number {int} NOT NULL PRIMARY KEY,\n"
                                                     "  name {text:100} NOT NULL,\n"
                                                     "  sha256 {ascii:64} NOT NULL,\n"
                                                     "  applied_at {ascii:24} NOT NULL\n"
                                                     ") {table};\n")) {
    session.execute(Sql::composed(statement));
  }
  std::map<int, Applied> applied;
  for (const Row& row : session.query("SELECT number, name, sha256 FROM schema_migrations ORDER BY number")) {
    applied[static_cast<int>(row.integer(0))] = {row.text(1), row.text(2)};
  }
  return applied;
}

std::string label(int number, const std::string& name) {
  return std::to_string(number) + " (" + name + ")";
}

void check_history(const std::map<int, Applied>& applied, const std::vector<Migration>& migrations) {
  for (std::size_t i = 0; i < migrations.size(); ++i) {
    if (migrations[i].number != static_cast<int>(i) + 1) {
      throw SqlError(Kind::misuse, 0,
                     "migration " + label(migrations[i].number, migrations[i].name) +
                         " is out of order: numbers must start at 1 and have no gaps");
    }
  }
  for (const auto& [number, record] : applied) {
    if (number > static_cast<int>(migrations.size())) {
      throw SqlError(Kind::misuse, 0,
                     "the database has migration " + label(number, record.name) + ", but this program has only " +
                         std::to_string(migrations.size()) +
                         "; use the newer program, or restore a backup made before the upgrade");
    }
    const Migration& known = migrations[static_cast<std::size_t>(number) - 1];
    if (record.sha256 != sha256_hex(known.sql)) {
      throw SqlError(Kind::misuse, 0,
                     "migration " + label(number, known.name) +
                         " differs from the applied one; restore its text and put the change into a new migration");
    }
  }
}

void apply(Session& session, const Migration& migration) {
  const bool as_a_whole = session.dialect() == Dialect::sqlite;  // MariaDB commits with every DDL statement
  if (as_a_whole) session.begin();
  for (const std::string& statement : statements_for(session.dialect(), migration.sql)) {
    session.execute(Sql::composed(statement));
  }
  // Nodes that start together may both get here; one record is enough.
  session.run({"INSERT OR IGNORE INTO schema_migrations (number, name, sha256, applied_at) "
               "VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
               "INSERT IGNORE INTO schema_migrations (number, name, sha256, applied_at) "
               "VALUES (?, ?, ?, DATE_FORMAT(UTC_TIMESTAMP(3), '%Y-%m-%dT%H:%i:%sZ'))"},
              migration.number, migration.name, sha256_hex(migration.sql));
  if (as_a_whole) session.commit();
}

}  // namespace

std::vector<std::string> statements_for(Dialect dialect, std::string_view sql) {
  std::vector<std::string> statements;
  std::string current;
  while (!sql.empty()) {
    const std::size_t end = sql.find('\n');
    const std::string_view line = visible_part(dialect, sql.substr(0, end));
    sql.remove_prefix(end == std::string_view::npos ? sql.size() : end + 1);
    if (line.empty()) continue;
    current += with_tokens_replaced(dialect, line);
    if (current.ends_with(';')) {
      current.pop_back();
      statements.push_back(std::move(current));
      current.clear();
    } else {
      current += '\n';
    }
  }
  if (!current.empty()) {
    throw SqlError(Kind::misuse, 0, "a migration's last statement does not end with ';': " + current);
  }
  return statements;
}

SchemaState schema_state(Session& session, const std::vector<Migration>& migrations) {
  SchemaState state;
  state.known = static_cast<int>(migrations.size());
  const auto tables = session.first([](const Row& row) { return row.integer(0); },
                                    {"SELECT COUNT(*) FROM sqlite_schema WHERE name = 'schema_migrations'",
                                     "SELECT COUNT(*) FROM information_schema.tables "
                                     "WHERE table_schema = DATABASE() AND table_name = 'schema_migrations'"});
  std::set<int> applied;
  if (tables.value_or(0) > 0) {
    for (const Row& row : session.query("SELECT number FROM schema_migrations"))
      applied.insert(static_cast<int>(row.integer(0)));
  }
  if (!applied.empty()) state.applied = *applied.rbegin();
  for (const Migration& migration : migrations) {
    if (!applied.contains(migration.number)) state.missing.push_back(label(migration.number, migration.name));
  }
  return state;
}

int migrate(Session& writer, const std::vector<Migration>& migrations) {
  const std::map<int, Applied> applied = applied_migrations(writer);
  check_history(applied, migrations);
  int count = 0;
  for (const Migration& migration : migrations) {
    if (applied.contains(migration.number)) continue;
    try {
      apply(writer, migration);
    } catch (const SqlError& error) {
      writer.rollback();
      // Two nodes that start together may both find an old schema; the second one continues after the first.
      if (applied_migrations(writer).contains(migration.number)) continue;
      throw SqlError(error.kind, error.code,
                     "migration " + label(migration.number, migration.name) + " failed: " + error.what());
    }
    ++count;
  }
  return count;
}

}  // namespace tideover::sql
