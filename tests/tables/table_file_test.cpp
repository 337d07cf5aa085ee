// Table files as published: rows that are read, and faults that are reported for the others.
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

#include "core/tables/table_file.hpp"

using namespace tideover;
using tables::ColumnType;

namespace {

const std::filesystem::path kFees = std::filesystem::path(TIDEOVER_SOURCE_DIR) / "../shared/data/cms_fee";

tables::Schema pairs_schema() {
  return {"pairs",
          {{"code", ColumnType::code, false, {"Column 1"}},
           {"other", ColumnType::code, false, {"Column 2"}},
           {"from", ColumnType::date, false, {"Effective Date"}},
           {"to", ColumnType::date, true, {"Deletion Date *=no data"}},
           {"modifier", ColumnType::word, false, {"Modifier 0=not allowed 1=allowed 9=not applicable"}}},
          {0, 1},
          2,
          3};
}

tables::Schema list_schema(std::vector<tables::Column> columns) {
  return {"list", std::move(columns), {0}, {}, {}};
}

tables::TableReading read(const std::string& text, const tables::Schema& schema) {
  return tables::read_table(text, schema, {"list.csv", "", "0123"});
}

std::string faults_of(const tables::TableReading& reading) {
  std::string text;
  for (const auto& fault : reading.faults)
    text += std::to_string(fault.line) + ':' + std::to_string(fault.column) + ": " + fault.message + '\n';
  return text;
}

domain::Date day(const char* text) {
  return domain::parse_date(text).value();
}

std::optional<std::uint32_t> find(const tables::Table& table, std::string_view code, std::string_view other,
                                  const char* on) {
  return table.find({table.key_cell(0, code).value(), table.key_cell(1, other).value()}, day(on));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(table_file)

BOOST_AUTO_TEST_CASE(a_published_edit_list_is_read) {
  const auto reading = read(
      "CPT is a registered trademark\n\nColumn 1\tColumn 2\t\"*=in existence\nprior to "
      "1996\"\t\"Effective\nDate\"\t\"Deletion\nDate\n*=no data\"\t"
      "\"Modifier\n0=not allowed\n1=allowed\n9=not applicable\"\tRationale\r\n"
      "00010\t00011\t\t20200101\t*\t0\tmore\r\n00010\t00012\t*"
      "\t19960101\t20191231\t1\tmore\r\n00010\t00012\t\t20220101\t*\t1\tmore\r\n",
      pairs_schema());
  BOOST_REQUIRE_MESSAGE(reading.faults.empty(), faults_of(reading));
  const auto& table = *reading.table;
  BOOST_TEST(table.row_count() == 3u);
  const auto row = find(table, "00010", "00011", "2026-01-01");
  BOOST_REQUIRE(row.has_value());
  BOOST_TEST(std::get<std::string_view>(table.value(*row, 4)) == "0");
  BOOST_TEST(std::holds_alternative<std::monostate>(table.value(*row, 3)));
  BOOST_TEST(!find(table, "00010", "00011", "2019-12-31").has_value());
  BOOST_TEST(!find(table, "00011", "00010", "2026-01-01").has_value());
  // One pair with two periods.
  BOOST_TEST(find(table, "00010", "00012", "2019-12-31").has_value());
  BOOST_TEST(!find(table, "00010", "00012", "2020-06-01").has_value());
  BOOST_TEST(find(table, "00010", "00012", "2022-01-01").has_value());
}

BOOST_AUTO_TEST_CASE(a_header_that_is_split_over_two_lines_is_joined_column_by_column) {
  const tables::Schema schema = {"pfs",
                                 {{"code", ColumnType::code, false, {"HCPCS"}},
                                  {"modifier", ColumnType::code, true, {"MOD"}},
                                  {"status", ColumnType::word, false, {"STATUS CODE"}},
                                  {"work", ColumnType::decimal, false, {"WORK RVU"}},
                                  {"mp", ColumnType::decimal, false, {"MP RVU"}}},
                                 {0, 1},
                                 {},
                                 {}};
  const auto reading = read(
      ",,2026 Relative Value "
      "File,,,,\r,,,STATUS,MEDICARE,WORK,MP\rHCPCS,MOD,DESCRIPTION,CODE,PAYMENT,RVU,RVU\r00010,,words,A,,1.25,0."
      "07\r00010,26,words,A,,.5,0.02\r",
      schema);
  BOOST_REQUIRE_MESSAGE(reading.faults.empty(), faults_of(reading));
  const auto& table = *reading.table;
  const auto whole = table.find({table.key_cell(0, "00010").value(), table.key_cell(1, "").value()}, std::nullopt);
  const auto part = table.find({table.key_cell(0, "00010").value(), table.key_cell(1, "26").value()}, std::nullopt);
  BOOST_REQUIRE((whole && part));
  BOOST_TEST(std::get<double>(table.value(*whole, 3)) == 1.25);
  BOOST_TEST(std::get<double>(table.value(*part, 3)) == 0.5);
  BOOST_TEST(std::get<double>(table.value(*part, 4)) == 0.02);
}

BOOST_AUTO_TEST_CASE(notes_around_the_rows_are_skipped_and_the_edition_is_read) {
  const auto reading = read(
      "# edition: 2026q1\n# a remark\nADDENDUM,,\n,,\n2026 State,Locality Number,Price\nZZ,00,1.5\n,,\n\"A note, with "
      "a comma\",,\n",
      list_schema({{"state", ColumnType::text, false, {}},
                   {"locality", ColumnType::word, false, {"Locality Number"}},
                   {"price", ColumnType::decimal, false, {}}}));
  BOOST_REQUIRE_MESSAGE(reading.faults.empty(), faults_of(reading));
  BOOST_TEST(reading.table->row_count() == 1u);
  BOOST_TEST(reading.table->provenance().edition == "2026q1");
}

BOOST_AUTO_TEST_CASE(every_bad_row_is_reported_with_its_line_and_column) {
  const auto schema = list_schema({{"code", ColumnType::code, false, {}},
                                   {"units", ColumnType::integer, false, {}},
                                   {"from", ColumnType::date, true, {}},
                                   {"rate", ColumnType::decimal, true, {}},
                                   {"yes", ColumnType::flag, true, {}},
                                   {"name", ColumnType::text, true, {}}});
  const auto reading = read(
      "code,units,from,rate,yes,name\n00010,1,,,,\n0001-,1,,,,\n123456789,1,,,,\n00011,1.5,,,,\n00012,,,,,\n00013,1,"
      "2026-02-30,,,\n00014,1,,1.1234567,,\n00015,1,,,maybe,\n00016,1,,,,\x01\n00017\n00010,2,,,,\n",
      schema);
  BOOST_TEST(
      faults_of(reading) ==
      "3:1: code must be a code of at most 8 letters and digits, not '0001-'\n4:1: code must be a code of at most 8 "
      "letters and digits, not '123456789'\n"
      "5:7: units must be a whole number, not '1.5'\n6:7: units is empty\n7:9: from must be a date such as 2026-01-31, "
      "not '2026-02-30'\n"
      "8:10: rate must be a number with at most six decimals, not '1.1234567'\n9:11: yes must be y or n, not 'maybe'\n"
      "10:12: name must be at most 80 printable ASCII characters, not '\x01'\n11:1: the row ends before the column "
      "'units'\n12:1: has the key of line 2\n");
  BOOST_TEST(reading.faults.front().source_line == "0001-,1,,,,");
}

BOOST_AUTO_TEST_CASE(a_number_outside_the_range_of_its_column_is_reported_with_its_line_and_column) {
  tables::Column rate{"rate", ColumnType::decimal, false, {}, 0, 1'500'000},
      units{"units", ColumnType::integer, true, {}, -2, {}};
  const auto schema = list_schema({{"code", ColumnType::code, false, {}}, rate, units});
  BOOST_TEST(faults_of(read("code,rate,units\n1,0,-2\n2,1.5,9\n3,1.500001,1\n4,-0.01,1\n5,1,-3\n6,1,\n", schema)) ==
             "4:3: rate must be a number with at most six decimals from 0 to 1.5, not '1.500001'\n"
             "5:3: rate must be a number with at most six decimals from 0 to 1.5, not '-0.01'\n"
             "6:5: units must be a whole number from -2, not '-3'\n");
}

BOOST_AUTO_TEST_CASE(a_file_with_an_open_quote_or_without_its_columns_gives_a_fault) {
  const auto schema = list_schema({{"code", ColumnType::code, false, {}}, {"name", ColumnType::text, false, {}}});
  BOOST_TEST(faults_of(read("code,name\n00010,fine\n00011,\"cut", schema)) ==
             "3:1: a quote is not closed; check whether the file is truncated\n");
  BOOST_TEST(faults_of(read("title\ncode,nane\n00010,fine\n", schema)) ==
             "2:1: no header line has the columns that table 'list' needs; the closest is this line, without "
             "'name'\n");
  BOOST_TEST(read("", schema).faults.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_first_twenty_bad_rows_are_reported_and_the_others_counted) {
  std::string text = "code\n";
  for (int i = 0; i < 50; ++i) text += "?\n";
  const auto reading = read(text, list_schema({{"code", ColumnType::code, false, {}}}));
  BOOST_REQUIRE(reading.faults.size() == 21u);
  BOOST_TEST(reading.faults.back().message == "and 30 more");
}

BOOST_AUTO_TEST_CASE(only_the_keys_of_a_large_table_are_found) {
  std::string text = "code,other,from,to,modifier\n";
  const auto code = [](int i) { return std::string(5 - std::to_string(i).size(), '0') + std::to_string(i); };
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 100; j += 2) text += code(i * 7) + ',' + code(j) + ",2020-01-01,,1\n";
  const auto reading = read(text, pairs_schema());
  BOOST_REQUIRE(reading.faults.empty());
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 100; ++j)
      BOOST_REQUIRE(find(*reading.table, code(i * 7), code(j), "2026-01-01").has_value() == (j % 2 == 0));
  BOOST_TEST(reading.table->has_first(*reading.table->key_cell(0, "00007")));
  BOOST_TEST(!reading.table->has_first(*reading.table->key_cell(0, "00008")));
}

BOOST_AUTO_TEST_CASE(the_published_indices_of_2025_are_read) {
  std::ifstream file(kFees / "GPCI2025.csv", std::ios::binary);
  if (!file) {
    BOOST_TEST_MESSAGE("skipped: there is no shared/data/cms_fee beside the checkout");
    return;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const tables::Schema schema = {"gpci",
                                 {{"state", ColumnType::word, false, {}},
                                  {"locality", ColumnType::word, false, {"Locality Number"}},
                                  {"work", ColumnType::decimal, false, {"PW GPCI (with 1.0 Floor)"}}},
                                 {0, 1},
                                 {},
                                 {}};
  const auto reading = tables::read_table(text, schema, {});
  BOOST_REQUIRE_MESSAGE(reading.faults.empty(), faults_of(reading));
  const auto& table = *reading.table;
  BOOST_TEST(table.row_count() == 109u);
  const auto alaska = table.find({table.key_cell(0, "AK").value(), table.key_cell(1, "01").value()}, std::nullopt);
  BOOST_REQUIRE(alaska.has_value());
  BOOST_TEST(std::get<double>(table.value(*alaska, 2)) == 1.5);
}

BOOST_AUTO_TEST_SUITE_END()
