// UTF-8 by the table of RFC 3629: what is a character, what only looks like one.
#include <boost/test/unit_test.hpp>

#include <string>

#include "core/domain/basics/text.hpp"

using namespace tideover::domain;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(characters_of_one_to_four_bytes_are_known) {
  BOOST_TEST(utf8_length("a") == 1u);
  BOOST_TEST(utf8_length("\xc3\xa9") == 2u);
  BOOST_TEST(utf8_length("\xe2\x82\xac") == 3u);
  BOOST_TEST(utf8_length("\xf0\x9f\x98\x80") == 4u);
  BOOST_TEST(utf8_length("\xf4\x8f\xbf\xbf") == 4u);
  BOOST_TEST(utf8_length("") == 0u);
}

BOOST_AUTO_TEST_CASE(overlong_forms_surrogates_and_cut_characters_are_none) {
  for (const std::string& bad : {"\x80"s, "\xc0\xaf"s, "\xc1\xbf"s, "\xc3"s, "\xc3("s, "\xe0\x9f\xbf"s, "\xed\xa0\x80"s,
                                 "\xe2\x82"s, "\xf0\x8f\xbf\xbf"s, "\xf4\x90\x80\x80"s, "\xf5\x80\x80\x80"s, "\xff"s})
    BOOST_TEST(!is_utf8(bad));
}

BOOST_AUTO_TEST_CASE(ascii_is_below_128) {
  BOOST_TEST(tideover::domain::is_ascii(""));
  BOOST_TEST(tideover::domain::is_ascii("a~\x01\x7f"));
  BOOST_TEST(!tideover::domain::is_ascii("a\xc3\xa9"));
  BOOST_TEST(!tideover::domain::is_ascii("\x80"));
}

BOOST_AUTO_TEST_CASE(printable_is_well_formed_without_control_characters) {
  BOOST_TEST(is_printable("Caf\xc3\xa9 42"));
  BOOST_TEST(is_printable(""));
  BOOST_TEST(!is_printable("a\nb"));
  BOOST_TEST(!is_printable("a\0b"s));
  BOOST_TEST(!is_printable("\x7f"));
  BOOST_TEST(!is_printable("\xff"));
  BOOST_TEST(count_characters("Caf\xc3\xa9") == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
