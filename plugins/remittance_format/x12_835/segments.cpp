#include "segments.hpp"

#include <algorithm>
#include <string>

#include "elements.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kIsaLength = 106;  // with its terminator
constexpr std::size_t kIsaSeparators = 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_letter_or_digit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// By its byte order mark, or by the zero byte beside the first letter.
bool is_utf16(std::string_view bytes) {
  const auto start = bytes.substr(0, 2);
  return start == "\xFF\xFE" || start == "\xFE\xFF" || (start.size() == 2 && (start[0] == '\0') != (start[1] == '\0'));
}

bool is_line_break(char c) { return c == '\n' || c == '\r'; }

}  // namespace

std::string message_at(const Position& position, const std::string& problem) {
  return problem + " (segment " + std::to_string(position.number) + " " + printable(position.id.substr(0, 3)) + ", byte " +
         std::to_string(position.byte) + ")";
}

sdk::Fault fault_at(const Position& position, const std::string& problem, tideover_fault_code code) {
  return sdk::Fault(code, message_at(position, problem)).at_segment(position.number, position.byte);
}

SegmentReader::SegmentReader(std::string_view bytes) : bytes_(bytes) {
  if (bytes_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
  while (at_ < bytes_.size() && (is_line_break(bytes_[at_]) || bytes_[at_] == ' ' || bytes_[at_] == '\t')) ++at_;
  const auto rest = bytes_.substr(at_);
  const auto id = rest.substr(0, 2);
  has_envelope_ = rest.substr(0, 3) == "ISA";
  if (has_envelope_) return;
  if ((id != "ST" && id != "GS") || rest.size() < 3 || is_letter_or_digit(rest[2]))
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                     std::string("this is no X12 835: it must start with ISA, GS or ST") +
                         (is_utf16(bytes_) ? ", in ASCII; these bytes look like UTF-16" : "") + " (byte " +
                         std::to_string(at_) + ")")
        .at_segment(1, static_cast<std::int64_t>(at_));
  element_ = rest[2];
  terminator_ = rest.substr(0, kLongestSegment).find('~') == std::string_view::npos ? '\n' : '~';
}

/// At an ISA: what stands behind its sixteenth separator gives the delimiters of what follows. Padded as it should be that
/// is byte 104; some senders trim the blanks.
void SegmentReader::read_delimiters() {
  const auto isa = bytes_.substr(at_, kIsaLength);
  const Position here{number_, static_cast<std::int64_t>(at_), isa.substr(0, 3)};
  element_ = isa.size() > 3 ? isa[3] : '\0';
  std::size_t separator = 3;
  for (std::size_t found = 1; found < kIsaSeparators && separator < isa.size(); ++found)
    separator = isa.find(element_, separator + 1);
  const bool is_cut = separator >= isa.size() || separator + 2 >= isa.size();
  if (is_cut)
    throw fault_at(here, isa.size() < kIsaLength ? "the file is cut inside its ISA segment"
                                                 : "the ISA segment does not have its 16 elements in 106 bytes");
  component_ = isa[separator + 1];
  terminator_ = isa[separator + 2];
  has_trimmed_isa_ = separator + 3 != kIsaLength;
  const bool is_legal = !is_letter_or_digit(element_) && !is_letter_or_digit(terminator_) && terminator_ != '\0' &&
                        element_ != terminator_ && element_ != component_;
  if (!is_legal) throw fault_at(here, "the delimiters that the ISA segment shows cannot be");
}

void SegmentReader::skip_line_breaks() {
  while (at_ < bytes_.size() && (is_line_break(bytes_[at_]) || bytes_[at_] == ' ' || bytes_[at_] == '\t')) ++at_;
}

bool SegmentReader::next(Segment& segment) {
  skip_line_breaks();
  if (at_ >= bytes_.size()) return false;
  ++number_;
  if (bytes_.substr(at_, 3) == "ISA") read_delimiters();

  const std::size_t length = bytes_.substr(at_, kLongestSegment + 1).find(terminator_);
  const std::size_t end = length == std::string_view::npos ? length : at_ + length;
  auto text = bytes_.substr(at_, std::min(length, kLongestSegment + 1));
  segment.number = number_;
  segment.byte = static_cast<std::int64_t>(at_);
  segment.elements.clear();
  if (text.size() > kLongestSegment) {
    segment.elements.push_back(text.substr(0, 3));
    throw fault_at(segment, "a segment is longer than " + std::to_string(kLongestSegment) + " bytes");
  }
  at_ = end == std::string_view::npos ? bytes_.size() : end + 1;
  while (!text.empty() && is_line_break(text.back())) text.remove_suffix(1);
  for (;;) {
    const std::size_t separator = text.find(element_);
    segment.elements.push_back(text.substr(0, separator));
    if (separator == std::string_view::npos) break;
    text.remove_prefix(separator + 1);
  }
  // Where lines end segments, the last line break is often missing; SE still proves itself by its control number.
  const bool may_end_open = terminator_ == '\n' && segment.id() == "SE";
  if (end == std::string_view::npos && !may_end_open) throw fault_at(segment, "the file is cut inside a segment");
  return true;
}

}  // namespace x12_835
