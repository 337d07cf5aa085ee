// The strict reader, the writer and the canonical form.
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "core/http/wire/json/json.hpp"
#include "core/http/wire/json/writer.hpp"

using namespace std::string_literals;
using tideover::json::canonical;
using tideover::json::Document;
using tideover::json::Kind;
using tideover::json::Limits;
using tideover::json::Member;
using tideover::json::parse;
using tideover::json::ParseOutcome;
using tideover::json::Value;
using tideover::json::Writer;

namespace {

std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string digest(std::string_view text) {
  return std::to_string(text.size()) + text.front() + text.back();
}

std::string canonical_of(std::string_view text) {
  Document document;
  const ParseOutcome outcome = parse(text, document);
  BOOST_TEST_REQUIRE(static_cast<bool>(outcome), text << ": " << (outcome.error ? outcome.error->message : ""));
  return canonical(document.root(), digest);
}

/// Writes the tree as it stands; with it any document can go around.
void copy(const Value& value, Writer& out) {
  switch (value.kind()) {
    case Kind::null:
      out.null();
      break;
    case Kind::boolean:
      out.boolean(value.as_bool());
      break;
    case Kind::number:
      out.raw_number(value.raw_number());
      break;
    case Kind::string:
      out.string(value.as_text());
      break;
    case Kind::array:
      out.begin_array();
      for (const Value& item : value.items()) copy(item, out);
      out.end_array();
      break;
    case Kind::object:
      out.begin_object();
      for (const Member& member : value.members()) {
        out.key(member.key);
        copy(member.value, out);
      }
      out.end_object();
      break;
  }
}

std::string round_trip(std::string_view text) {
  Document document;
  BOOST_TEST_REQUIRE(static_cast<bool>(parse(text, document)), text);
  std::string out;
  Writer writer(out);
  copy(document.root(), writer);
  return out;
}

const std::string kClaim =
    "{\"claim_identifier\":\"C-1\",\"submitted_amount\":1000.00,\"service_lines\":[{\"cpt\":\"99213\",\"modifier\":"
    "\"\","
    "\"units\":1,\"amount\":-0.5e-3},{}],\"note\":\"caf\u00e9 \\ud83d\\ude00 \\\"q\\\" \\/ "
    "\\n\",\"a\":[true,false,null,[]]}";

double seconds_to_parse(const std::string& text, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  Document document;
  BOOST_TEST_REQUIRE(static_cast<bool>(parse(text, document, limits)));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_reader)

BOOST_AUTO_TEST_CASE(every_kind_is_read_with_its_accessor) {
  Document document;
  BOOST_TEST_REQUIRE(static_cast<bool>(parse(kClaim, document)));
  const Value root = document.root();
  BOOST_TEST_REQUIRE((root.kind() == Kind::object));
  BOOST_TEST(root.size() == 5u);
  BOOST_TEST(root.find("claim_identifier")->as_text() == "C-1");
  BOOST_TEST(root.find("submitted_amount")->raw_number() == "1000.00");
  BOOST_TEST(root.find("note")->as_text() == "caf\u00e9 \U0001F600 \"q\" / \n");
  BOOST_TEST(!root.find("claim").has_value());

  std::vector<Value> lines;
  for (const Value& line : root.find("service_lines")->items()) lines.push_back(line);
  BOOST_TEST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0].find("amount")->raw_number() == "-0.5e-3");
  BOOST_TEST(lines[0].find("modifier")->as_text() == "");
  BOOST_TEST(lines[1].size() == 0u);
  BOOST_TEST(!lines[0].find("amount")->find("x").has_value());

  std::vector<std::string> names;
  for (const Member& member : root.members()) names.emplace_back(member.key);
  const std::vector<std::string> expected = {"claim_identifier", "submitted_amount", "service_lines", "note", "a"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());

  std::vector<Value> items;
  for (const Value& item : root.find("a")->items()) items.push_back(item);
  BOOST_TEST_REQUIRE(items.size() == 4u);
  BOOST_TEST(items[0].as_bool());
  BOOST_TEST(!items[1].as_bool());
  BOOST_TEST(items[2].is_null());
  BOOST_TEST(items[3].size() == 0u);
}

