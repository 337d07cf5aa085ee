// Cuts the bytes of an interchange into segments and elements. Delimiters come from each ISA (element separator at byte
// 3, component separator ISA16, segment terminator behind it); a file without envelope is read with what its ST shows.
// One thread at a time; segments are views of the input.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tideover/remittance_format.hpp"

namespace x12_835 {

struct Segment {
  std::int64_t number = 0;  // 1-based in the file
  std::int64_t byte = 0;    // where it starts
  std::vector<std::string_view> elements;  // elements[0] is the segment id; trailing blanks kept

  std::string_view id() const { return elements.front(); }
  /// Element by its X12 position: at(1) of CLP is CLP01. Empty when absent.
  std::string_view at(std::size_t position) const {
    return position < elements.size() ? elements[position] : std::string_view{};
  }
};

/// A fault at this segment: "... (segment 12 SVC, byte 345)".
tideover::sdk::Fault fault_at(const Segment& segment, const std::string& problem);

class SegmentReader {
 public:
  /// Throws Fault(INVALID_INPUT) when the bytes start with neither ISA, GS nor ST.
  explicit SegmentReader(std::string_view bytes);
  /// The next segment, or false behind the last one. Throws when the file ends inside a segment.
  bool next(Segment& segment);
  bool has_envelope() const { return has_envelope_; }
  char component() const { return component_; }

 private:
  void read_delimiters();
  void skip_line_breaks();

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::int64_t number_ = 0;
  char element_ = '*';
  char component_ = ':';
  char terminator_ = '~';
  bool has_envelope_ = false;
};

}  // namespace x12_835
