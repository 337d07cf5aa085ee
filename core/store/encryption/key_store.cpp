#include "core/store/encryption/key_store.hpp"

#include <algorithm>

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

using Type = EncryptedTable::Type;

constexpr std::string_view kCanary = "the ring and the database belong together";

ports::Cell canary_cell(std::string_view key_id) {
  return {"", "master_keys", "canary", key_id};
}

bool holds(const std::vector<std::string>& keys, std::string_view key_id) {
  return std::find(keys.begin(), keys.end(), key_id) != keys.end();
}

std::string value_text(const sql::Row& row, int column, Type type) {
  switch (type) {
    case Type::number:
      return std::to_string(row.integer(column));
    case Type::bytes: {
      const auto bytes = row.blob(column);
      return {bytes.begin(), bytes.end()};
    }
    case Type::text:
      break;
  }
  return row.text(column);
}

/// The values of a primary key as parameters. Owns the values that the parameters view.
class KeyValues {
 public:
  KeyValues(const EncryptedTable& table, const std::vector<std::string>& values) : values_(values) {
    for (std::size_t i = 0; i < table.key.size(); ++i) {
      if (table.key[i].type == Type::number) {
        parameters_.emplace_back(static_cast<std::int64_t>(std::stoll(values_[i])));
      } else {
        parameters_.emplace_back(values_[i]);
      }
    }
  }
  const std::vector<sql::Parameter>& parameters() const { return parameters_; }

 private:
  const std::vector<std::string> values_;
  std::vector<sql::Parameter> parameters_;
};

std::string key_text(const std::vector<std::string>& values) {
  RecordWriter out;
  for (const auto& value : values) out.text(value);
  out.end_record();
  return out.take();
}

std::vector<std::string> key_values(const EncryptedTable& table, const std::string& text) {
  RecordReader in(text);
  in.next();
  std::vector<std::string> values;
  for (std::size_t i = 0; i < table.key.size(); ++i) values.push_back(in.text());
  return values;
}

struct StaleRow {
  std::vector<std::string> key;
  domain::TenantId tenant;
  std::string name;
  std::vector<std::string> cells;
};

std::string select_page(const EncryptedTable& table, bool from_start, sql::Dialect dialect) {
  std::string keys, text = "SELECT tenant";
  for (const auto& column : table.key) text.append(", ").append(column.name);
  for (const auto& column : table.row) text.append(", ").append(column.name);
  for (const auto cell : table.cells) text.append(", ").append(cell);
  text.append(" FROM ").append(table.name);
  for (const auto& column : table.key) keys.append(keys.empty() ? "" : ", ").append(column.name);
  if (!from_start) {
    text += " WHERE ";
    if (dialect == sql::Dialect::sqlite) {
      text.append("(").append(keys).append(") > (");
      for (std::size_t i = 0; i < table.key.size(); ++i) text += i == 0 ? "?" : ", ?";
      text += ")";
    } else {
      // MariaDB uses an index for a comparison of rows only when it is written column by column.
      for (std::size_t last = 0; last < table.key.size(); ++last) {
        text += last == 0 ? "(" : " OR (";
        for (std::size_t i = 0; i < last; ++i) text.append(table.key[i].name).append(" = ? AND ");
        text.append(table.key[last].name).append(" > ?)");
      }
    }
  }
  return text.append(" ORDER BY ").append(keys).append(" LIMIT ?");
}

std::vector<StaleRow> read_page(sql::Session& session, const EncryptedTable& table, const std::string& after) {
  const bool from_start = after.empty();
  std::vector<sql::Parameter> parameters;
  std::optional<KeyValues> key;
  if (!from_start) {
    const auto& given = key.emplace(table, key_values(table, after)).parameters();
    if (session.dialect() == sql::Dialect::sqlite) {
      parameters = given;
    } else {
      for (std::size_t last = 0; last < given.size(); ++last)
        parameters.insert(parameters.end(), given.begin(), given.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    }
  }
  parameters.emplace_back(table.page_rows);

  std::vector<StaleRow> page;
  for (const sql::Row& row :
       session.query_bound(sql::Sql::composed(select_page(table, from_start, session.dialect())), parameters)) {
    int column = 0;
    auto& read = page.emplace_back();
    read.tenant = domain::TenantId::trusted(row.text(column++));
    for (const auto& part : table.key) read.key.push_back(value_text(row, column++, part.type));
    for (const auto& part : table.row) {
      if (!read.name.empty()) read.name += '/';
      read.name += value_text(row, column++, part.type);
    }
    for (std::size_t i = 0; i < table.cells.size(); ++i) read.cells.push_back(value_text(row, column++, Type::bytes));
  }
  return page;
}

}  // namespace

