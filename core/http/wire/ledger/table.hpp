// A page of an export: rows with the same columns, as JSON, CSV or JSON Lines.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/domain/basics/money.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::wire {

/// Nothing: no member in JSON, an empty cell in CSV.
using Cell = std::variant<std::monostate, std::string, domain::Money, std::int64_t>;

struct Table {
  std::vector<std::string_view> columns;
  std::vector<std::vector<Cell>> rows;
  std::string next_cursor{};  // empty: this is the last page
};

// Row by row, for a document that is too large to be held as a table.
void put_row(json::Writer& out, const std::vector<std::string_view>& columns, const std::vector<Cell>& row);
void put_csv_header(std::string& out, const std::vector<std::string_view>& columns);
void put_csv_row(std::string& out, const std::vector<Cell>& row);

/// The list envelope. `put_more(writer)` adds members after the standard ones.
std::string encode_table(const Table& table, const std::function<void(json::Writer&)>& put_more = {});
/// With a header line. RFC 4180.
std::string encode_table_csv(const Table& table);
/// One object per row.
std::string encode_table_lines(const Table& table);

}  // namespace tideover::wire
