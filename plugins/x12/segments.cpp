#include "x12/segments.hpp"

#include <algorithm>

#include "x12/elements.hpp"

namespace x12 {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kIsaLength = 106;  // with its terminator
constexpr std::size_t kIsaSeparators = 16;
constexpr std::size_t kIsaWindow = 1024;  // the ISA with line breaks, and the segment after it
constexpr std::size_t kIsaBeginning = 7;  // "ISA*00*"
constexpr std::size_t kLongestId = 4;     // one more than a name has
constexpr std::size_t kLongestFiller = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_letter_or_digit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_digit(c);
}
bool is_line_break(char c) {
  return c == '\n' || c == '\r';
}
/// Blanks, line breaks, padding and the end mark (Ctrl-Z) of old editors.
bool is_filler(char c) {
  return c == ' ' || c == '\t' || is_line_break(c) || c == '\0' || c == '\x1A';
}

/// Detected by the zero byte next to the first letter.
bool is_utf16(std::string_view bytes) {
  return bytes.size() >= 2 && (bytes[0] == '\0') != (bytes[1] == '\0');
}

/// "ISA*00*" at the front, whatever the separator.
bool is_isa_beginning(std::string_view text) {
  return text.size() >= kIsaBeginning && text.substr(0, 3) == "ISA" && !is_letter_or_digit(text[3]) &&
         is_digit(text[4]) && is_digit(text[5]) && text[6] == text[3];
}

/// An ISA after the start of a segment means that the file was truncated there and another one was appended.
bool holds_isa(std::string_view text) {
  for (auto at = text.find("ISA", 1); at != std::string_view::npos; at = text.find("ISA", at + 1))
    if (is_isa_beginning(text.substr(at))) return true;
  return false;
}

struct Delimiters {
  char component = '\0', terminator = '\0';
  bool has_component = true;
};

/// `behind` starts after the separator of ISA16 and contains the next segment. A mark is neither letter, digit nor
/// blank; blanks and, in wrapped lines, line breaks may be in between. nullopt when the bytes end first.
std::optional<Delimiters> delimiters_in(std::string_view behind) {
  std::string marks;
  char line_break = '\0';
  bool is_mark_first = false;
  std::size_t at = 0;
  for (; at < behind.size() && !is_letter_or_digit(behind[at]); ++at) {
    const char c = behind[at];
    if (is_line_break(c) && line_break == '\0') {
      line_break = c;
      is_mark_first = !marks.empty();
    }
    if (!is_line_break(c) && c != ' ' && c != '\t') marks += c;
  }
  if (marks.size() >= 2) return Delimiters{marks[0], marks[1], true};
  if (at == behind.size() && line_break == '\0') return std::nullopt;
  if (marks.empty()) return line_break == '\0' ? std::nullopt : std::optional(Delimiters{':', line_break, false});
  if (line_break == '\0' || !is_mark_first) return Delimiters{':', marks[0], false};
  // Either ":" with a line break as segment terminator, or "~" as terminator: the next segment, which has no
  // components, decides.
  const auto next = behind.substr(at);
  const auto end = std::min(next.find_first_of("\r\n"), next.size());
  if (next.substr(0, end).find(marks[0]) != std::string_view::npos) return Delimiters{':', marks[0], false};
  return Delimiters{marks[0], line_break, true};
}

}  // namespace

Segment::Segment(Position position, std::string text, char separator)
    : position_(std::move(position)), text_(std::move(text)) {
  for (std::size_t at = text_.find(separator); at != std::string::npos; at = text_.find(separator, at + 1))
    ends_.push_back(at);
  ends_.push_back(text_.size());
  position_.id = at(0).substr(0, kLongestId);
}

std::string_view Segment::at(std::size_t position) const {
  if (position >= ends_.size()) return {};
  const std::size_t from = position == 0 ? 0 : ends_[position - 1] + 1;
  return trim(std::string_view(text_).substr(from, ends_[position] - from));
}

std::string message_at(const Position& position, const std::string& problem) {
  const auto id = printable(position.id.substr(0, 3));
  return problem + " (segment " + std::to_string(position.number) + (id.empty() ? "" : " ") + id + ", byte " +
         std::to_string(position.byte) + ")";
}

