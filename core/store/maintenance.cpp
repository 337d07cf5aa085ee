#include "core/store/maintenance.hpp"

#include <array>
#include <filesystem>
#include <string_view>

namespace tideover::store {
namespace {

using sql::Dialect;
using sql::Row;
using sql::Sql;

constexpr std::array<std::string_view, 14> kMainTables = {"tenants",
                                                          "clients",
                                                          "claims",
                                                          "reviews",
                                                          "settlements",
                                                          "disbursement_attempts",
                                                          "ledger_transactions",
                                                          "ledger_entries",
                                                          "deposits",
                                                          "remittances",
                                                          "audit_rows",
                                                          "answers",
                                                          "events",
                                                          "deliveries"};

/// A table that refers to rows of another one: `key` in `table` is `id` in `of`, within one tenant.
struct Reference {
  std::string_view table, key, of, id;
};
constexpr std::array<Reference, 9> kReferences = {{{"clients", "tenant", "tenants", "id"},
                                                   {"reviews", "claim_id", "claims", "id"},
                                                   {"settlements", "claim_id", "claims", "id"},
                                                   {"settlements", "review_id", "reviews", "id"},
                                                   {"disbursement_attempts", "settlement_id", "settlements", "id"},
                                                   {"ledger_entries", "transaction_id", "ledger_transactions", "id"},
                                                   {"ledger_transactions", "settlement_id", "settlements", "id"},
                                                   {"deliveries", "event_id", "events", "id"},
                                                   {"deliveries", "endpoint_id", "webhook_endpoints", "id"}}};

std::int64_t number_of(sql::Session& session, Sql sql) {
  return session.first([](const Row& row) { return row.integer(0); }, sql).value_or(0);
}

bool has_table(sql::Session& session, std::string_view table) {
  return session
             .first(
                 [](const Row& row) { return row.integer(0); },
                 {"SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = ?",
                  "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?"},
                 table)
             .value_or(0) > 0;
}

std::string engine_of(sql::Session& session) {
  return session
      .first([](const Row& row) { return row.text(0); },
             {"SELECT 'SQLite ' || sqlite_version()", "SELECT CONCAT('MariaDB ', VERSION())"})
      .value_or("");
}

std::int64_t log_bytes_of(sql::Session& session) {
  if (session.dialect() != Dialect::sqlite) return 0;
  const auto file = session.first([](const Row& row) { return row.text(0); },
                                  "SELECT file FROM pragma_database_list WHERE name = 'main'");
  std::error_code absent;
  const auto bytes = std::filesystem::file_size(file.value_or("") + "-wal", absent);
  return absent ? 0 : static_cast<std::int64_t>(bytes);
}

void check_sqlite(sql::Session& session, std::vector<std::string>& found) {
  for (const Row& row : session.query("PRAGMA integrity_check"))
    if (const auto line = row.text(0); line != "ok") found.push_back("SQLite: " + line);
}

void check_tables(sql::Session& session, std::vector<std::string>& found) {
  std::vector<std::string> tables;
  for (const Row& row :
       session.query("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"))
    tables.push_back(row.text(0));
  for (const auto& table : tables) {
    const auto statement = "CHECK TABLE " + table;
    for (const Row& row : session.query(Sql::composed(statement)))
      if (row.text(2) == "error" || (row.text(2) == "status" && row.text(3) != "OK"))
        found.push_back("MariaDB: " + table + ": " + row.text(3));
  }
}

void check_reference(sql::Session& session, const Reference& reference, std::vector<std::string>& found) {
  const auto [table, key, of, id] = reference;
  const bool in_tenant = key != "tenant";
  std::string text = "SELECT COUNT(*) FROM ";
  text.append(table)
      .append(" a WHERE a.")
      .append(key)
      .append(" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ")
      .append(of)
      .append(" b WHERE b.");
  text.append(id).append(" = a.").append(key).append(in_tenant ? " AND b.tenant = a.tenant)" : ")");
  const auto lost = number_of(session, Sql::composed(text));
  if (lost > 0)
    found.push_back(std::to_string(lost) + " rows of " + std::string(table) + " refer to a missing row of " +
                    std::string(of) + " (" + std::string(key) + ")");
}

}  // namespace

DatabaseStatus status_of(sql::Session& session, const std::vector<sql::Migration>& migrations) {
  DatabaseStatus status;
  status.engine = engine_of(session);
  status.schema = sql::schema_state(session, migrations);
  status.bytes = number_of(
      session, {"SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
                "SELECT CAST(COALESCE(SUM(data_length + index_length), 0) AS SIGNED) FROM information_schema.tables "
                "WHERE table_schema = DATABASE()"});
  status.log_bytes = log_bytes_of(session);
  for (const auto table : kMainTables) {
    if (!has_table(session, table)) continue;
    const auto text = "SELECT COUNT(*) FROM " + std::string(table);
    status.rows.emplace_back(table, number_of(session, Sql::composed(text)));
  }
  return status;
}

std::vector<std::string> damage_of(sql::Session& session) {
  std::vector<std::string> found;
  session.dialect() == Dialect::sqlite ? check_sqlite(session, found) : check_tables(session, found);
  try {
    for (const auto& reference : kReferences) check_reference(session, reference, found);
  } catch (const sql::SqlError& error) {
    if (error.kind != sql::SqlError::Kind::corrupt) throw;
    found.emplace_back(error.what());
  }
  return found;
}

}  // namespace tideover::store
