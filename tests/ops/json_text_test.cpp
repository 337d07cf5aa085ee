#include <rapidjson/document.h>

#include <boost/test/unit_test.hpp>

#include "core/ops/json_text.hpp"

namespace {

std::string json(std::string_view text) {
  std::string out;
  tideover::ops::append_json_string(out, text);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ops_json_text)

BOOST_AUTO_TEST_CASE(quotes_backslashes_and_control_characters_are_escaped) {
  BOOST_TEST(json("plain é €") == "\"plain é €\"");
  BOOST_TEST(json("a\"b\\c") == R"("a\"b\\c")");
  BOOST_TEST(json("line\nbreak\r\t\x7f") == R"("line\nbreak\u000d\u0009\u007f")");
  BOOST_TEST(json(std::string_view("\0", 1)) == R"("\u0000")");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_replaced) {
  const std::string bad = "\xef\xbf\xbd";
  BOOST_TEST(json("a\xff"
                  "b") == "\"a" + bad + "b\"");
  BOOST_TEST(json("\xc0\xaf") == "\"" + bad + bad + "\"");            // overlong
  BOOST_TEST(json("\xed\xa0\x80") == "\"" + bad + bad + bad + "\"");  // surrogate
  BOOST_TEST(json("\xf4\x90\x80\x80") == "\"" + bad + bad + bad + bad + "\"");
  BOOST_TEST(json("\xe2\x82") == "\"" + bad + bad + "\"");  // cut short
  BOOST_TEST(json("\xf0\x9f\x92\xb6") == "\"\xf0\x9f\x92\xb6\"");
}

BOOST_AUTO_TEST_CASE(any_two_bytes_make_valid_json) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = json(std::string{static_cast<char>(first), static_cast<char>(second)});
      rapidjson::Document document;
      document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
      BOOST_REQUIRE_MESSAGE(!document.HasParseError(), first << " " << second);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