BOOST_AUTO_TEST_CASE(scalars_may_stand_alone) {
  for (const char* text : {"0", "-1.5", "\"x\"", "true", "null", " [ ] ", "{}"}) {
    Document document;
    BOOST_TEST(static_cast<bool>(parse(text, document)), text);
  }
}

BOOST_AUTO_TEST_CASE(numbers_keep_the_text_that_was_sent) {
  for (const char* text : {"0", "-0", "100000000000000.01", "0.001", "1.10", "1E+2", "1e-400",
                           "123456789012345678901234567890", "0.1234567890123456789012345678901234567890"}) {
    Document document;
    BOOST_TEST_REQUIRE(static_cast<bool>(parse("[" + std::string(text) + ",1]", document)), text);
    BOOST_TEST((*document.root().items().begin()).raw_number() == text);
  }
}

struct Hostile {
  const char* what;
  std::string text;
};

void expect_refused(const std::vector<Hostile>& table) {
  for (const Hostile& hostile : table) {
    Document document;
    const ParseOutcome outcome = parse(hostile.text, document);
    BOOST_TEST(!outcome, hostile.what << " was accepted");
    if (outcome.error) {
      BOOST_TEST(!outcome.error->message.empty(), hostile.what);
      BOOST_TEST(outcome.error->offset <= hostile.text.size(), hostile.what);
    }
  }
}

