#include <algorithm>
#include <charconv>

#include "core/http/wire/json/json.hpp"
#include "core/http/wire/json/writer.hpp"

namespace tideover::json {

namespace {

using DigestText = std::function<std::string(std::string_view)>;

constexpr std::size_t kUsualBytes = 1024;

/// Digits without outer zeros, then the power of ten: 1000.00 -> 1e3, 12.50 -> 125e-1. A number whose exponent exceeds
/// 64 bits stays as written and then equals only itself.
std::string canonical_number(std::string_view text) {
  const std::string_view written = text;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);

  std::int64_t exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    constexpr std::size_t kMostExponentCharacters = 16;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (fault != std::errc{} || digits.size() > kMostExponentCharacters) return std::string(written);
    text = text.substr(0, e);
  }

  std::string digits;
  for (const char c : text) {
    if (c != '.') digits.push_back(c);
  }
  if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
    exponent -= static_cast<std::int64_t>(text.size() - point - 1);
  }
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return "0";
  const std::size_t last = digits.find_last_not_of('0');
  exponent += static_cast<std::int64_t>(digits.size() - last - 1);

  std::string out = negative ? "-" : "";
  out.append(digits, first, last - first + 1);
  if (exponent != 0) out.append("e").append(std::to_string(exponent));
  return out;
}

void write(const Value& value, Writer& out, const DigestText& digest) {
  switch (value.kind()) {
    case Kind::null:
      out.null();
      break;
    case Kind::boolean:
      out.boolean(value.as_bool());
      break;
    case Kind::number:
      out.raw_number(canonical_number(value.raw_number()));
      break;
    case Kind::string:
      if (value.as_text().size() < kLongText)
        out.string(value.as_text());
      else
        out.raw_number('#' + digest(value.as_text()));
      break;
    case Kind::array:
      out.begin_array();
      for (const Value& item : value.items()) write(item, out, digest);
      out.end_array();
      break;
    case Kind::object: {
      std::vector<Member> members;
      members.reserve(value.size());
      for (const Member& member : value.members()) members.push_back(member);
      std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.key < b.key; });
      out.begin_object();
      for (const Member& member : members) {
        out.key(member.key);
        write(member.value, out, digest);
      }
      out.end_object();
      break;
    }
  }
}

}  // namespace

std::string canonical(const Value& value, const DigestText& digest) {
  std::string text;
  text.reserve(kUsualBytes);
  Writer out(text);
  write(value, out, digest);
  return text;
}

}  // namespace tideover::json
