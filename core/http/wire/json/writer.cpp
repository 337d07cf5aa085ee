#include "core/http/wire/json/writer.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "core/domain/basics/text.hpp"

namespace tideover::json {

namespace {

/// By byte: true for bytes that a string contains unescaped.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

bool is_plain(char c) {
  return kPlain[static_cast<unsigned char>(c)];
}

constexpr std::uint64_t each_byte(unsigned char byte) {
  return std::uint64_t{0x0101'0101'0101'0101} * byte;
}
/// True when one of eight bytes is below `limit`, which is at most 0x80.
constexpr bool has_below(std::uint64_t bytes, unsigned char limit) {
  return ((bytes - each_byte(limit)) & ~bytes & each_byte(0x80)) != 0;
}

bool are_plain(const char* eight) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, eight, sizeof bytes);
  return (bytes & each_byte(0x80)) == 0 && !has_below(bytes, 0x20) && !has_below(bytes ^ each_byte('"'), 1) &&
         !has_below(bytes ^ each_byte('\\'), 1);
}

void append_control(std::string& out, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    default:
      out.append("\\u00").append(1, kHex[(c >> 4) & 0xF]).append(1, kHex[c & 0xF]);
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t plain_end = at;
    while (text.size() - plain_end >= 8 && are_plain(text.data() + plain_end)) plain_end += 8;
    while (plain_end < text.size() && is_plain(text[plain_end])) ++plain_end;
    out.append(text, at, plain_end - at);
    at = plain_end;
    if (at == text.size()) break;

    const char c = text[at];
    if (c == '"' || c == '\\') {
      out.append(1, '\\').append(1, c);
      ++at;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      append_control(out, c);
      ++at;
    } else if (const std::size_t length = domain::utf8_length(text.substr(at)); length != 0) {
      out.append(text, at, length);
      at += length;
    } else {
      out.append("\xEF\xBF\xBD");
      ++at;
    }
  }
  out.push_back('"');
}

void append_integer(std::string& out, std::uint64_t value) {
  char digits[20];
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end);
}

/// Number of digits without the sign; also correct for the smallest value.
std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

}  // namespace

void Writer::before_value() {
  if (comma_) out_.push_back(',');
  comma_ = true;
}

Writer& Writer::begin_object() {
  before_value();
  out_.push_back('{');
  comma_ = false;
  return *this;
}

Writer& Writer::end_object() {
  out_.push_back('}');
  comma_ = true;
  return *this;
}

Writer& Writer::begin_array() {
  before_value();
  out_.push_back('[');
  comma_ = false;
  return *this;
}

Writer& Writer::end_array() {
  out_.push_back(']');
  comma_ = true;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  before_value();
  append_quoted(out_, name);
  out_.push_back(':');
  comma_ = false;
  return *this;
}

Writer& Writer::string(std::string_view text) {
  before_value();
  append_quoted(out_, text);
  return *this;
}

Writer& Writer::number(std::int64_t value) {
  before_value();
  if (value < 0) out_.push_back('-');
  append_integer(out_, magnitude(value));
  return *this;
}

Writer& Writer::raw_number(std::string_view text) {
  before_value();
  out_.append(text);
  return *this;
}

Writer& Writer::boolean(bool value) {
  before_value();
  out_.append(value ? "true" : "false");
  return *this;
}

Writer& Writer::null() {
  before_value();
  out_.append("null");
  return *this;
}

Writer& Writer::cents(std::int64_t value) {
  return fixed_point(value, 100);
}

Writer& Writer::decimal4(std::int64_t value) {
  return fixed_point(value, 10'000);
}

Writer& Writer::fixed_point(std::int64_t value, std::uint64_t scale) {
  before_value();
  if (value < 0) out_.push_back('-');
  append_integer(out_, magnitude(value) / scale);
  out_.push_back('.');
  // Adding the scale as a leading digit keeps the zeros: 5 of 100 is written as 105, of which 05 is kept.
  const std::size_t leading_digit = out_.size();
  append_integer(out_, scale + magnitude(value) % scale);
  out_.erase(leading_digit, 1);
  return *this;
}

}  // namespace tideover::json
