// A bank file as numbered lines. Lines end with LF, CRLF or CR; a UTF-8 byte order mark is skipped.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "tideover/sdk.hpp"

namespace bank_text {

struct Line {
  std::int64_t number = 0;  // 1-based
  std::string_view text;    // without its line end
  bool ended = false;       // false: the file ends within this line
};

class LineReader {
 public:
  /// Throws Fault for NUL bytes and UTF-16, which no format here uses.
  LineReader(std::string_view bytes, const tideover::sdk::Deadline& deadline);
  /// The next line that is not blank. Throws Fault when the deadline has passed.
  bool next(Line& line);

 private:
  std::string_view rest_;
  const tideover::sdk::Deadline& deadline_;
  std::int64_t number_ = 0;
};

tideover::sdk::Fault fault_at(std::int64_t line, const std::string& problem);

}  // namespace bank_text
