// Small lists in a text column (findings, adjustments, mappings): a field ends with the byte 0x1f, a record with 0x1e.
// Those two bytes and the backslash are escaped. Any bytes are therefore restored exactly, a field may be another list,
// and an empty list differs from a list with an empty record. Private to the store; pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tideover::store {

class RecordWriter {
 public:
  RecordWriter& text(std::string_view field);
  RecordWriter& integer(std::int64_t field);
  RecordWriter& optional_integer(const std::optional<std::int64_t>& field);
  void end_record();
  /// The text written so far.
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Reads the output of RecordWriter: `while (in.next()) { a = in.text(); b = in.integer(); }`. A missing field or a
/// wrong type is std::runtime_error: the column is damaged. Further fields are ignored, so that a record can grow.
class RecordReader {
 public:
  explicit RecordReader(std::string_view text) : text_(text) {}

  /// Moves to the next record; false after the last.
  bool next();
  std::string text();
  std::int64_t integer();
  int number() { return static_cast<int>(integer()); }
  std::optional<std::int64_t> optional_integer();
  /// Reads the next field if it is this word, which has letters only.
  bool skips(std::string_view word);
  /// Whether the record has no further fields.
  bool ended() const { return record_.empty(); }

 private:
  std::string_view text_;
  std::string_view record_;
};

}  // namespace tideover::store
