// RFC 4180 records out of a byte stream: quoted cells may hold delimiters, doubled quotes and line breaks; records end
// with CRLF, LF or CR. A broken record is reported and reading goes on with the next line. One thread at a time.
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
};

class CsvRecords {
 public:
  /// Reads ahead as far as the first line to find the delimiter: , ; tab or |.
  explicit CsvRecords(tideover::sdk::ByteSource source);
  /// false at the end. Empty lines are skipped.
  bool next(CsvRecord& record);

 private:
  bool available(std::size_t index);
  void detect_delimiter();
  void read_record(CsvRecord& record);
  void give_up(CsvRecord& record, std::size_t index, const char* fault);
  void give_up_quote(CsvRecord& record);
  void finish(CsvRecord& record, std::size_t length);

  claim_rows::ByteBuffer buffer_;
  char delimiter_ = ',';
  std::int64_t line_ = 1;
};

}  // namespace csv
