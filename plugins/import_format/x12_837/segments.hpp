// Cuts a stream of bytes into X12 segments and elements. Delimiters come from each ISA (element separator at byte 3, component
// separator ISA16, segment terminator behind it); a file without envelope is read with what its ST or GS shows. No more than
// one segment of at most kLongestSegment bytes is looked at or kept at a time. One thread at a time.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "claim_rows/byte_buffer.hpp"

namespace x12_837 {

inline constexpr std::size_t kLongestSegment = 16 * 1024;

/// Views of the reader's buffer, valid until its next segment.
struct Segment {
  std::int64_t number = 0;  // 1-based in the file
  std::int64_t byte = 0;    // where it starts
  std::vector<std::string_view> elements;

  std::string_view id() const { return elements.front(); }
  /// Element by its X12 position, without blanks around it: at(1) of CLM is CLM01. Empty when absent.
  std::string_view at(std::size_t position) const;
};

/// "... (segment 12 CLM, byte 345)"
std::string message_at(const Segment& segment, const std::string& problem);
tideover::sdk::Fault fault_at(const Segment& segment, const std::string& problem);

class SegmentReader {
 public:
  /// Throws Fault(INVALID_INPUT) when the bytes start with neither ISA, GS nor ST.
  explicit SegmentReader(tideover::sdk::ByteSource source);
  /// The next segment, or false behind the last one. Throws when the file ends inside a segment.
  bool next(Segment& segment);
  bool has_envelope() const { return has_envelope_; }
  char component() const { return component_; }

 private:
  bool holds(std::size_t count);
  void skip_blanks();
  void read_delimiters(const Segment& here);
  std::size_t find_terminator();

  claim_rows::ByteBuffer buffer_;
  std::string text_;  // of the current segment
  std::int64_t number_ = 0;
  char element_ = '*';
  char component_ = ':';
  char terminator_ = '~';
  bool has_envelope_ = false;
};

}  // namespace x12_837
