#include "core/tables/schema.hpp"

#include <utility>

namespace tideover::tables {
namespace {

constexpr std::pair<std::string_view, ColumnType> kTypes[] = {
    {"code", ColumnType::code},       {"text", ColumnType::text},       {"word", ColumnType::word},
    {"integer", ColumnType::integer}, {"decimal", ColumnType::decimal}, {"date", ColumnType::date},
    {"flag", ColumnType::flag}};

}  // namespace

std::optional<ColumnType> column_type_named(std::string_view name) {
  for (const auto& [known, type] : kTypes)
    if (known == name) return type;
  return std::nullopt;
}

std::string column_type_names() {
  std::string names;
  for (const auto& [known, type] : kTypes) names += (names.empty() ? "'" : ", '") + std::string(known) + "'";
  return names;
}

std::optional<std::size_t> Schema::index_of(std::string_view column) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == column) return i;
  return std::nullopt;
}

}  // namespace tideover::tables