sdk::Fault fault_at(const Position& position, const std::string& problem, tideover_fault_code code) {
  return sdk::Fault(code, message_at(position, problem)).at_segment(position.number, position.byte);
}

SegmentReader::SegmentReader(sdk::ByteSource source, const char* transaction) : buffer_(source) {
  try {
    buffer_.start();
  } catch (sdk::Fault& fault) {
    throw std::move(fault).at_segment(1, 0);
  }
  skip_filler();
  holds(kLongestSegment);  // the bytes are checked together, however they arrive
  const auto head = buffer_.unread().substr(0, kLongestSegment);
  has_envelope_ = head.substr(0, 3) == "ISA";
  if (has_envelope_) return;
  if ((head.substr(0, 2) != "ST" && head.substr(0, 2) != "GS") || head.size() < 3 || is_letter_or_digit(head[2]))
    throw sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT,
                     std::string("this is not an X12 ") + transaction + ": it must start with ISA, GS or ST" +
                         (is_utf16(head) ? ", in ASCII; these bytes look like UTF-16" : "") + " (byte " +
                         std::to_string(buffer_.offset()) + ")")
        .at_segment(1, buffer_.offset());
  element_ = head[2];
  const char line_break =
      head.find('\n') == std::string_view::npos && head.find('\r') != std::string_view::npos ? '\r' : '\n';
  terminator_ = head.find('~') == std::string_view::npos ? line_break : '~';
}

bool SegmentReader::holds(std::size_t count) {
  while (buffer_.unread().size() < count)
    if (!buffer_.fill()) return false;
  return true;
}

/// Also skips a doubled terminator, and the byte order mark of an appended file.
void SegmentReader::skip_filler() {
  const auto from = buffer_.offset();
  const auto is_passed_over = [&](char c) { return is_filler(c) || (c == terminator_ && number_ > 0); };
  while (holds(1)) {
    const auto text = buffer_.unread();
    const auto length =
        static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_passed_over) - text.begin());
    buffer_.consume(length);
    if (static_cast<std::size_t>(buffer_.offset() - from) > kLongestFiller)
      throw fault_at({number_ + 1, from, {}},
                     "more than " + std::to_string(kLongestFiller) + " bytes of padding in a row");
    if (length < text.size()) {
      if (!holds(kByteOrderMark.size()) || buffer_.unread().substr(0, kByteOrderMark.size()) != kByteOrderMark) return;
      buffer_.consume(kByteOrderMark.size());
    }
  }
}

bool SegmentReader::begins_isa() {
  return holds(4) && buffer_.unread().substr(0, 3) == "ISA" && !is_letter_or_digit(buffer_.unread()[3]);
}

/// Two or three letters and digits, and a separator.
bool SegmentReader::begins_segment() {
  holds(4);
  const auto text = buffer_.unread().substr(0, 4);
  const auto end = std::min(text.find(element_), text.size());
  return (end == 2 || end == 3) &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), is_letter_or_digit);
}

/// To the end of the file. Data that could hide another interchange is refused.
void SegmentReader::take_surplus() {
  const Position here{number_ + 1, buffer_.offset(), {}};
  surplus_ = here;
  while (holds(kIsaBeginning)) {
    const auto at = buffer_.unread().find("ISA");
    if (at == std::string_view::npos) {
      buffer_.consume(buffer_.unread().size() - 2);
      continue;
    }
    buffer_.consume(at);
    if (holds(kIsaBeginning) && is_isa_beginning(buffer_.unread()))
      throw fault_at(here, "there is data that is not X12 between two interchanges");
    buffer_.consume(3);
  }
}

