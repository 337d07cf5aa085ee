#include "segments.hpp"

#include <string>

#include "elements.hpp"

namespace x12_835 {
namespace {

namespace sdk = tideover::sdk;

constexpr std::size_t kIsaLength = 106;  // with its terminator
constexpr std::size_t kIsaComponent = 104;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_letter_or_digit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_line_break(char c) { return c == '\n' || c == '\r'; }

}  // namespace

sdk::Fault fault_at(const Segment& segment, const std::string& problem) {
  return sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, problem + " (segment " + std::to_string(segment.number) + " " +
                                                      printable(segment.id().substr(0, 3)) + ", byte " +
                                                      std::to_string(segment.byte) + ")")
      .at_segment(segment.number, segment.byte);
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
                     "this is no X12 835: it must start with ISA, GS or ST (byte " + std::to_string(at_) + ")")
        .at_segment(1, static_cast<std::int64_t>(at_));
  element_ = rest[2];
  terminator_ = rest.find('~') == std::string_view::npos ? '\n' : '~';
}

/// At an ISA: its fixed width gives the delimiters of what follows.
void SegmentReader::read_delimiters() {
  const auto isa = bytes_.substr(at_, kIsaLength);
  const auto problem = [&](const std::string& what) {
    return sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, what + " (segment " + std::to_string(number_) + " ISA, byte " +
                                                        std::to_string(at_) + ")")
        .at_segment(number_, static_cast<std::int64_t>(at_));
  };
  if (isa.size() < kIsaLength) throw problem("the file is cut inside its ISA segment");
  element_ = isa[3];
  component_ = isa[kIsaComponent];
  terminator_ = isa[kIsaLength - 1];
  const bool is_fixed_width = isa[kIsaComponent - 1] == element_ && isa[6] == element_ && isa[17] == element_;
  if (!is_fixed_width || is_letter_or_digit(element_) || is_letter_or_digit(terminator_))
    throw problem("the ISA segment does not have its fixed width of 106 bytes");
}

void SegmentReader::skip_line_breaks() {
  while (at_ < bytes_.size() && (is_line_break(bytes_[at_]) || bytes_[at_] == ' ' || bytes_[at_] == '\t')) ++at_;
}

bool SegmentReader::next(Segment& segment) {
  skip_line_breaks();
  if (at_ >= bytes_.size()) return false;
  ++number_;
  if (bytes_.substr(at_, 3) == "ISA") read_delimiters();

  const std::size_t end = bytes_.find(terminator_, at_);
  auto text = bytes_.substr(at_, end == std::string_view::npos ? end : end - at_);
  segment.number = number_;
  segment.byte = static_cast<std::int64_t>(at_);
  segment.elements.clear();
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
