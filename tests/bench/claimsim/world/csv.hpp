// Rows of one CSV file with a header; a field that holds commas stands in double quotes. Throws std::runtime_error with
// file and line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/money.hpp"

namespace tideover::claimsim {

/// Cuts at `separator`, outside of double quotes.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

class CsvRows {
 public:
  explicit CsvRows(const std::filesystem::path& file);
  bool next();
  std::string_view text(const std::string& column) const;
  std::int64_t number(std::string_view text) const;
  domain::Money money(std::string_view text) const { return domain::Money::cents(number(text)); }
  std::optional<domain::Date> date_if_any(const std::string& column) const;
  domain::Date date(const std::string& column) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string name_, line_;
  std::ifstream in_;
  int number_ = 1;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::string_view> fields_;
};

}  // namespace tideover::claimsim
