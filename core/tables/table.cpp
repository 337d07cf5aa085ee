#include "core/tables/table.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tideover::tables {
namespace {

constexpr std::size_t kLongestCode = 8;

std::uint64_t hash_of(const Table::Key& key, std::size_t count) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ static_cast<std::uint64_t>(key[i])) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

std::optional<std::int64_t> pack_code(std::string_view code) {
  if (code.size() > kLongestCode) return std::nullopt;
  std::int64_t packed = 0;
  std::memcpy(&packed, code.data(), code.size());  // little-endian: the bytes of the text are the cell
  return packed;
}

Table::Table(Schema schema, Provenance provenance, std::vector<std::int64_t> cells, std::deque<std::string> texts)
    : schema_(std::move(schema)),
      provenance_(std::move(provenance)),
      width_(schema_.columns.size()),
      cells_(std::move(cells)),
      texts_(std::move(texts)) {
  for (std::size_t i = 0; i < texts_.size(); ++i) text_numbers_.emplace(texts_[i], static_cast<std::int64_t>(i));
  sort_rows();
  index_rows();
}

void Table::sort_rows() {
  std::vector<std::uint32_t> order(row_count());
  std::iota(order.begin(), order.end(), 0U);
  // An open start is kNothing, the smallest value.
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (const auto column : schema_.key)
      if (const auto left = cell(a, column), right = cell(b, column); left != right) return left < right ? -1 : 1;
    const auto left = schema_.from ? cell(a, *schema_.from) : 0, right = schema_.from ? cell(b, *schema_.from) : 0;
    return left == right ? 0 : left < right ? -1 : 1;
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return compare(a, b) < 0; });
  for (std::size_t i = 1; i < order.size() && !duplicate_; ++i)
    if (compare(order[i - 1], order[i]) == 0) duplicate_ = DuplicateKey{order[i - 1], order[i]};
  std::vector<std::int64_t> sorted;
  sorted.reserve(cells_.size());
  for (const auto row : order)
    sorted.insert(sorted.end(), cells_.begin() + static_cast<std::ptrdiff_t>(row * width_),
                  cells_.begin() + static_cast<std::ptrdiff_t>((row + 1) * width_));
  cells_ = std::move(sorted);
}

void Table::index_rows() {
  std::size_t size = 16;
  while (size < row_count() * 2) size *= 2;
  slots_.assign(size, 0);
  Key before{};
  for (std::size_t row = 0; row < row_count(); ++row) {
    Key key{};
    for (std::size_t i = 0; i < schema_.key.size(); ++i) key[i] = cell(row, schema_.key[i]);
    if (row > 0 && key == before) continue;
    before = key;
    auto at = hash_of(key, schema_.key.size()) & (size - 1);
    while (slots_[at] != 0) at = (at + 1) & (size - 1);
    slots_[at] = static_cast<std::uint32_t>(row + 1);
  }
}

std::optional<std::int64_t> Table::key_cell(std::size_t place, std::string_view text) const {
  switch (schema_.columns[schema_.key[place]].type) {
    case ColumnType::code:
      return pack_code(text);
    case ColumnType::text:
    case ColumnType::word:
      if (const auto found = text_numbers_.find(text); found != text_numbers_.end()) return found->second;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> Table::key_cell(std::size_t place, std::int64_t number) const {
  const auto type = schema_.columns[schema_.key[place]].type;
  return type == ColumnType::integer || type == ColumnType::date ? std::optional(number) : std::nullopt;
}

bool Table::has_key(std::size_t row, const Key& key) const {
  for (std::size_t i = 0; i < schema_.key.size(); ++i)
    if (cell(row, schema_.key[i]) != key[i]) return false;
  return true;
}

bool Table::holds_on(std::size_t row, domain::Date day) const {
  const auto starts = schema_.from ? cell(row, *schema_.from) : kNothing,
             ends = schema_.to ? cell(row, *schema_.to) : kNothing;
  return (starts == kNothing || starts <= day.days()) && (ends == kNothing || day.days() <= ends);
}

std::optional<std::uint32_t> Table::find(const Key& key, std::optional<domain::Date> day) const {
  for (auto at = hash_of(key, schema_.key.size()) & (slots_.size() - 1); slots_[at] != 0;
       at = (at + 1) & (slots_.size() - 1)) {
    std::size_t row = slots_[at] - 1;
    if (!has_key(row, key)) continue;
    std::optional<std::uint32_t> found;
    for (; row < row_count() && has_key(row, key); ++row)
      if (!day || holds_on(row, *day)) found = static_cast<std::uint32_t>(row);
    return found;
  }
  return std::nullopt;
}

bool Table::has_first(std::int64_t wanted) const {
  const auto column = schema_.key.front();
  std::size_t low = 0, high = row_count();
  while (low < high) {
    const auto middle = (low + high) / 2;
    (cell(middle, column) < wanted ? low : high) = cell(middle, column) < wanted ? middle + 1 : middle;
  }
  return low < row_count() && cell(low, column) == wanted;
}

std::optional<std::int64_t> Table::decimal(std::uint32_t row, std::size_t column) const {
  const auto word = cell(row, column);
  return word == kNothing || schema_.columns[column].type != ColumnType::decimal ? std::nullopt : std::optional(word);
}

Value Table::value(std::uint32_t row, std::size_t column) const {
  const auto& word = cells_[row * width_ + column];
  if (word == kNothing) return {};
  switch (schema_.columns[column].type) {
    case ColumnType::code: {
      const auto* const text = reinterpret_cast<const char*>(&word);
      return std::string_view(text, strnlen(text, kLongestCode));
    }
    case ColumnType::text:
    case ColumnType::word:
      return std::string_view(texts_[static_cast<std::size_t>(word)]);
    case ColumnType::integer:
      return word;
    case ColumnType::decimal:
      return static_cast<double>(word) / static_cast<double>(kOneInDecimal);
    case ColumnType::date:
      return domain::Date::from_days(static_cast<std::int32_t>(word));
    case ColumnType::flag:
      return word != 0;
  }
  return {};
}

}  // namespace tideover::tables
