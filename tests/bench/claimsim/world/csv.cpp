#include "tests/bench/claimsim/world/csv.hpp"

#include <charconv>
#include <stdexcept>

namespace tideover::claimsim {

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  bool quoted = false;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') quoted = !quoted;
    if (i < text.size() && (text[i] != separator || quoted)) continue;
    auto part = text.substr(from, i - from);
    if (part.size() >= 2 && part.front() == '"' && part.back() == '"') part = part.substr(1, part.size() - 2);
    parts.push_back(part);
    from = i + 1;
  }
  return parts;
}

CsvRows::CsvRows(const std::filesystem::path& file) : name_(file.string()), in_(file) {
  if (!in_ || !std::getline(in_, line_)) throw std::runtime_error(name_ + ": cannot be read");
  const auto names = parts_of(line_, ',');
  for (std::size_t i = 0; i < names.size(); ++i) columns_[std::string(names[i])] = i;
}

bool CsvRows::next() {
  ++number_;
  if (!std::getline(in_, line_)) return false;
  fields_ = parts_of(line_, ',');
  if (fields_.size() != columns_.size()) fail("has another number of fields than the header");
  return true;
}

std::string_view CsvRows::text(const std::string& column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end()) fail("has no column " + column);
  return fields_[found->second];
}

std::int64_t CsvRows::number(std::string_view text) const {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("has '" + std::string(text) + "' for a number");
  return value;
}

std::optional<domain::Date> CsvRows::date_if_any(const std::string& column) const {
  if (text(column).empty()) return std::nullopt;
  const auto date = domain::parse_date(text(column));
  if (!date) fail("has a bad date in " + column);
  return date;
}

domain::Date CsvRows::date(const std::string& column) const {
  const auto date = date_if_any(column);
  if (!date) fail("has no date in " + column);
  return *date;
}

void CsvRows::fail(const std::string& what) const {
  throw std::runtime_error(name_ + ":" + std::to_string(number_) + ": " + what);
}

}  // namespace tideover::claimsim
