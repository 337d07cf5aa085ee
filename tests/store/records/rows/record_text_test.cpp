// Lists in a text column.
#include "core/store/records/rows/record_text.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <vector>

using namespace tideover::store;

namespace {

using Records = std::vector<std::vector<std::string>>;

std::string written(const Records& records) {
  RecordWriter out;
  for (const auto& record : records) {
    for (const auto& field : record) out.text(field);
    out.end_record();
  }
  return out.take();
}

Records read(const std::string& text, const Records& shape) {
  Records records;
  RecordReader in(text);
  while (in.next()) {
    auto& record = records.emplace_back();
    BOOST_REQUIRE(records.size() <= shape.size());
    for (std::size_t i = 0; i < shape[records.size() - 1].size(); ++i) record.push_back(in.text());
  }
  return records;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_record_text)

BOOST_AUTO_TEST_CASE(any_bytes_come_back_as_they_went_in) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const Records records = {{every_byte, every_byte + every_byte},
                           {"", every_byte, "\\", "\x1f", "\x1e", "\\f", "\\\\r"}};
  BOOST_TEST((read(written(records), records) == records));
}

BOOST_AUTO_TEST_CASE(random_bytes_that_matter_come_back_as_they_went_in) {
  std::minstd_rand random(20261120);
  constexpr std::string_view kBytes =
      "\\\x1e\x1f"
      "frx";
  for (int round = 0; round < 2'000; ++round) {
    Records records(random() % 4);
    for (auto& record : records) {
      record.resize(random() % 4);
      for (auto& field : record)
        for (auto left = random() % 6; left > 0; --left) field += kBytes[random() % kBytes.size()];
    }
    BOOST_REQUIRE((read(written(records), records) == records));
  }
}

BOOST_AUTO_TEST_CASE(nothing_and_a_list_of_nothing_differ) {
  BOOST_TEST(written({}).empty());
  BOOST_TEST(written({{}}) != written({}));
  BOOST_TEST(written({{""}}) != written({{}}));
  BOOST_TEST(!RecordReader("").next());
}

BOOST_AUTO_TEST_CASE(a_list_fits_into_a_field_of_a_list) {
  const Records inner = {{"a", "\x1f"}, {"\\"}};
  const Records outer = {{written(inner), "beside"}};
  const auto back = read(written(outer), outer);
  BOOST_TEST((read(back[0][0], inner) == inner));
  BOOST_TEST(back[0][1] == "beside");
}

BOOST_AUTO_TEST_CASE(numbers_keep_sign_size_and_absence) {
  RecordWriter out;
  out.integer(INT64_MIN).integer(INT64_MAX).optional_integer(std::nullopt).optional_integer(-7).end_record();
  const auto text = out.take();
  RecordReader in(text);
  BOOST_REQUIRE(in.next());
  BOOST_TEST(in.integer() == INT64_MIN);
  BOOST_TEST(in.integer() == INT64_MAX);
  BOOST_TEST(!in.optional_integer().has_value());
  BOOST_TEST(in.optional_integer().value() == -7);
  BOOST_TEST(!in.next());
}

BOOST_AUTO_TEST_CASE(a_reader_that_knows_fewer_fields_skips_the_rest) {
  const auto text = written({{"1", "new"}, {"2", "new"}});
  RecordReader in(text);
  BOOST_REQUIRE(in.next());
  BOOST_TEST(in.text() == "1");
  BOOST_REQUIRE(in.next());
  BOOST_TEST(in.text() == "2");
}

BOOST_AUTO_TEST_CASE(damage_is_an_error_and_never_a_wrong_value) {
  BOOST_CHECK_THROW(RecordReader("cut off\x1f").next(), std::runtime_error);
  for (const std::string text : {"\x1e", "no end of field\x1e", "bad \\x escape\x1f\x1e", "\\\x1f\x1e"}) {
    RecordReader in(text);
    BOOST_REQUIRE(in.next());
    BOOST_CHECK_THROW(in.text(), std::runtime_error);
  }
  for (const std::string text : {"12x\x1f\x1e", "\x1f\x1e", "99999999999999999999\x1f\x1e"}) {
    RecordReader in(text);
    BOOST_REQUIRE(in.next());
    BOOST_CHECK_THROW(in.integer(), std::runtime_error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
