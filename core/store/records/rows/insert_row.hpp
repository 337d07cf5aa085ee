// Inserts of one row. The text follows at compile time from the table and a list of its columns, with one placeholder
// per column; a column with a fixed value has it after " = ". The list is a literal, which a store shares with its
// SELECTs:
//   #define TASK_COLUMNS "id, kind, note"
//   insert_row<"tasks", "tenant, votes = 0, " TASK_COLUMNS>(session, tenant.text(), id, kind, note);
// executes "INSERT INTO tasks (tenant, votes, id, kind, note) VALUES (?, 0, ?, ?, ?)". Another number of values does
// not compile.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "core/store/sql/session.hpp"

namespace tideover::store {

/// A literal as a template argument.
template <std::size_t size>
struct Literal {
  consteval Literal(const char (&text)[size]) { std::copy_n(text, size, characters); }
  constexpr operator std::string_view() const { return {characters, size - 1}; }
  char characters[size] = {};
};

struct Column {
  std::string_view name;
  std::string_view value = "?";
};

/// string_view::find of a template argument is no constant for GCC 12 with the undefined-behaviour sanitizer.
constexpr std::size_t find_text(std::string_view text, std::string_view wanted) {
  for (std::size_t at = 0; at + wanted.size() <= text.size(); ++at) {
    std::size_t same = 0;
    while (same < wanted.size() && text[at + same] == wanted[same]) ++same;
    if (same == wanted.size()) return at;
  }
  return std::string_view::npos;
}

/// The first column of a list; `columns` becomes the rest.
constexpr Column take_column(std::string_view& columns) {
  constexpr std::string_view kBetween = ", ", kFixed = " = ";
  const auto end = std::min(find_text(columns, kBetween), columns.size());
  const auto column = columns.substr(0, end);
  columns.remove_prefix(std::min(end + kBetween.size(), columns.size()));
  const auto fixed = find_text(column, kFixed);
  if (fixed == std::string_view::npos) return {column};
  return {column.substr(0, fixed), column.substr(fixed + kFixed.size())};
}

constexpr int count_columns(std::string_view columns) {
  int count = 0;
  for (; !columns.empty(); ++count) take_column(columns);
  return count;
}

/// Number of columns without a fixed value.
constexpr std::size_t count_values(std::string_view columns) {
  std::size_t count = 0;
  while (!columns.empty()) count += take_column(columns).value == Column().value ? 1 : 0;
  return count;
}

/// Passes the text piece by piece to `put`.
template <class Put>
constexpr void compose_insert(std::string_view verb, std::string_view table, std::string_view columns, Put put) {
  const auto list = [&](std::string_view Column::*part) {
    for (auto rest = columns; !rest.empty();) {
      put(take_column(rest).*part);
      if (!rest.empty()) put(std::string_view(", "));
    }
  };
  put(verb);
  put(table);
  put(std::string_view(" ("));
  list(&Column::name);
  put(std::string_view(") VALUES ("));
  list(&Column::value);
  put(std::string_view(")"));
}

/// The text, in static memory and with a NUL at its end.
template <Literal verb, Literal table, Literal columns>
inline constexpr auto kInsertText = [] {
  constexpr std::size_t kSize = [] {
    std::size_t size = 0;
    compose_insert(verb, table, columns, [&](std::string_view piece) { size += piece.size(); });
    return size;
  }();
  std::array<char, kSize + 1> text{};
  compose_insert(verb, table, columns, [to = text.begin()](std::string_view piece) mutable {
    to = std::copy(piece.begin(), piece.end(), to);
  });
  return text;
}();

/// `values` are in the order of the columns without a fixed value.
template <Literal table, Literal columns, class... Values>
requires(count_values(columns) == sizeof...(Values)) void insert_row(sql::Session& session, const Values&... values) {
  session.run(kInsertText<"INSERT INTO ", table, columns>.data(), values...);
}

/// Whether the row is new: a row with its key in the table stays as it is.
template <Literal table, Literal columns, class... Values>
requires(count_values(columns) == sizeof...(Values)) bool insert_row_if_new(sql::Session& session,
                                                                            const Values&... values) {
  return session.run({kInsertText<"INSERT OR IGNORE INTO ", table, columns>.data(),
                      kInsertText<"INSERT IGNORE INTO ", table, columns>.data()},
                     values...) == 1;
}

}  // namespace tideover::store
