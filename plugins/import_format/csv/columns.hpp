// The meaning of the columns of a CSV file: by their headers, or by the client's mapping. Headers compare without case
// and surrounding blanks. Immutable after construction.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "claim_rows/mapping.hpp"
#include "csv/cell_formats.hpp"
#include "csv/csv_records.hpp"

namespace csv {

std::string_view trim(std::string_view text);
/// Text that a spreadsheet would execute as a formula when an export is opened. A number with a sign is not a formula.
bool is_formula(std::string_view value);

class Columns {
 public:
  /// The fields that columns may have, and those that are required.
  struct Fields {
    bool (*is_known)(std::string_view);
    std::vector<std::string_view> required;
  };

  /// Reads the header: the first row, or one of the first rows, after titles, that has every required column. Throws
  /// Fault(INVALID_INPUT) with every field that has two columns, every required field without a column, and every
  /// mapped header that the file does not have. `given` is the client's mapping.
  Columns(CsvRecords& records, tideover::sdk::Pairs given, const Fields& fields);

  /// The field of each column; empty: not a field of the service, the column is ignored.
  const std::vector<std::string>& fields() const { return fields_; }
  std::optional<std::size_t> index_of(std::string_view field) const;
  /// Empty, or why the row cannot be read with these columns.
  std::string fault_of(const CsvRecord& row) const;
  const CellFormats& formats() const { return formats_; }
  /// The text of a cell as UTF-8, without surrounding blanks.
  std::string text_of(const CsvRecord& row, std::size_t column) const { return formats_.text(trim(row.cells[column])); }

 private:
  std::vector<std::string> fields_of(const CsvRecord& header, const claim_rows::Mapping& mapping,
                                     const Fields& fields) const;

  CellFormats formats_;
  std::vector<std::string> fields_;
};

}  // namespace csv
