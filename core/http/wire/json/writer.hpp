// The one JSON writer. It appends to a string that the caller owns, such as a per-thread buffer, and sets commas and
// colons. Equal calls give equal bytes. No thread contract of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tideover::json {

/// The caller must make calls that form one JSON value: a key before the value of each member, and an end for each
/// begin.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);

  /// UTF-8; invalid bytes become U+FFFD, so that the output is always valid JSON.
  Writer& string(std::string_view text);
  Writer& number(std::int64_t value);
  /// A number that is already JSON text, e.g. Value::raw_number().
  Writer& raw_number(std::string_view text);
  /// A complete value that is already JSON text, e.g. the output of another Writer.
  Writer& written(std::string_view json) { return raw_number(json); }
  Writer& boolean(bool value);
  Writer& null();

  /// Money in cents: 100000 is written as 1000.00.
  Writer& cents(std::int64_t value);
  /// A value in ten-thousandths, with four decimals: 7364 is written as 0.7364.
  Writer& decimal4(std::int64_t value);

 private:
  void before_value();
  Writer& fixed_point(std::int64_t value, std::uint64_t scale);

  std::string& out_;
  bool comma_ = false;  // the next key or value needs a comma
};

}  // namespace tideover::json
