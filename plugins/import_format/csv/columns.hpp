// What the columns of a CSV file mean: by their headers, or by the client's mapping of them. Headers compare without case and
// surrounding blanks. Immutable after construction.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "claim_rows/mapping.hpp"
#include "csv/csv_records.hpp"

namespace csv {

std::string_view trim(std::string_view text);
/// What a spreadsheet would run when somebody opens an export of it. A number with a sign is none.
bool is_formula(std::string_view value);

/// The first row. Throws Fault(INVALID_INPUT) when there is none that can be read.
CsvRecord read_header(CsvRecords& records);

class Columns {
 public:
  /// Throws Fault(INVALID_INPUT) that names every field with two columns, every one of `required` without any, and every mapped
  /// header that the file does not have.
  Columns(const CsvRecord& header, const claim_rows::Mapping& mapping, bool (*is_known)(std::string_view),
          const std::vector<std::string_view>& required);

  /// The field behind each column; empty: no field of the service, nothing is read from it.
  const std::vector<std::string>& fields() const { return fields_; }
  std::optional<std::size_t> index_of(std::string_view field) const;
  /// Empty, or why the row cannot be read by these columns.
  std::string fault_of(const CsvRecord& row) const;

 private:
  std::vector<std::string> fields_;
};

}  // namespace csv
