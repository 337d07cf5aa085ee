// Identifiers: text and back, order, and what is refused.
#include "core/domain/basics/id.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/fakes/printing.hpp"

using namespace tideover::domain;

BOOST_AUTO_TEST_SUITE(id)

BOOST_AUTO_TEST_CASE(a_ulid_reads_back_the_same_in_either_case) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 10'000; ++i) {
    const Ulid value{random(), random()};
    std::string text = ulid_text(value);
    BOOST_REQUIRE_EQUAL(text.size(), 26u);
    BOOST_REQUIRE(*parse_ulid(text) == value);
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    BOOST_REQUIRE(*parse_ulid(text) == value);
  }
}

BOOST_AUTO_TEST_CASE(texts_sort_as_their_values_do) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 10'000; ++i) {
    const Ulid a{random() >> (i % 64), random()}, b{random() >> (i % 64), random()};
    BOOST_REQUIRE((a < b) == (ulid_text(a) < ulid_text(b)));
  }
  BOOST_TEST(ulid_text(Ulid{}) == "00000000000000000000000000");
  BOOST_TEST(ulid_text(Ulid{~0ull, ~0ull}) == "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_ulid_is_refused) {
  const std::string good = "01HZZZZZZZZZZZZZZZZZZZZZZZ";
  BOOST_TEST(bool(parse_ulid(good)));
  BOOST_TEST(!parse_ulid(""));
  BOOST_TEST(!parse_ulid(good.substr(1)));
  BOOST_TEST(!parse_ulid(good + "0"));
  BOOST_TEST(!parse_ulid("80000000000000000000000000"));  // 129 bits
  for (const char bad : {'I', 'L', 'O', 'U', 'i', 'l', 'o', 'u', '-', ' ', '\0', '\xff', '/', ':', '[', '`', '{'}) {
    std::string text = good;
    text[25] = bad;
    BOOST_TEST(!parse_ulid(text), "took " << static_cast<int>(bad));
  }
}

BOOST_AUTO_TEST_CASE(an_id_carries_its_kind) {
  const Ulid value{0x0192'0000'0000'0000, 42};
  const auto review = ReviewId::of(value);
  BOOST_TEST(review.text() == "rev_" + ulid_text(value));
  BOOST_TEST(*ReviewId::parse(review.text()) == review);
  BOOST_TEST(!SettlementId::parse(review.text()));
  BOOST_TEST(!ReviewId::parse(ulid_text(value)));
  BOOST_TEST(!ReviewId::parse("rev_"));
  BOOST_TEST(!ReviewId::parse("REV_" + ulid_text(value)));
}

BOOST_AUTO_TEST_CASE(an_id_in_lower_case_is_the_same_id) {
  BOOST_TEST(*ReviewId::parse("rev_01hzzzzzzzzzzzzzzzzzzzzzzz") == *ReviewId::parse("rev_01HZZZZZZZZZZZZZZZZZZZZZZZ"));
}

BOOST_AUTO_TEST_SUITE_END()
