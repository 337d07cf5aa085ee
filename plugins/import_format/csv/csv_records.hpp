// Reads RFC 4180 records from a byte stream: quoted cells may contain delimiters, doubled quotes and line breaks;
// records end with CRLF, LF or CR. A malformed record is reported, and reading continues after its first line: if a
// stray quote joined many lines to one record, the others are read. One thread at a time.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "claim_rows/byte_buffer.hpp"

namespace csv {

struct CsvRecord {
  std::int64_t line = 0;  // where it starts, 1-based
  std::int64_t byte = 0;
  std::vector<std::string> cells;
  std::string fault;
  bool is_text = true;  // UTF-8 without NUL; otherwise each cell must be checked
};

class CsvRecords {
 public:
  explicit CsvRecords(tideover::sdk::ByteSource source);
  /// Detects the delimiter of the next line: , ; tab or |.
  void detect_delimiter();
  /// false at the end. Empty lines are skipped.
  bool next(CsvRecord& record);
  /// From now on a record of several lines with another number of cells is treated as an unclosed quote.
  void expect(std::size_t cells) { expected_ = cells; }

 private:
  bool available(std::size_t index);
  void read_record(CsvRecord& record);
  void give_up(CsvRecord& record, std::string fault);
  void finish(CsvRecord& record, std::size_t length);

  claim_rows::ByteBuffer buffer_;
  char delimiter_ = ',';
  std::size_t expected_ = 0;  // cells; 0 = any number
  std::int64_t line_ = 1;
};

}  // namespace csv
