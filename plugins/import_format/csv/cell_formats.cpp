#include "csv/cell_formats.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "claim_rows/mapping.hpp"

namespace csv {
namespace {

namespace sdk = tideover::sdk;

constexpr std::string_view kPrefix = "file.";
constexpr std::array<std::string_view, 6> kDates{"YYYY-MM-DD", "MM/DD/YYYY", "DD/MM/YYYY",
                                                 "DD.MM.YYYY", "MM-DD-YYYY", "YYYYMMDD"};

/// 0x80 to 0x9F of Windows-1252; 0 where it has no character. From 0xA0 on it equals Latin-1.
constexpr std::array<char16_t, 32> kWindows1252{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// As UTF-8; U+FFFD for a byte without a character.
void append_windows_1252(std::string& text, unsigned char byte) {
  const char16_t known = byte < 0x80 || byte >= 0xA0 ? byte : kWindows1252[byte - 0x80];
  const unsigned c = known == 0 && byte != 0 ? 0xFFFD : known;
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
  } else {
    text += {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3F)),
             static_cast<char>(0x80 | (c & 0x3F))};
  }
}

[[noreturn]] void refuse(const std::string& name, const std::string& allowed) {
  throw sdk::Fault(TIDEOVER_FAULT_INVALID_MAPPING, "the mapping's '" + name + "' must be one of " + allowed)
      .with("unknown[]", name);
}

std::string padded(std::string_view digits, std::size_t width) {
  return std::string(width - std::min(width, digits.size()), '0') + std::string(digits);
}

/// YYYY-MM-DD of a date in this pattern; nullopt when it does not match. With separators, months and days may have one
/// digit.
std::optional<std::string> date_by(std::string_view pattern, std::string_view day) {
  const bool has_separators = pattern.size() == kDates.front().size();
  std::string year, month, date;
  std::size_t at = 0;
  for (const char part : pattern) {
    const bool is_digit_next = at < day.size() && is_digit(day[at]);
    if (part != 'Y' && part != 'M' && part != 'D') {
      if (at >= day.size() || day[at++] != part) return std::nullopt;
      continue;
    }
    auto& digits = part == 'Y' ? year : part == 'M' ? month : date;
    if (!is_digit_next && has_separators && part != 'Y' && digits.size() == 1) continue;
    if (!is_digit_next) return std::nullopt;
    digits += day[at++];
  }
  if (at != day.size()) return std::nullopt;
  return year + '-' + padded(month, 2) + '-' + padded(date, 2);
}

}  // namespace

CellFormats::CellFormats(sdk::Pairs& mapping) {
  for (const auto& [name, value] : mapping) {
    if (name.compare(0, kPrefix.size(), kPrefix) != 0) continue;
    if (name == "file.encoding") {
      if (value != "utf-8" && value != "windows-1252" && value != "iso-8859-1")
        refuse(name, "utf-8, windows-1252, iso-8859-1");
      is_windows_1252_ = value != "utf-8";
    } else if (name == "file.dates") {
      if (std::find(kDates.begin(), kDates.end(), value) == kDates.end())
        refuse(name, claim_rows::join({kDates.begin(), kDates.end()}));
      date_pattern_ = value;
    } else if (name == "file.amounts") {
      if (value != "plain" && value != "us" && value != "european")
        refuse(name, "plain (1250.00), us ($1,250.00), european (1.250,00)");
      amounts_ = value == "us" ? Amounts::us : value == "european" ? Amounts::european : Amounts::plain;
    } else {
      throw sdk::Fault(TIDEOVER_FAULT_INVALID_MAPPING,
                       "unknown mapping key '" + name + "'; use file.encoding, file.dates, file.amounts")
          .with("unknown[]", name);
    }
  }
  mapping.erase(std::remove_if(mapping.begin(), mapping.end(),
                               [](const auto& pair) { return pair.first.compare(0, kPrefix.size(), kPrefix) == 0; }),
                mapping.end());
}

std::string CellFormats::text(std::string_view cell) const {
  if (cell.size() > 1 && cell.front() == '\'' && is_digit(cell[1])) cell.remove_prefix(1);
  if (!is_windows_1252_) return std::string(cell);
  std::string text;
  for (const char c : cell) append_windows_1252(text, static_cast<unsigned char>(c));
  return text;
}

std::string CellFormats::date(std::string_view cell) const {
  if (date_pattern_.empty()) return std::string(cell);
  const auto day = cell.substr(0, cell.find_first_of(" T"));
  // Files often mix patterns: no other pattern can be confused with the service's own.
  auto read = date_by(date_pattern_, day);
  if (!read) read = date_by(kDates.front(), day);
  return read ? *read : std::string(cell);
}

std::string CellFormats::amount(std::string_view cell) const {
  if (amounts_ == Amounts::plain) return std::string(cell);
  const char group = amounts_ == Amounts::us ? ',' : '.', point = amounts_ == Amounts::us ? '.' : ',';
  const bool in_brackets = cell.size() > 2 && cell.front() == '(' && cell.back() == ')';
  auto rest = in_brackets ? cell.substr(1, cell.size() - 2) : cell;
  bool is_negative = in_brackets;
  std::string plain;
  std::size_t since_group = 0;  // digits; 0 before the first separator
  bool has_group = false, has_point = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (is_digit(c)) {
      plain += c;
      ++since_group;
    } else if (c == point && !has_point) {
      if (has_group && since_group != 3) return std::string(cell);
      plain += '.';
      has_point = true;
    } else if (c == group && !has_point && since_group >= 1 && (has_group ? since_group == 3 : since_group <= 3)) {
      has_group = true;
      since_group = 0;
    } else if (plain.empty() && (c == '$' || c == ' ')) {
      continue;
    } else if (plain.empty() && c == '-' && !is_negative) {
      is_negative = true;
    } else {
      return std::string(cell);
    }
  }
  if (plain.empty() || (has_group && !has_point && since_group != 3)) return std::string(cell);
  return (is_negative ? "-" : "") + plain;
}

bool is_shortened_number(std::string_view cell) {
  const auto e = cell.find_first_of("eE");
  if (e == std::string_view::npos || e == 0 || e + 2 >= cell.size() || cell[e + 1] != '+') return false;
  const auto are_digits = [](std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
  };
  const auto number = cell.substr(0, e);
  const auto point = number.find('.');
  const bool is_number =
      are_digits(number.substr(0, point)) && (point == std::string_view::npos || are_digits(number.substr(point + 1)));
  return is_number && are_digits(cell.substr(e + 2));
}

}  // namespace csv
