// The one JSON writer: appends to a string that the caller owns (a per-thread buffer, say). It places commas and
// colons; equal calls give equal bytes. Values, no thread contract of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tideover::json {

/// Calls must form one JSON value: a key before each member's value, each begin with its end. That is the caller's
/// duty.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);

  /// UTF-8; bytes that are not become U+FFFD, so that the output always is valid JSON.
  Writer& string(std::string_view text);
  Writer& number(std::int64_t value);
  /// A number that already is JSON text, e.g. Value::raw_number().
  Writer& raw_number(std::string_view text);
  /// A value that already is whole JSON text, e.g. what another Writer wrote.
  Writer& written(std::string_view json) { return raw_number(json); }
  Writer& boolean(bool value);
  Writer& null();

  /// Money: 100000 is written 1000.00.
  Writer& cents(std::int64_t value);
  /// A value in ten-thousandths with four decimals: 7364 is written 0.7364.
  Writer& decimal4(std::int64_t value);

 private:
  void before_value();
  Writer& fixed_point(std::int64_t value, std::uint64_t scale);

  std::string& out_;
  bool comma_ = false;  // a sibling stands before the next key or value
};

}  // namespace tideover::json
