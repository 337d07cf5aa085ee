// Writes X12 interchanges of release 5010: delimiters * ~ : ^, one segment per line.
//
//   std::string text;
//   tideover::sdk::X12Writer out(text);
//   out.interchange({{"ZZ", "SENDER"}, {"ZZ", "RECEIVER"}, now_ms, number, false});
//   out.segment({"GS", "HP", "SENDER", "RECEIVER", out.day(now_ms), out.time(now_ms), "1", "X", "005010X221A1"});
//   ...
//   out.end_interchange(1, number);
#pragma once
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace tideover::sdk {

/// A value for one element: printable ASCII without delimiters and without blanks around it, at most `longest` bytes.
/// Other bytes become "?", delimiters become blanks.
inline std::string x12_text(std::string_view text, std::size_t longest = 80) {
  std::string value(text.substr(0, longest));
  for (char& c : value) {
    if (c == '*' || c == '~' || c == ':' || c == '^') c = ' ';
    if (c < ' ' || c > '~') c = '?';
  }
  const auto first = value.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return value.substr(first, value.find_last_not_of(' ') - first + 1);
}

struct X12Party {
  std::string qualifier;
  std::string id;
};

struct X12Interchange {
  X12Party sender;
  X12Party receiver;
  std::int64_t at_ms = 0;  // since 1970, UTC
  std::int64_t number = 0;
  bool is_test = false;
};

class X12Writer {
 public:
  explicit X12Writer(std::string& out) : out_(out) {}

  /// Empty elements at the end are left out.
  void segment(const std::vector<std::string>& elements) {
    std::size_t count = elements.size();
    while (count > 1 && elements[count - 1].empty()) --count;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_ += '*';
      out_ += elements[i];
    }
    out_ += "~\n";
    ++segments_;
  }
  /// Segments so far.
  int segments() const { return segments_; }

  /// ISA.
  void interchange(const X12Interchange& header) {
    segment({"ISA", "00", padded("", 10), "00", padded("", 10), padded(x12_text(header.sender.qualifier, 2), 2),
             padded(x12_text(header.sender.id, 15), 15), padded(x12_text(header.receiver.qualifier, 2), 2),
             padded(x12_text(header.receiver.id, 15), 15), formatted(header.at_ms, "%y%m%d"), time(header.at_ms), "^",
             "00501", control(header.number), "0", header.is_test ? "T" : "P", ":"});
  }
  /// IEA. `groups`: functional groups of the interchange.
  void end_interchange(std::size_t groups, std::int64_t number) {
    segment({"IEA", std::to_string(groups), control(number)});
  }

  static std::string padded(std::string text, std::size_t width) {
    text.resize(width, ' ');
    return text;
  }
  /// CCYYMMDD, HHMM.
  static std::string day(std::int64_t ms) { return formatted(ms, "%Y%m%d"); }
  static std::string time(std::int64_t ms) { return formatted(ms, "%H%M"); }

 private:
  static std::string control(std::int64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "%09lld", static_cast<long long>(number));
    return text;
  }
  static std::string formatted(std::int64_t ms, const char* format) {
    const std::time_t seconds = ms / 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, format, &parts);
    return text;
  }

  std::string& out_;
  int segments_ = 0;
};

}  // namespace tideover::sdk
