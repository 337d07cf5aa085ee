#include <boost/test/unit_test.hpp>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/secret_bytes.hpp"

using namespace tideover::crypto;

namespace {

std::string text_of(const std::optional<Bytes>& bytes) {
  return bytes ? std::string(bytes->begin(), bytes->end()) : "(refused)";
}

// Every text of up to four characters over a small alphabet that holds each kind of trouble.
template <class Visit>
void for_each_short_text(std::string_view alphabet, Visit visit) {
  std::vector<std::string> texts = {""};
  for (std::size_t first = 0, length = 0; length < 4; ++length) {
    const std::size_t last = texts.size();
    for (; first < last; ++first) {
      for (const char c : alphabet) texts.push_back(texts[first] + c);
    }
  }
  for (const std::string& text : texts) visit(text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_encoding)

BOOST_AUTO_TEST_CASE(the_rfc_4648_vectors_hold_both_ways) {
  const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : vectors) {
    BOOST_TEST(base64_encode(plain) == encoded);
    BOOST_TEST(text_of(base64_decode(encoded)) == plain);
  }
  BOOST_TEST(hex_encode("foobar") == "666f6f626172");
  BOOST_TEST(text_of(hex_decode("666f6f626172")) == "foobar");
}

BOOST_AUTO_TEST_CASE(the_url_alphabet_has_no_padding_and_its_own_two_digits) {
  const Bytes bytes = {0xfb, 0xff, 0xfe, 0xff};
  BOOST_TEST(base64_encode(bytes) == "+//+/w==");
  BOOST_TEST(base64url_encode(bytes) == "-__-_w");
  BOOST_TEST((base64url_decode("-__-_w") == bytes));
  BOOST_TEST(!base64url_decode("-__-_w=="));
  BOOST_TEST(!base64url_decode("+//+/w"));
  BOOST_TEST(!base64_decode("-__-_w=="));
}

BOOST_AUTO_TEST_CASE(decoding_refuses_every_text_that_encoding_would_not_write) {
  std::size_t accepted = 0;
  for_each_short_text("AQgw/+9=- \n", [&](const std::string& text) {
    if (const auto bytes = base64_decode(text)) {
      BOOST_TEST(base64_encode(*bytes) == text);
      ++accepted;
    }
  });
  // Seven digits: 7^4 full groups; AQgw are the digits 0 16 32 48 whose low four bits are zero, so 7*4 end in "==";
  // A, Q, g, w and no other have two zero low bits, so 7*7*4 end in "="; and the empty text.
  BOOST_TEST(accepted == 7u * 7 * 7 * 7 + 7 * 4 + 7 * 7 * 4 + 1);

  for_each_short_text("AQgw_-9=+ \n", [&](const std::string& text) {
    if (const auto bytes = base64url_decode(text)) {
      BOOST_TEST(base64url_encode(*bytes) == text);
    }
  });
  for_each_short_text("09afAFg x", [&](const std::string& text) {
    if (const auto bytes = hex_decode(text)) BOOST_TEST(hex_encode(*bytes) == text);
  });
}

BOOST_AUTO_TEST_CASE(decoding_refuses_broken_padding_blanks_and_nul) {
  for (const std::string_view text :
       {"Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm=v"}) {
    BOOST_TEST(!base64_decode(text), text);
  }
  BOOST_TEST(!base64_decode(std::string_view("Zm9\0", 4)));
  BOOST_TEST(!hex_decode("abc"));
  BOOST_TEST(!hex_decode("AB"));
}

BOOST_AUTO_TEST_CASE(every_length_survives_the_round_trip) {
  for (std::size_t size = 0; size < 100; ++size) {
    const Bytes bytes = random_bytes(size);
    const ByteView view = bytes;
    BOOST_TEST((base64_decode(base64_encode(view)) == bytes));
    BOOST_TEST((base64url_decode(base64url_encode(view)) == bytes));
    BOOST_TEST((hex_decode(hex_encode(view)) == bytes));
  }
}

BOOST_AUTO_TEST_SUITE_END()
