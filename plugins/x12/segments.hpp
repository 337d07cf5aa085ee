// Splits a byte stream into X12 segments and elements. README.md lists the deviations that are accepted. Delimiters
// come from each ISA; a file without envelope uses those of its first segment. At most one segment of kLongestSegment
// bytes is kept at a time. One thread at a time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "claim_rows/byte_buffer.hpp"

namespace x12 {

inline constexpr std::size_t kLongestSegment = std::size_t{16} * 1024;

/// The position of a segment, which messages end with.
struct Position {
  std::int64_t number = 0;  // 1-based in the file
  std::int64_t byte = 0;    // where it starts
  std::string id{};
};

/// A segment with its own text, without line breaks.
class Segment {
 public:
  Segment() = default;
  Segment(Position position, std::string text, char separator);

  const Position& position() const { return position_; }
  std::int64_t number() const { return position_.number; }
  std::string_view id() const { return position_.id; }
  /// Number of elements, the id included.
  std::size_t size() const { return ends_.size(); }
  /// Element by its X12 position, without surrounding blanks: at(1) of CLP is CLP01. Empty when absent. Valid as long
  /// as this object.
  std::string_view at(std::size_t position) const;

 private:
  Position position_;
  std::string text_;
  std::vector<std::size_t> ends_;  // of each element in text_
};

/// "... (segment 12 SVC, byte 345)"
std::string message_at(const Position& position, const std::string& problem);
tideover::sdk::Fault fault_at(const Position& position, const std::string& problem,
                              tideover_fault_code code = TIDEOVER_FAULT_INVALID_INPUT);
inline std::string message_at(const Segment& segment, const std::string& problem) {
  return message_at(segment.position(), problem);
}
inline tideover::sdk::Fault fault_at(const Segment& segment, const std::string& problem,
                                     tideover_fault_code code = TIDEOVER_FAULT_INVALID_INPUT) {
  return fault_at(segment.position(), problem, code);
}

class SegmentReader {
 public:
  /// `transaction` is the expected content of the file ("835"). Throws Fault(INVALID_INPUT) when the bytes start with
  /// neither ISA, GS nor ST.
  SegmentReader(tideover::sdk::ByteSource source, const char* transaction);
  /// The next segment, or false after the last one. Throws when the file ends inside a segment.
  bool next(Segment& segment);
  bool has_envelope() const { return has_envelope_; }
  char component() const { return component_; }
  /// A deviation of the latest ISA; empty when there is none.
  const std::string& isa_problem() const { return isa_problem_; }
  /// Position of data after the last IEA that is not X12.
  const std::optional<Position>& surplus() const { return surplus_; }

 private:
  bool holds(std::size_t count);
  void skip_filler();
  bool begins_isa();
  bool begins_segment();
  void take_surplus();
  void read_delimiters(const Position& here);
  std::size_t find_terminator();

  claim_rows::ByteBuffer buffer_;
  std::int64_t number_ = 0;
  char element_ = '*';
  char component_ = ':';
  char terminator_ = '~';
  bool has_envelope_ = false;
  bool is_behind_iea_ = false;
  std::string isa_control_;  // ISA13
  std::string isa_problem_;
  std::optional<Position> surplus_;
};

}  // namespace x12
