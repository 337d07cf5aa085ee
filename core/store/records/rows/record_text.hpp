// Small lists that live inside a text column (findings, adjustments, mappings): a field ends with the byte 0x1f, a
// record with 0x1e. Those two bytes and the backslash are escaped, so any bytes come back as they went in, a record may
// hold another list as a field, and nothing differs from a list of nothing. Private to the store; pure.
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
  /// Everything written.
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Reads what RecordWriter wrote: `while (in.next()) { a = in.text(); b = in.integer(); }`. A field too few or of
/// another type is std::runtime_error: the column is damaged. Fields beyond those asked for are left out, so that a
/// record can grow.
class RecordReader {
 public:
  explicit RecordReader(std::string_view text) : text_(text) {}

  /// Moves to the next record; false after the last.
  bool next();
  std::string text();
  std::int64_t integer();
  int number() { return static_cast<int>(integer()); }
  std::optional<std::int64_t> optional_integer();
  /// Takes the next field where it is this word, of letters only.
  bool skips(std::string_view word);
  /// Whether the record has no further fields.
  bool ended() const { return record_.empty(); }

 private:
  std::string_view text_;
  std::string_view record_;
};

}  // namespace tideover::store
