// Cuts the bytes of an interchange into segments and elements. Delimiters come from each ISA (element separator at byte
// 3, component separator ISA16, segment terminator behind it); a file without envelope is read with what its ST shows.
// A segment is at most kLongestSegment bytes long: whatever the file is, no more of it is looked at or kept at a time.
// One thread at a time; segments are views of the input.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tideover/remittance_format.hpp"

namespace x12_835 {

inline constexpr std::size_t kLongestSegment = 16 * 1024;

/// Where a segment stands; messages end with it.
struct Position {
  std::int64_t number = 0;  // 1-based in the file
  std::int64_t byte = 0;    // where it starts
  std::string_view id;
};

struct Segment {
  std::int64_t number = 0;
  std::int64_t byte = 0;
  std::vector<std::string_view> elements;  // elements[0] is the segment id; trailing blanks kept

  std::string_view id() const { return elements.front(); }
  Position position() const { return {number, byte, id()}; }
  /// Element by its X12 position: at(1) of CLP is CLP01. Empty when absent.
  std::string_view at(std::size_t position) const {
    return position < elements.size() ? elements[position] : std::string_view{};
  }
};

/// "... (segment 12 SVC, byte 345)"
std::string message_at(const Position& position, const std::string& problem);
tideover::sdk::Fault fault_at(const Position& position, const std::string& problem,
                              tideover_fault_code code = TIDEOVER_FAULT_INVALID_INPUT);
inline tideover::sdk::Fault fault_at(const Segment& segment, const std::string& problem,
                                     tideover_fault_code code = TIDEOVER_FAULT_INVALID_INPUT) {
  return fault_at(segment.position(), problem, code);
}

class SegmentReader {
 public:
  /// Throws Fault(INVALID_INPUT) when the bytes start with neither ISA, GS nor ST.
  explicit SegmentReader(std::string_view bytes);
  /// The next segment, or false behind the last one. Throws when the file ends inside a segment.
  bool next(Segment& segment);
  bool has_envelope() const { return has_envelope_; }
  /// The latest ISA was not padded to its fixed width.
  bool has_trimmed_isa() const { return has_trimmed_isa_; }
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
  bool has_trimmed_isa_ = false;
};

}  // namespace x12_835
