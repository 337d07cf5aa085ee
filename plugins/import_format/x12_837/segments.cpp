#include "segments.hpp"

#include <algorithm>

#include "x12_835/elements.hpp"

namespace x12_837 {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kIsaLength = 106;  // with its terminator
constexpr std::size_t kIsaSeparators = 16;

bool is_letter_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_line_break(char c) { return c == '\n' || c == '\r'; }

}  // namespace

std::string_view Segment::at(std::size_t position) const {
  return position < elements.size() ? x12_835::trim(elements[position]) : std::string_view{};
}

std::string message_at(const Segment& segment, const std::string& problem) {
  return problem + " (segment " + std::to_string(segment.number) + ' ' + x12_835::printable(segment.id().substr(0, 3)) + ", byte " +
         std::to_string(segment.byte) + ")";
}

sdk::Fault fault_at(const Segment& segment, const std::string& problem) {
  return sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, message_at(segment, problem)).at_segment(segment.number, segment.byte);
}

SegmentReader::SegmentReader(sdk::ByteSource source) : buffer_(source) {
  buffer_.start();
  skip_blanks();
  holds(kLongestSegment);  // all that is looked at, however the bytes come in
  const auto head = buffer_.unread().substr(0, kLongestSegment);
  has_envelope_ = head.substr(0, 3) == "ISA";
  if (has_envelope_) return;
  if ((head.substr(0, 2) != "ST" && head.substr(0, 2) != "GS") || head.size() < 3 || is_letter_or_digit(head[2]))
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                     "this is no X12 837: it must start with ISA, GS or ST, in ASCII (byte " + std::to_string(buffer_.offset()) + ")")
        .at_segment(1, buffer_.offset());
  element_ = head[2];
  terminator_ = head.find('~') == std::string_view::npos ? '\n' : '~';
}

bool SegmentReader::holds(std::size_t count) {
  while (buffer_.unread().size() < count)
    if (!buffer_.fill()) return false;
  return true;
}

void SegmentReader::skip_blanks() {
  while (holds(1)) {
    const auto blanks = std::min(buffer_.unread().find_first_not_of("\r\n\t "), buffer_.unread().size());
    if (blanks == 0) return;
    buffer_.consume(blanks);
  }
}

/// At an ISA: what stands behind its sixteenth separator gives the delimiters of what follows. Padded as it should be that is
/// byte 104; some senders trim the blanks.
void SegmentReader::read_delimiters(const Segment& here) {
  const auto isa = buffer_.unread().substr(0, kIsaLength);
  element_ = isa.size() > 3 ? isa[3] : '\0';
  std::size_t separator = 3;
  for (std::size_t found = 1; found < kIsaSeparators && separator < isa.size(); ++found) separator = isa.find(element_, separator + 1);
  if (separator >= isa.size() || separator + 2 >= isa.size())
    throw fault_at(here, isa.size() < kIsaLength ? "the file is cut inside its ISA segment" : "the ISA segment does not have its 16 elements in 106 bytes");
  component_ = isa[separator + 1];
  terminator_ = isa[separator + 2];
  const bool is_legal = !is_letter_or_digit(element_) && !is_letter_or_digit(terminator_) && terminator_ != '\0' && element_ != terminator_ &&
                        element_ != component_;
  if (!is_legal) throw fault_at(here, "the delimiters that the ISA segment shows cannot be");
}

/// Its place in the unread bytes; npos when the file ends first, kLongestSegment + 1 or more when it is too far away.
std::size_t SegmentReader::find_terminator() {
  for (std::size_t searched = 0;;) {
    const auto at = buffer_.unread().find(terminator_, searched);
    if (at != std::string_view::npos) return at;
    searched = buffer_.unread().size();
    if (searched > kLongestSegment) return searched;
    if (!buffer_.fill()) return std::string_view::npos;
  }
}

bool SegmentReader::next(Segment& segment) {
  skip_blanks();
  if (!holds(1)) return false;
  holds(kIsaLength);  // before `segment` views the buffer: reading on moves it
  segment.number = ++number_;
  segment.byte = buffer_.offset();
  segment.elements.assign(1, buffer_.unread().substr(0, 3));
  if (segment.id() == "ISA") read_delimiters(segment);

  const std::size_t length = find_terminator();
  segment.elements.assign(1, buffer_.unread().substr(0, 3));
  if (length != std::string_view::npos && length > kLongestSegment)
    throw fault_at(segment, "a segment is longer than " + std::to_string(kLongestSegment) + " bytes");
  text_.assign(buffer_.unread().substr(0, length));
  buffer_.consume(length == std::string_view::npos ? text_.size() : length + 1);
  while (!text_.empty() && is_line_break(text_.back())) text_.pop_back();
  segment.elements = x12_835::split(text_, element_);
  // Where lines end segments, the last line break is often missing; SE still proves itself by its control number.
  const bool may_end_open = terminator_ == '\n' && segment.id() == "SE";
  if (length == std::string_view::npos && !may_end_open) throw fault_at(segment, "the file is cut inside a segment");
  return true;
}

}  // namespace x12_837
