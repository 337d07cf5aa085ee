// How a file writes its text, dates and amounts: the members of a mapping that begin with "file.". Immutable after
// construction.
#pragma once
#include <string>
#include <string_view>

#include "tideover/import_format.hpp"

namespace csv {

class CellFormats {
 public:
  /// Takes the members of `mapping` that begin with "file." out of it. Throws Fault(INVALID_MAPPING) for a name or a
  /// value that there is none of.
  explicit CellFormats(tideover::sdk::Pairs& mapping);

  /// The text as UTF-8, without the apostrophe with which spreadsheets mark text.
  std::string text(std::string_view cell) const;
  /// A date of the file as YYYY-MM-DD, without a time behind it; anything else as it is.
  std::string date(std::string_view cell) const;
  /// An amount of the file as 1250.00 or -95.00; anything else as it is.
  std::string amount(std::string_view cell) const;

 private:
  enum class Amounts { plain, us, european };

  bool is_windows_1252_ = false;
  Amounts amounts_ = Amounts::plain;
  std::string date_pattern_;  // "MM/DD/YYYY"; empty: dates stay as they are
};

/// "2.12345E+11": what a spreadsheet shows of a long number, whose other digits are lost.
bool is_shortened_number(std::string_view cell);

}  // namespace csv
