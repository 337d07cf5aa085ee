// Exports of the ledger as JSON, CSV and JSON Lines.
#include <boost/test/unit_test.hpp>

#include "core/http/wire/ledger/table.hpp"

using namespace tideover;
using domain::Money;

namespace {

wire::Table sample_table() {
  return {{"name", "amount", "count"},
          {{"plain", Money::cents(-1'230), std::int64_t{7}},
           {"a, \"b\"", {}, {}},
           {"=HYPERLINK(1)", Money{}, {}},
           {"+1", {}, {}},
           {"-1", {}, {}},
           {"@x", {}, {}},
           {"\tx", {}, {}}},
          "next"};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(export_table)

BOOST_AUTO_TEST_CASE(csv_quotes_text_and_leaves_a_spreadsheet_no_formula) {
  BOOST_TEST(wire::encode_table_csv(sample_table()) ==
             "name,amount,count\r\nplain,-12.30,7\r\n\"a, \"\"b\"\"\",,\r\n'=HYPERLINK(1),0.00,\r\n'+1,,\r\n'-1,,\r\n"
             "'@x,,\r\n'\tx,,\r\n");
  BOOST_TEST(wire::encode_table_csv({{"a"}, {{"x\ny"}}}) == "a\r\n\"x\ny\"\r\n");
}

BOOST_AUTO_TEST_CASE(json_lines_have_one_object_per_row_without_absent_cells) {
  const auto lines = wire::encode_table_lines(sample_table());
  BOOST_TEST(lines.starts_with("{\"name\":\"plain\",\"amount\":-12.30,\"count\":7}\n{\"name\":\"a, \\\"b\\\"\"}\n"),
             lines);
}

BOOST_AUTO_TEST_CASE(json_is_a_list_with_the_cursor_of_the_next_page) {
  BOOST_TEST(wire::encode_table({{"a"}, {{"x"}}, "c"}) == R"({"data":[{"a":"x"}],"has_more":true,"next_cursor":"c"})");
  BOOST_TEST(wire::encode_table({{"a"}, {}}, [](json::Writer& out) { out.key("b").number(1); }) ==
             R"({"data":[],"has_more":false,"next_cursor":null,"b":1})");
}

BOOST_AUTO_TEST_SUITE_END()
