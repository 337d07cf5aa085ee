// The encoding, date format and amount format of a file: the members of a mapping with the prefix "file.". Immutable
// after construction.
#pragma once
#include <string>
#include <string_view>

#include "tideover/import_format.hpp"

namespace csv {

class CellFormats {
 public:
  /// Removes the members with the prefix "file." from `mapping`. Throws Fault(INVALID_MAPPING) for an unknown name or
  /// value.
  explicit CellFormats(tideover::sdk::Pairs& mapping);

  /// The text as UTF-8, without the apostrophe by which spreadsheets mark text.
  std::string text(std::string_view cell) const;
  /// A date of the file as YYYY-MM-DD, without a time after it; other text unchanged.
  std::string date(std::string_view cell) const;
  /// An amount of the file as 1250.00 or -95.00; other text unchanged.
  std::string amount(std::string_view cell) const;

 private:
  enum class Amounts { plain, us, european };

  bool is_windows_1252_ = false;
  Amounts amounts_ = Amounts::plain;
  std::string date_pattern_;  // "MM/DD/YYYY"; empty: dates are not converted
};

/// "2.12345E+11": the form of a long number in a spreadsheet, whose other digits are lost.
bool is_shortened_number(std::string_view cell);

}  // namespace csv
