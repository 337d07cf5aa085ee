#include "core/lua/vm/bundle_tables.hpp"

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/lua/vm/rates.hpp"
#include "core/lua/vm/sandbox.hpp"
#include "core/lua/vm/table_reader.hpp"

namespace tideover::lua {
namespace {

class SchemaReader {
 public:
  SchemaReader(Sandbox& sandbox, std::string file, std::vector<RuleFileError>& errors)
      : sandbox_(sandbox), file_(std::move(file)), errors_(errors) {}

  /// The schema that the file on top of the stack declares; nullopt after a fault.
  std::optional<tables::Schema> read() {
    const auto before = errors_.size();
    TableReader table(sandbox_.state(), -1, "a table's schema", complain());
    tables::Schema schema;
    schema.table = stem_of(file_);
    for (const char* key : {"columns", "key"}) table.require(key);
    table.text("summary");
    if (table.push("columns") != LUA_TNIL) {
      TableReader list(sandbox_.state(), -1, "columns", complain());
      list.each_element([&](int) { read_column(schema); });
      if (schema.columns.empty() || schema.columns.size() > tables::kMostColumns)
        fault("columns", "a table has 1 to " + std::to_string(tables::kMostColumns) + " columns");
    }
    lua_pop(sandbox_.state(), 1);
    for (const auto& name : table.texts("key").value_or(std::vector<std::string>{}))
      if (const auto column = place_of(schema, name, "key")) schema.key.push_back(*column);
    if (schema.key.empty() || schema.key.size() > tables::kLongestKey)
      fault("key", "a key has 1 to " + std::to_string(tables::kLongestKey) + " columns");
    schema.from = date_column(table, schema, "from");
    schema.to = date_column(table, schema, "to");
    table.refuse_other_fields();
    if (errors_.size() != before) return std::nullopt;
    return schema;
  }

 private:
  void fault(std::string_view word, std::string message) {
    errors_.push_back(error_at_word(sandbox_.bundle(), file_, word, std::move(message)));
  }
  TableReader::Complain complain() {
    return [this](std::string_view word, std::string message) { fault(word, std::move(message)); };
  }

  void read_column(tables::Schema& schema) {
    TableReader table(sandbox_.state(), -1, "a column", complain());
    for (const char* key : {"name", "type"}) table.require(key);
    tables::Column column;
    column.name = table.text("name").value_or("");
    const std::string type = table.text("type").value_or("");
    if (const auto known = tables::column_type_named(type))
      column.type = *known;
    else if (!type.empty())
      fault(type, "type is '" + type + "' but must be one of " + tables::column_type_names());
    column.may_be_empty = table.boolean("may_be_empty").value_or(false);
    column.least = bound(table, "min", column);
    column.most = bound(table, "max", column);
    if (column.least && column.most && *column.least > *column.most) fault("min", "min is larger than max");
    column.headers = table.texts("headers").value_or(std::vector<std::string>{});
    if (schema.index_of(column.name)) fault(column.name, "the column '" + column.name + "' is declared twice");
    table.refuse_other_fields();
    schema.columns.push_back(std::move(column));
  }

  /// The minimum or maximum of the column's numbers, in the unit of its cells.
  std::optional<std::int64_t> bound(TableReader& table, const char* key, const tables::Column& column) {
    const auto number = table.number(key);
    if (!number) return std::nullopt;
    const bool is_decimal = column.type == tables::ColumnType::decimal;
    if (!is_decimal && column.type != tables::ColumnType::integer) {
      fault(key, std::string(key) + " is for columns of type 'integer' and 'decimal'");
      return std::nullopt;
    }
    const auto exact = exact_scaled(*number, is_decimal ? tables::kOneInDecimal : 1);
    if (!exact)
      fault(key, std::string(key) + (is_decimal ? " is a number with at most six decimals" : " is a whole number"));
    return exact;
  }

  std::optional<std::size_t> place_of(const tables::Schema& schema, const std::string& name, const char* where) {
    const auto column = schema.index_of(name);
    if (!column) fault(name, std::string(where) + " names the column '" + name + "', which is not declared");
    return column;
  }

  std::optional<std::size_t> date_column(TableReader& table, const tables::Schema& schema, const char* key) {
    const auto name = table.text(key);
    if (!name) return std::nullopt;
    const auto column = place_of(schema, *name, key);
    if (column && schema.columns[*column].type != tables::ColumnType::date)
      fault(*name, std::string(key) + " must be a column of type 'date'");
    return column;
  }

  Sandbox& sandbox_;
  const std::string file_;
  std::vector<RuleFileError>& errors_;
};

}  // namespace

BundleTables load_tables(const std::shared_ptr<const Bundle>& bundle, tables::TableFileCache& file_cache) {
  BundleTables loaded;
  Sandbox sandbox(bundle, {});
  const auto rows_of = [&](const std::string& file, const tables::TableReading& reading) {
    for (const auto& fault : reading.faults)
      loaded.errors.push_back({file, fault.line, fault.column, fault.message, fault.source_line});
    return reading.table;
  };
  for (const auto& [file, text] : bundle->files) {
    if (!file.starts_with("tables/") || !file.ends_with(".lua")) continue;
    // An unreadable table gets no rows, so that only its own fault is reported, and not one for every rule that uses
    // it.
    auto& rows = loaded.in_force[stem_of(file)] =
        std::make_shared<const tables::Table>(tables::Schema{stem_of(file), {}, {}, {}, {}}, tables::Provenance{},
                                              std::vector<std::int64_t>{}, std::deque<std::string>{});
    if (const auto failed = sandbox.run_file(file)) {
      loaded.errors.push_back(error_from_lua(*bundle, file, *failed));
      continue;
    }
    const auto schema = SchemaReader(sandbox, file, loaded.errors).read();
    lua_pop(sandbox.state(), 1);
    const std::string sample_file = "tables/" + stem_of(file) + ".csv";
    const auto sample = bundle->files.find(sample_file);
    if (!schema || sample == bundle->files.end()) continue;
    const tables::Provenance provenance{sample_file, "", crypto::hex_encode(crypto::sha256(sample->second))};
    rows = loaded.samples[schema->table] =
        rows_of(sample_file, tables::read_table(sample->second, *schema, provenance));
    if (const auto official = bundle->official.find(schema->table); official != bundle->official.end())
      rows = rows_of(official->second.provenance.file,
                     *file_cache.read(official->second.path, *schema, official->second.provenance));
  }
  return loaded;
}

std::optional<tables::ClaimFees> claim_fees(const TableSet& tables) {
  const auto named = [&](std::string_view name) {
    const auto found = tables.find(name);
    return found == tables.end() ? nullptr : found->second;
  };
  auto schedule = tables::FeeSchedule::of(named("pfs"), named("gpci"), named("conversion_factors"));
  auto contracts = tables::Contracts::of(named("contracts"));
  if (!schedule && !contracts) return std::nullopt;
  return tables::ClaimFees(std::move(schedule), named("place_of_service"), std::move(contracts));
}

}  // namespace tideover::lua