std::optional<std::string> KeyStore::misfit() const {
  const auto& cipher = cells_.cipher();
  const auto keys = cipher.keys();
  const auto known = all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        auto key_id = in.text();
        return std::pair(std::move(key_id), in.bytes());
      },
      "SELECT key_id, canary FROM master_keys ORDER BY key_id");
  for (const auto& [key_id, canary] : known) {
    if (!holds(keys, key_id)) {
      return "The key ring lacks the key " + key_id +
             ", under which values of this database are encrypted. Restore the key ring that belongs to this database.";
    }
    const auto opened = cipher.open(canary_cell(key_id), canary);
    const auto* plain = std::get_if<std::string>(&opened);
    if (plain == nullptr || *plain != kCanary) {
      return "The key " + key_id +
             " of the key ring is not the one under which values of this database are encrypted. Restore the key "
             "ring that belongs to this database.";
    }
  }
  return std::nullopt;
}

bool is_worn(const KeyRecord& key, domain::Timestamp now) {
  const bool used = key.first_current_at.ms() > 0;
  return key.seals >= kMostSeals || (used && now.ms() - key.first_current_at.ms() >= kLongestUseMs);
}

void KeyStore::keep(domain::Timestamp now, const std::map<std::string, std::uint64_t>& seals) {
  const auto& cipher = cells_.cipher();
  const auto known = all(
      session_, [](const sql::Row& row) { return row.text(0); }, "SELECT key_id FROM master_keys");
  for (const auto& key_id : {cipher.keys().front(), cipher.current_key()}) {
    if (holds(known, key_id)) continue;
    const Sealed canary{cipher.seal_under(key_id, canary_cell(key_id), kCanary)};
    insert_row_if_new<"master_keys", "key_id, canary, first_current_at = 0, last_current_at = 0, seals = 0">(
        session_, key_id, canary);
  }
  session_.run("UPDATE master_keys SET last_current_at = ? WHERE key_id = ? AND last_current_at < ?", now.ms(),
               cipher.current_key(), now.ms());
  session_.run(
      "UPDATE master_keys SET first_current_at = last_current_at WHERE first_current_at = 0 AND last_current_at > 0");
  for (const auto& [key_id, count] : seals)
    session_.run("UPDATE master_keys SET seals = seals + ? WHERE key_id = ?", static_cast<std::int64_t>(count), key_id);
}

void KeyStore::forget(std::string_view key_id) {
  session_.run("DELETE FROM master_keys WHERE key_id = ?", key_id);
}

std::vector<KeyRecord> KeyStore::records() const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        KeyRecord record;
        record.key_id = in.text();
        record.first_current_at = in.timestamp();
        record.last_current_at = in.timestamp();
        record.seals = in.integer();
        record.client_secrets = in.integer();
        return record;
      },
      // An expired secret obtains no token and so never moves to another key.
      {"SELECT key_id, first_current_at, last_current_at, seals, (SELECT COUNT(*) FROM client_secrets s JOIN clients c "
       "ON c.id = s.client_id WHERE s.key_id = master_keys.key_id AND c.enabled = 1 AND s.revoked_at IS NULL AND "
       "COALESCE(s.expires_at, 9223372036854775807) > CAST(strftime('%s', 'now') AS INTEGER) * 1000) "
       "FROM master_keys WHERE key_id <> 'lasting' ORDER BY last_current_at, key_id",
       "SELECT key_id, first_current_at, last_current_at, seals, (SELECT COUNT(*) FROM client_secrets s JOIN clients c "
       "ON c.id = s.client_id WHERE s.key_id = master_keys.key_id AND c.enabled = 1 AND s.revoked_at IS NULL AND "
       "COALESCE(s.expires_at, 9223372036854775807) > UNIX_TIMESTAMP() * 1000) "
       "FROM master_keys WHERE key_id <> 'lasting' ORDER BY last_current_at, key_id"});
}

std::vector<SealCount> KeyStore::count() const {
  std::vector<SealCount> counts;
  for (const auto& table : encrypted_tables()) {
    for (const auto& key_id : all(
             session_, [](const sql::Row& row) { return row.text(0); },
             "SELECT key_id FROM master_keys ORDER BY last_current_at, key_id")) {
      const Sealed head{ports::seal_head(key_id)};
      std::string text = "SELECT COUNT(*) FROM " + std::string(table.name) + " WHERE ";
      std::vector<sql::Parameter> parameters;
      for (const auto cell : table.cells) {
        text.append(parameters.empty() ? "" : " OR ").append("SUBSTR(").append(cell).append(", 1, ?) = ?");
        parameters.emplace_back(static_cast<std::int64_t>(head.bytes.size()));
        parameters.emplace_back(head);
      }
      sql::Rows rows = session_.query_bound(sql::Sql::composed(text), parameters);
      if (rows.next() && rows.integer(0) > 0) counts.push_back({std::string(table.name), key_id, rows.integer(0)});
    }
  }
  return counts;
}

