// A window over a stream that grows on demand and drops consumed bytes, and the checks for every row of text.
// One thread at a time.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "tideover/import_format.hpp"

namespace claim_rows {

inline constexpr std::size_t kLongestRow = std::size_t{1024} * 1024;

/// A file in memory as a stream. Reading takes bytes from the front of `rest`.
tideover_byte_source memory_source(std::string_view& rest);

class ByteBuffer {
 public:
  explicit ByteBuffer(tideover::sdk::ByteSource source) : source_(source) {}
  /// Skips a UTF-8 byte order mark. Throws Fault(INVALID_INPUT) when the file is empty or UTF-16.
  void start();
  /// Bytes not consumed yet; invalid after fill() or consume().
  std::string_view unread() const { return std::string_view(bytes_).substr(from_); }
  /// Appends the next bytes of the source; false at its end.
  bool fill();
  void consume(std::size_t count);
  /// Drops everything up to and including the next line feed, or all bytes.
  void skip_line();
  /// Position of the first unread byte in the file.
  std::int64_t offset() const { return offset_; }

 private:
  tideover::sdk::ByteSource source_;
  std::string bytes_;
  std::size_t from_ = 0;
  std::int64_t offset_ = 0;
};

/// Empty, or the reason why the text is not valid, as a predicate after its name: it has NUL, or bytes that are not
/// UTF-8.
std::string text_fault(std::string_view text);

}  // namespace claim_rows
