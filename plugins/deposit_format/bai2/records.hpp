// The records of a BAI2 file: a line and the 88 lines that continue it. Type codes and signs follow the BAI2
// specification (ASC X9 BTRS version 2).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bank_text/lines.hpp"

namespace bai2 {

struct Record {
  std::int64_t line = 0;                // first line
  int code = 0;                         // 1 2 3 16 49 98 99
  std::vector<std::string_view> lines;  // after the code, each without its final "/"
  bool ended = false;                   // the last line had its "/"
  std::int64_t physical_lines() const { return static_cast<std::int64_t>(lines.size()); }
};

/// Reads one record ahead to find the end of the continuations.
class RecordReader {
 public:
  RecordReader(std::string_view bytes, const tideover::sdk::Deadline& deadline) : lines_(bytes, deadline) {}
  /// Throws Fault for a line that is not a BAI2 record.
  bool next(Record& record);

 private:
  struct Piece {
    std::int64_t line = 0;
    int code = 0;
    std::string_view text;
    bool ended = false;
  };
  bool read_piece();
  bool next_line();

  bank_text::LineReader lines_;
  bank_text::Line line_;
  std::string_view rest_;  // of line_, after the records that were read from it
  std::optional<Piece> ahead_;
  bool started_ = false;
};

/// The fields of a record from left to right, followed by those of its continuations.
class FieldCursor {
 public:
  explicit FieldCursor(const Record& record) : record_(record) {}
  bool at_end() const { return piece_ >= record_.lines.size(); }
  /// Empty when no field is left.
  std::string_view next();
  /// The rest of the record, one entry per line, with commas: the text of a transaction.
  std::vector<std::string_view> rest();

 private:
  const Record& record_;
  std::size_t piece_ = 0;
  std::size_t at_ = 0;
};

/// A signed amount in cents; an empty field is 0. Throws Fault for other text.
std::int64_t amount_in(const Record& record, std::string_view field);

/// When the money is available: 0 1 2, S (three amounts), V (a date), D (a distribution), or unknown.
struct Availability {
  std::optional<tideover_date> value_date;  // of V
};
/// Reads the funds type and its fields. Throws Fault when they do not fit the type.
Availability take_availability(const Record& record, FieldCursor& fields);

}  // namespace bai2
