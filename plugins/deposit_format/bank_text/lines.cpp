#include "bank_text/lines.hpp"

#include <algorithm>

namespace bank_text {
namespace {

/// Lines between checks of the deadline.
constexpr std::int64_t kLinesPerLook = 1024;

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

}  // namespace

LineReader::LineReader(std::string_view bytes, const tideover::sdk::Deadline& deadline)
    : rest_(bytes), deadline_(deadline) {
  if (begins_with(rest_, "\xFF\xFE") || begins_with(rest_, "\xFE\xFF"))
    throw fault_at(1, "the file is UTF-16; save it as plain text (ASCII or UTF-8)");
  if (begins_with(rest_, "\xEF\xBB\xBF")) rest_.remove_prefix(3);
  while (!rest_.empty() && (rest_.back() == '\0' || rest_.back() == '\x1A'))
    rest_.remove_suffix(1);  // padding and the end mark (Ctrl-Z) of old editors
  if (const auto nul = rest_.find('\0'); nul != std::string_view::npos)
    throw fault_at(1 + std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(nul), '\n'),
                   "the line has a NUL byte: the file is damaged or not plain text");
}

bool LineReader::next(Line& line) {
  while (!rest_.empty()) {
    const auto end = rest_.find_first_of("\r\n");
    line = {++number_, rest_.substr(0, end), end != std::string_view::npos};
    if (number_ % kLinesPerLook == 0 && deadline_.expired())
      throw tideover::sdk::Fault(TIDEOVER_FAULT_DEADLINE, "the time limit for reading this file was exceeded");
    if (end == std::string_view::npos)
      rest_ = {};
    else
      rest_.remove_prefix(end + (rest_.substr(end, 2) == "\r\n" ? 2 : 1));
    if (line.text.find_first_not_of(" \t\x1A") != std::string_view::npos) return true;
  }
  return false;
}

tideover::sdk::Fault fault_at(std::int64_t line, const std::string& problem) {
  return tideover::sdk::Fault(TIDEOVER_FAULT_INVALID_INPUT, "line " + std::to_string(line) + ": " + problem)
      .at_line(line);
}

}  // namespace bank_text
