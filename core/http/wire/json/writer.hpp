// JSON writer: appends to a string of the caller, for example a buffer per thread. It writes commas and colons; equal
// calls give equal bytes. Not synchronized.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tideover::json {

/// The caller must form one JSON value: a key before the value of each member, an end for each begin.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);

  /// UTF-8; invalid bytes become U+FFFD, so the output is always valid JSON.
  Writer& string(std::string_view text);
  Writer& number(std::int64_t value);
  /// A number as JSON text, for example Value::raw_number().
  Writer& raw_number(std::string_view text);
  /// A complete JSON value as text, for example the output of another Writer.
  Writer& written(std::string_view json) { return raw_number(json); }
  Writer& boolean(bool value);
  Writer& null();

  /// Money in cents: 100000 is written as 1000.00.
  Writer& cents(std::int64_t value);
  /// A value in ten-thousandths with four decimals: 7364 is written as 0.7364.
  Writer& decimal4(std::int64_t value);

 private:
  void before_value();
  Writer& fixed_point(std::int64_t value, std::uint64_t scale);

  std::string& out_;
  bool comma_ = false;  // an element was written before the next key or value
};

}  // namespace tideover::json
