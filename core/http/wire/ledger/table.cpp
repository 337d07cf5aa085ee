#include "core/http/wire/ledger/table.hpp"

namespace tideover::wire {
namespace {

/// A spreadsheet runs a cell that begins so as a formula, even if it is quoted.
bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

std::string csv_text(std::string_view text) {
  const std::string safe = is_formula(text) ? "'" + std::string(text) : std::string(text);
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_text(*text);
  if (const auto* amount = std::get_if<domain::Money>(&cell)) return format_money(*amount);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
  return "";
}

}  // namespace

void put_row(json::Writer& out, const std::vector<std::string_view>& columns, const std::vector<Cell>& row) {
  out.begin_object();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::holds_alternative<std::monostate>(row[i])) continue;
    out.key(columns[i]);
    if (const auto* text = std::get_if<std::string>(&row[i]))
      out.string(*text);
    else if (const auto* amount = std::get_if<domain::Money>(&row[i]))
      out.cents(amount->cents());
    else
      out.number(std::get<std::int64_t>(row[i]));
  }
  out.end_object();
}

std::string encode_table(const Table& table, const std::function<void(json::Writer&)>& put_more) {
  std::string body;
  json::Writer out(body);
  out.begin_object().key("data").begin_array();
  for (const auto& row : table.rows) put_row(out, table.columns, row);
  out.end_array();
  out.key("has_more").boolean(!table.next_cursor.empty());
  out.key("next_cursor");
  if (table.next_cursor.empty())
    out.null();
  else
    out.string(table.next_cursor);
  if (put_more) put_more(out);
  out.end_object();
  return body;
}

void put_csv_header(std::string& out, const std::vector<std::string_view>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += ',';
    out += columns[i];
  }
  out += "\r\n";
}

void put_csv_row(std::string& out, const std::vector<Cell>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) out += ',';
    out += csv_cell(row[i]);
  }
  out += "\r\n";
}

std::string encode_table_csv(const Table& table) {
  std::string text;
  put_csv_header(text, table.columns);
  for (const auto& row : table.rows) put_csv_row(text, row);
  return text;
}

std::string encode_table_lines(const Table& table) {
  std::string text;
  for (const auto& row : table.rows) {
    json::Writer out(text);
    put_row(out, table.columns, row);
    text += '\n';
  }
  return text;
}

}  // namespace tideover::wire