BOOST_AUTO_TEST_CASE(hostile_texts_are_refused) {
  expect_refused({
      {"empty", ""},
      {"blanks only", " \n"},
      {"byte order mark", "\xEF\xBB\xBF{}"},
      {"UTF-16", "\xFF\xFE{\0}\0"s},
      {"duplicate key", R"({"a":1,"a":2})"},
      {"duplicate key by escape", R"({"a":1,"\u0061":2})"},
      {"duplicate key deep", R"({"x":[{"k":{},"l":[1],"k":{}}]})"},
      {"NUL escape", R"("a\u0000b")"},
      {"NUL escape in key", R"({"a\u0000":1})"},
      {"NUL byte in string", "\"a\0b\""s},
      {"NUL byte after the text", "{}\0"s},
      {"text after NUL", "{}\0{}"s},
      {"lone high surrogate", R"("\ud800")"},
      {"lone low surrogate", R"("\udc00")"},
      {"lone low surrogate in key", R"({"\udfff":1})"},
      {"reversed surrogates", R"("\udc00\ud800")"},
      {"high surrogate then letter", R"("\ud800x")"},
      {"high surrogate twice", R"("\ud800\ud800")"},
      {"encoded surrogate", "\"\xED\xA0\x80\""},
      {"overlong slash", "\"\xC0\xAF\""},
      {"overlong 3", "\"\xE0\x80\xAF\""},
      {"lone continuation", "\"\x80\""},
      {"cut character", "\"\xE2\x82\""},
      {"beyond U+10FFFF", "\"\xF4\x90\x80\x80\""},
      {"byte FF", "\"\xFF\""},
      {"bad UTF-8 in key", "{\"\xC3\x28\":1}"},
      {"depth 33", repeat("[", 33) + repeat("]", 33)},
      {"depth 100000", repeat("[", 100'000)},
      {"depth 100000 of objects", repeat("{\"a\":", 100'000)},
      {"string above its limit", "\"" + std::string(64 * 1024 + 1, 'x') + "\""},
      {"key above its limit", "{\"" + std::string(64 * 1024 + 1, 'x') + "\":1}"},
  });
}

BOOST_AUTO_TEST_CASE(texts_that_are_almost_json_are_refused) {
  expect_refused({
      {"newline in string", "\"a\nb\""},
      {"tab in string", "\"a\tb\""},
      {"unknown escape", R"("\x41")"},
      {"short escape", R"("\u12")"},
      {"unclosed string", R"("abc)"},
      {"single quotes", "{'a':1}"},
      {"bare key", "{a:1}"},
      {"NaN", "NaN"},
      {"NaN in array", "[NaN]"},
      {"Infinity", "[Infinity]"},
      {"minus Infinity", "[-Infinity]"},
      {"Inf", "Inf"},
      {"plus sign", "+1"},
      {"leading zero", "01"},
      {"minus leading zero", "-01"},
      {"point without digits", "1."},
      {"point first", ".5"},
      {"exponent without digits", "1e"},
      {"minus alone", "-"},
      {"hex", "0x10"},
      {"huge exponent", "1e999"},
      {"number of 129 characters", std::string(129, '1')},
      {"line comment", "{}//x"},
      {"block comment", "{/**/}"},
      {"trailing text", "{}x"},
      {"two texts", "{} {}"},
      {"trailing comma in object", R"({"a":1,})"},
      {"trailing comma in array", "[1,]"},
      {"missing comma", "[1 2]"},
      {"missing colon", R"({"a" 1})"},
      {"unclosed object", R"({"a":1)"},
      {"unclosed array", "[1"},
      {"wrong bracket", "[1}"},
      {"key without value", R"({"a"})"},
      {"number as key", "{1:1}"},
      {"True", "True"},
      {"form feed between values", "[1,\f2]"},
      {"no-break space", "[\xC2\xA0]"},
  });
}

BOOST_AUTO_TEST_CASE(limits_are_the_last_accepted_values) {
  Document document;
  BOOST_TEST(static_cast<bool>(parse(repeat("[", 32) + repeat("]", 32), document)));
  BOOST_TEST(static_cast<bool>(parse("\"" + std::string(64 * 1024, 'x') + "\"", document)));
  BOOST_TEST(static_cast<bool>(parse(std::string(128, '1'), document)));
  Limits five;
  five.nodes = 5;
  BOOST_TEST(static_cast<bool>(parse("[1,2,3,4]", document, five)));
  BOOST_TEST(!parse("[1,2,3,4,5]", document, five));
}

BOOST_AUTO_TEST_CASE(duplicate_keys_are_found_among_many) {
  std::string text = "{";
  for (int i = 0; i < 1'000; ++i) text += "\"key" + std::to_string(i) + "\":{\"v\":[1,2]},";
  Document document;
  BOOST_TEST(static_cast<bool>(parse(text + "\"last\":1}", document)));
  const ParseOutcome outcome = parse(text + "\"key500\":1}", document);
  BOOST_TEST_REQUIRE(outcome.error.has_value());
  BOOST_TEST(outcome.error->offset == text.size() + 1);
}

BOOST_AUTO_TEST_CASE(a_long_text_is_taken_over_and_reads_the_same) {
  const std::string content(3 << 20, 'x');
  std::string text = "{\n \"payload\":\"" + content + "\",\n \"a\":1}";
  text.reserve(text.size() + 16);
  const char* const where = text.data();
  Limits limits;
  limits.string_bytes = 4 << 20;
  Document document;
  BOOST_TEST_REQUIRE(static_cast<bool>(parse_taking(std::move(text), document, limits)));
  const auto payload = document.root().find("payload")->as_text();
  BOOST_TEST((payload == content));
  BOOST_TEST((payload.data() == where + 14));  // not copied
  BOOST_TEST(document.root().find("a")->raw_number() == "1");
  BOOST_TEST(canonical(document.root(), digest) == "{\"a\":1,\"payload\":#3145728xx}");

  const auto fault_of = [&](std::string wrong) {
    const auto outcome = parse_taking(std::move(wrong), document, limits);
    BOOST_TEST_REQUIRE(outcome.error.has_value());
    return *outcome.error;
  };
  const auto plain = fault_of("{\n \"payload\":\"" + content + "\",\n \"a\":}");
  BOOST_TEST(plain.line == 3u);
  BOOST_TEST(plain.column == 6u);
  const auto escaped = fault_of("{\n \"payload\":\"\\n" + content + "\",\n \"a\":}");
  BOOST_TEST(escaped.offset == 3145728u + 24u);
  BOOST_TEST(escaped.line == 0u);
  BOOST_TEST(fault_of(std::string(2 << 20, ' ') + '\0').offset == 2u << 20);
}

BOOST_AUTO_TEST_CASE(errors_name_line_and_column) {
  Document document;
  const ParseOutcome outcome = parse("{\n  \"a\": 1,\n  \"a\": 2\n}", document);
  BOOST_TEST_REQUIRE(outcome.error.has_value());
  BOOST_TEST(outcome.error->line == 3u);
  BOOST_TEST(outcome.error->column == 4u);
  BOOST_TEST(outcome.error->message == "key appears twice in one object");

  const ParseOutcome marked = parse("\xEF\xBB\xBF{}", document);
  BOOST_TEST_REQUIRE(marked.error.has_value());
  BOOST_TEST(marked.error->message == "text starts with a byte order mark");

  const ParseOutcome deep = parse(repeat("[", 40), document);
  BOOST_TEST_REQUIRE(deep.error.has_value());
  BOOST_TEST(deep.error->offset >= 32u);
  BOOST_TEST(deep.error->offset <= 34u);
}

BOOST_AUTO_TEST_CASE(one_document_serves_many_texts_and_survives_a_move) {
  Document document;
  BOOST_TEST_REQUIRE(static_cast<bool>(parse(R"({"first":1})", document)));
  BOOST_TEST(!parse("{", document));
  BOOST_TEST_REQUIRE(static_cast<bool>(parse(R"("s")", document)));
  const Document moved = std::move(document);
  BOOST_TEST(moved.root().as_text() == "s");
}

BOOST_AUTO_TEST_CASE(a_text_cut_at_any_byte_never_crashes) {
  for (std::size_t length = 0; length < kClaim.size(); ++length) {
    // A heap copy of the exact size lets the address sanitizer see a read beyond it.
    const std::vector<char> cut(kClaim.begin(), kClaim.begin() + static_cast<std::ptrdiff_t>(length));
    Document document;
    BOOST_TEST(!parse({cut.data(), cut.size()}, document), "cut at " << length);
  }
}

BOOST_AUTO_TEST_CASE(a_text_with_any_byte_changed_never_crashes) {
  for (std::size_t at = 0; at < kClaim.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = kClaim;
      changed[at] = static_cast<char>(byte);
      Document document;
      if (parse(changed, document)) canonical(document.root(), digest);
    }
  }
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(time_is_linear_in_the_text) {
  std::string keys = "{\"k\":0";
  for (int i = 0; i < 200'000; ++i) keys += ",\"k" + std::to_string(i) + "\":1";
  keys += "}";
  const std::string numbers = "[1" + repeat(",1", 400'000) + "]";
  const std::string escapes =
      "[\"" + repeat("\\u00e9", 10'000) + "\"" + repeat(",\"" + repeat("\\u00e9", 10'000) + "\"", 40) + "]";
  // Quadratic work would need minutes here; the bound leaves space for sanitizers and busy machines.
  for (const std::string& text : {keys, numbers, escapes}) BOOST_TEST(seconds_to_parse(text, Limits{}) < 5.0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(json_writer)

BOOST_AUTO_TEST_CASE(commas_and_colons_are_placed) {
  std::string out;
  Writer writer(out);
  writer.begin_object().key("a").begin_array().number(1).number(-2).begin_object().end_object().null().end_array();
  writer.key("b").boolean(true).key("c").begin_object().key("d").string("x").end_object().end_object();
  BOOST_TEST(out == R"({"a":[1,-2,{},null],"b":true,"c":{"d":"x"}})");
}

BOOST_AUTO_TEST_CASE(money_has_two_decimals_always) {
  const std::pair<std::int64_t, const char*> table[] = {
      {0, "0.00"},
      {1, "0.01"},
      {-1, "-0.01"},
      {10, "0.10"},
      {99, "0.99"},
      {100, "1.00"},
      {-12345, "-123.45"},
      {100000, "1000.00"},
      {-5, "-0.05"},
      {9'999'999'999, "99999999.99"},
      {std::numeric_limits<std::int64_t>::max(), "92233720368547758.07"},
      {std::numeric_limits<std::int64_t>::min(), "-92233720368547758.08"}};
  for (const auto& [cents, text] : table) {
    std::string out;
    Writer(out).cents(cents);
    BOOST_TEST(out == text);
  }
}

BOOST_AUTO_TEST_CASE(ten_thousandths_have_four_decimals) {
  const std::pair<std::int64_t, const char*> table[] = {
      {7364, "0.7364"}, {0, "0.0000"}, {10000, "1.0000"}, {5, "0.0005"}, {-25, "-0.0025"}};
  for (const auto& [value, text] : table) {
    std::string out;
    Writer(out).decimal4(value);
    BOOST_TEST(out == text);
  }
}

BOOST_AUTO_TEST_CASE(integers_reach_both_ends) {
  std::string out;
  Writer writer(out);
  writer.begin_array()
      .number(std::numeric_limits<std::int64_t>::min())
      .number(std::numeric_limits<std::int64_t>::max());
  writer.end_array();
  BOOST_TEST(out == "[-9223372036854775808,9223372036854775807]");
}

BOOST_AUTO_TEST_CASE(strings_are_escaped) {
  std::string out;
  Writer(out).string("a\"b\\c/\n\r\t\b\f\x01\x1f\x7f\u00e9\U0001F600\0z"s);
  BOOST_TEST(out == "\"a\\\"b\\\\c/\\n\\r\\t\\b\\f\\u0001\\u001f\x7f\u00e9\U0001F600\\u0000z\""s);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_replaced) {
  const std::string replaced = "\xEF\xBF\xBD";
  for (const auto& bad : {"\xFF"s, "\xC3"s, "\xED\xA0\x80"s, "\xE2\x82"s, "\xC0\xAF"s, "\xF4\x90\x80\x80"s}) {
    std::string out;
    Writer(out).string("<" + bad + ">");
    BOOST_TEST(out == "\"<" + repeat(replaced, bad.size()) + ">\"");
    Document document;
    BOOST_TEST(static_cast<bool>(parse(out, document)));
  }
}

BOOST_AUTO_TEST_CASE(a_parsed_text_is_written_unchanged) {
  const std::string once = round_trip(kClaim);
  BOOST_TEST(round_trip(once) == once);
  BOOST_TEST(canonical_of(once) == canonical_of(kClaim));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(json_canonical)

BOOST_AUTO_TEST_CASE(equal_numbers_have_one_spelling) {
  for (const char* text : {"1", "1.0", "1.00", "1e0", "10e-1", "0.1E1", "1E+0", "0.01e2"}) {
    BOOST_TEST(canonical_of(text) == "1", text);
  }
  for (const char* text : {"0", "-0", "0.00", "0e5", "-0.0E-7"}) BOOST_TEST(canonical_of(text) == "0", text);
  for (const char* text : {"1000", "1000.00", "1e3", "10E2"}) BOOST_TEST(canonical_of(text) == "1e3", text);
  for (const char* text : {"-12.5", "-12.50", "-125e-1", "-0.125e2"}) BOOST_TEST(canonical_of(text) == "-125e-1", text);
}

BOOST_AUTO_TEST_CASE(different_numbers_stay_different) {
  BOOST_TEST(canonical_of("100000000000000.01") != canonical_of("100000000000000.02"));
  BOOST_TEST(canonical_of("1") != canonical_of("-1"));
  BOOST_TEST(canonical_of("1") != canonical_of("10"));
  BOOST_TEST(canonical_of("1e-99999999999999999999") != canonical_of("1e-99999999999999999998"));
  BOOST_TEST(canonical_of("1") != canonical_of("\"1\""));
}

BOOST_AUTO_TEST_CASE(keys_are_sorted_and_blanks_dropped) {
  BOOST_TEST(canonical_of(" { \"b\" : [ 2 , 1 ] , \"a\" : { \"d\" : null, \"c\" : \"\\u0041\" } } ") ==
             R"({"a":{"c":"A","d":null},"b":[2,1]})");
}

BOOST_AUTO_TEST_CASE(a_string_with_quotes_cannot_imitate_structure) {
  BOOST_TEST(canonical_of(R"({"a":"x\",\"b\":\"y"})") != canonical_of(R"({"a":"x","b":"y"})"));
}

BOOST_AUTO_TEST_SUITE_END()