std::optional<KeyStore::Progress> KeyStore::progress(const EncryptedTable& table) const {
  return session_.first(
      [](const sql::Row& row) {
        ColumnReader in(row);
        Progress progress;
        progress.key_id = in.text();
        progress.row_reached = in.text();
        progress.done = in.flag();
        return progress;
      },
      "SELECT key_id, row_reached, done FROM reseal_progress WHERE table_name = ?", table.name);
}

std::optional<KeyStore::Walk> KeyStore::next_walk() const {
  const auto current = cells_.cipher().current_key();
  const auto keys = cells_.cipher().keys();
  for (const auto& table : encrypted_tables()) {
    auto reached = progress(table);
    // A key that this key ring lacks is newer than all of its own: the node that has it does the walk.
    const bool rests = reached && (reached->key_id == current ? reached->done : !holds(keys, reached->key_id));
    if (!rests) return Walk{&table, std::move(reached)};
  }
  return std::nullopt;
}

bool KeyStore::has_more_to_reseal() const {
  return next_walk().has_value();
}

KeyStore::Step KeyStore::reseal_page() {
  const auto walk = next_walk();
  if (!walk) return {false, {}};
  const auto& [table, reached] = *walk;
  const auto current = cells_.cipher().current_key();
  if (!reached) {
    insert_row_if_new<"reseal_progress", "table_name, key_id, row_reached = '', done = 0">(session_, table->name,
                                                                                           current);
    return {};
  }
  if (reached->key_id != current) {
    session_.run(
        "UPDATE reseal_progress SET key_id = ?, row_reached = '', done = 0 WHERE table_name = ? AND key_id = ?",
        current, table->name, reached->key_id);
    return {};
  }
  return {true, reseal_page(*table, *reached)};
}

std::vector<SealCount> KeyStore::reseal_page(const EncryptedTable& table, const Progress& from) {
  const auto page = read_page(session_, table, from.row_reached);
  const bool last = page.size() < static_cast<std::size_t>(table.page_rows);
  // First statement: of two nodes at the same page one waits here and finds the page done.
  const auto taken = session_.run(
      "UPDATE reseal_progress SET row_reached = ?, done = ? WHERE table_name = ? AND key_id = ? AND row_reached = ? "
      "AND done = 0",
      page.empty() ? from.row_reached : key_text(page.back().key), last, table.name, from.key_id, from.row_reached);
  if (taken == 0) return {};

  std::vector<SealCount> resealed;

  for (const auto& row : page) {
    std::string assignments, condition;
    std::vector<Sealed> fresh, stale;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
      const auto& cell = row.cells[i];
      if (cell.empty() || ports::key_of_seal(cell) == from.key_id) continue;
      const EncryptedColumn where{table.name, table.cells[i]};
      try {
        fresh.push_back(cells_.seal(row.tenant, where, row.name, cells_.open(row.tenant, where, row.name, cell)));
      } catch (const sql::SqlError& error) {
        cells_.tell(error.what());
        continue;
      }
      stale.push_back({cell});
      assignments.append(assignments.empty() ? "" : ", ").append(table.cells[i]).append(" = ?");
      condition.append(" AND ").append(table.cells[i]).append(" = ?");
    }
    if (fresh.empty()) continue;
    std::string text = "UPDATE " + std::string(table.name) + " SET " + assignments + " WHERE ";
    for (const auto& column : table.key)
      text.append(&column == table.key.data() ? "" : " AND ").append(column.name).append(" = ?");
    const KeyValues key(table, row.key);
    std::vector<sql::Parameter> parameters(fresh.begin(), fresh.end());
    parameters.insert(parameters.end(), key.parameters().begin(), key.parameters().end());
    parameters.insert(parameters.end(), stale.begin(), stale.end());
    // A cell that was written since then is under the current key already and stays.
    if (session_.run_bound(sql::Sql::composed(text + condition), parameters) == 0) continue;
    std::vector<std::string> keys;
    for (const auto& cell : stale)
      if (const std::string key_id(ports::key_of_seal(cell.bytes)); !holds(keys, key_id)) keys.push_back(key_id);
    for (const auto& key_id : keys) resealed.push_back({std::string(table.name), key_id, 1});
  }
  return resealed;
}

void KeyStore::restart_reencryption() {
  const auto keys = cells_.cipher().keys();
  for (const auto& table : encrypted_tables()) {
    const auto reached = progress(table);
    if (!reached || !holds(keys, reached->key_id)) continue;
    session_.run(
        "UPDATE reseal_progress SET key_id = ?, row_reached = '', done = 0 WHERE table_name = ? AND key_id = ?",
        cells_.cipher().current_key(), table.name, reached->key_id);
  }
}

}  // namespace tideover::store
