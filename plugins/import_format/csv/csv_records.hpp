// RFC 4180 records out of a byte stream: quoted cells may hold delimiters, doubled quotes and line breaks; records end
// with CRLF, LF or CR. A broken record is reported and reading goes on behind its first line: where a stray quote made
// one record of many lines, the others are read. One thread at a time.
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
  bool is_text = true;  // UTF-8 without NUL; else each cell that is read has to be looked at
};

class CsvRecords {
 public:
  explicit CsvRecords(tideover::sdk::ByteSource source);
  /// Takes the delimiter of the line that comes next: , ; tab or |.
  void detect_delimiter();
  /// false at the end. Empty lines are skipped.
  bool next(CsvRecord& record);
  /// From now on a record of several lines that has another number of cells is taken for a quote that was not closed.
  void expect(std::size_t cells) { expected_ = cells; }

 private:
  bool available(std::size_t index);
  void read_record(CsvRecord& record);
  void give_up(CsvRecord& record, std::string fault);
  void finish(CsvRecord& record, std::size_t length);

  claim_rows::ByteBuffer buffer_;
  char delimiter_ = ',';
  std::size_t expected_ = 0;  // cells; 0 for any number
  std::int64_t line_ = 1;
};

}  // namespace csv
