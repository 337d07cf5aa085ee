// The schema of a reference table: its columns with types and the headers of official files, its key, and the columns
// with the validity of a row. Pure data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::tables {

enum class ColumnType {
  code,     // at most 8 letters and digits, upper case: procedure codes, modifiers, NPI classes
  text,     // at most 80 printable ASCII characters
  word,     // the first word of the cell, upper case: "2" of "2 Date of Service Edit: Policy"
  integer,  // a whole number
  decimal,  // at most six decimals
  date,     // 2026-01-31, 20260131 or 01/31/2026; empty or * for none
  flag,     // y or n, yes or no, true or false, 1 or 0
};

std::optional<ColumnType> column_type_named(std::string_view name);
/// "'code', 'text', ..." for messages.
std::string column_type_names();

struct Column {
  std::string name;
  ColumnType type = ColumnType::text;
  bool may_be_empty = false;                    // of a key column: an empty cell is the empty text
  std::vector<std::string> headers;             // in addition to the name
  std::optional<std::int64_t> least{}, most{};  // of integers; of decimals in millionths; both inclusive
};

inline constexpr std::size_t kMostColumns = 40;
inline constexpr std::size_t kLongestKey = 4;

struct Schema {
  std::string table;
  std::vector<Column> columns;
  std::vector<std::size_t> key;  // indexes of columns
  std::optional<std::size_t> from,
      to;  // first and last day of a row, both inclusive; without them a row is always valid

  bool is_dated() const { return from || to; }
  std::optional<std::size_t> index_of(std::string_view column) const;
};

}  // namespace tideover::tables