/// At an ISA. Its elements are counted, since some senders remove blanks or wrap lines.
void SegmentReader::read_delimiters(const Position& here) {
  holds(kIsaWindow);
  const auto raw = buffer_.unread().substr(0, kIsaWindow);
  element_ = raw.size() > 3 ? raw[3] : '\0';
  std::vector<std::size_t> separators;
  std::size_t width = 0, last_width = 0;  // without line breaks
  for (std::size_t at = 0; at < raw.size() && width < kIsaLength && separators.size() < kIsaSeparators; ++at) {
    if (is_line_break(raw[at])) continue;
    ++width;
    if (raw[at] != element_) continue;
    separators.push_back(at);
    last_width = width;
  }
  const bool is_cut = raw.size() < kIsaLength;
  const auto refuse = [&] {
    throw fault_at(here, is_cut ? "the file is truncated inside its ISA segment"
                                : "the ISA segment does not have its 16 elements in 106 bytes");
  };
  if (separators.size() + 1 < kIsaSeparators) refuse();
  // ISA15 is one character. If it is longer, its separator is missing, and the sixteenth element belongs to the next
  // segment.
  const std::size_t usage_from = separators[kIsaSeparators - 2] + 1;
  const std::size_t usage_to = separators.size() == kIsaSeparators ? separators.back() : raw.size();
  std::size_t usage_size = 0, usage_at = usage_from;
  for (std::size_t at = usage_from; at < usage_to; ++at) {
    if (is_filler(raw[at])) continue;
    if (++usage_size == 1) usage_at = at;
  }
  const bool has_separator = separators.size() == kIsaSeparators && usage_size <= 1;
  if (!has_separator && usage_size == 0) refuse();
  const auto behind = raw.substr((has_separator ? separators.back() : usage_at) + 1);
  if (!has_separator && !behind.empty() && behind.front() == element_) refuse();
  const auto found = delimiters_in(behind);
  if (!found) refuse();
  component_ = found->component;
  terminator_ = found->terminator;
  isa_problem_ = !has_separator || !found->has_component ? "the ISA has no ISA16 (component separator); : is used"
                 : last_width + 2 != kIsaLength          ? "the ISA is not padded to its 106 bytes"
                                                         : "";
  const bool is_legal = !is_letter_or_digit(element_) && !is_letter_or_digit(terminator_) && terminator_ != '\0' &&
                        element_ != terminator_ && element_ != component_;
  if (!is_legal) throw fault_at(here, "the delimiters of the ISA segment are not valid");
}

/// Its offset in the unread bytes; npos when the file ends first, kLongestSegment + 1 or more when it is too far away.
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
  skip_filler();
  if (!holds(1)) return false;
  if (is_behind_iea_ && !begins_isa() && !begins_segment()) {
    take_surplus();
    return false;
  }
  holds(3);
  const Position here{++number_, buffer_.offset(), std::string(buffer_.unread().substr(0, 3))};
  if (begins_isa() || (has_envelope_ && number_ == 1)) read_delimiters(here);

  const std::size_t length = find_terminator();
  const bool is_open = length == std::string_view::npos;
  if (!is_open && length > kLongestSegment)
    throw fault_at(here, "a segment is longer than " + std::to_string(kLongestSegment) + " bytes");
  std::string text(buffer_.unread().substr(0, length));
  buffer_.consume(is_open ? text.size() : length + 1);
  while (is_open && is_filler(text.back())) text.pop_back();  // the text does not start with filler
  text.erase(std::remove_if(text.begin(), text.end(),
                            [&](char c) { return is_line_break(c) && c != element_ && c != component_; }),
             text.end());
  if (holds_isa(text)) throw fault_at(here, "the file is truncated inside a segment: another ISA starts there");
  segment = Segment(here, std::move(text), element_);
  const bool is_isa = segment.id() == "ISA", is_iea = segment.id() == "IEA";
  if (is_isa) isa_control_ = segment.at(13);
  is_behind_iea_ = is_iea && has_envelope_;
  // With line breaks as terminators, the last line break is often missing; SE and IEA are still verified by their
  // control numbers.
  const bool is_whole_iea = is_iea && !isa_control_.empty() && segment.at(2) == isa_control_;
  const bool may_end_open = is_line_break(terminator_) && (segment.id() == "SE" || is_whole_iea);
  if (is_open && !may_end_open) throw fault_at(here, "the file is truncated inside a segment");
  return true;
}

}  // namespace x12
