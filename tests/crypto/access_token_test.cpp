#include <boost/test/unit_test.hpp>

#include "core/crypto/access_token.hpp"
#include "core/crypto/primitives/encoding.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::crypto;
using tideover::domain::Environment;
using tideover::testing::TempFolder;

namespace {

constexpr std::int64_t kNow = 1795160415;
const std::string kLineA = "a:" + std::string(64, 'a') + "\n";
const std::string kLineB = "b:" + std::string(64, 'b') + "\n";

KeyRing ring_of(const std::string& lines) {
  const TempFolder folder;
  return std::get<KeyRing>(KeyRing::open(folder.write("keys", "lasting:" + std::string(64, 'f') + "\n" + lines)));
}

AccessTokenClaims some_claims() {
  return {"cli_01JD3M5Z8N0000000000000001",
          "ten_01JD3M5Z8N0000000000000002",
          0xf00000000000000full,
          Environment::production,
          kNow,
          kNow + 3600,
          7};
}

bool is_invalid(const OpenedToken& opened) {
  return std::holds_alternative<TokenInvalid>(opened);
}
bool is_expired(const OpenedToken& opened) {
  return std::holds_alternative<TokenExpired>(opened);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_access_token)

BOOST_AUTO_TEST_CASE(an_issued_token_verifies_to_the_same_claims) {
  const KeyRing ring = ring_of(kLineA);
  const AccessTokenClaims claims = some_claims();
  const std::string token = seal(ring, claims);
  BOOST_TEST(token.starts_with("v1."));
  const OpenedToken opened = open(ring, token, kNow);
  BOOST_REQUIRE(std::holds_alternative<AccessTokenClaims>(opened));
  BOOST_TEST((std::get<AccessTokenClaims>(opened) == claims));
}

BOOST_AUTO_TEST_CASE(two_tokens_of_the_same_second_differ) {
  const KeyRing ring = ring_of(kLineA);
  BOOST_TEST(seal(ring, some_claims()) != seal(ring, some_claims()));
}

BOOST_AUTO_TEST_CASE(a_token_expires_at_its_second) {
  const KeyRing ring = ring_of(kLineA);
  const std::string token = seal(ring, some_claims());
  BOOST_TEST(std::holds_alternative<AccessTokenClaims>(open(ring, token, kNow + 3599)));
  BOOST_TEST(is_expired(open(ring, token, kNow + 3600)));
}

BOOST_AUTO_TEST_CASE(a_token_from_more_than_a_minute_ahead_is_invalid) {
  const KeyRing ring = ring_of(kLineA);
  const std::string token = seal(ring, some_claims());
  BOOST_TEST(std::holds_alternative<AccessTokenClaims>(open(ring, token, kNow - 60)));
  BOOST_TEST(is_invalid(open(ring, token, kNow - 61)));
}

BOOST_AUTO_TEST_CASE(flipping_any_bit_makes_a_token_invalid) {
  const KeyRing ring = ring_of(kLineA + kLineB);
  const std::string token = seal(ring, some_claims());
  for (std::size_t i = 0; i < token.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string forged = token;
      forged[i] = static_cast<char>(forged[i] ^ (1 << bit));
      BOOST_TEST(is_invalid(open(ring, forged, kNow)), "character " << i << " bit " << bit);
    }
  }
  Bytes sealed = *base64url_decode(std::string_view(token).substr(3));
  for (std::size_t i = 0; i < sealed.size() * 8; ++i) {
    sealed[i / 8] = static_cast<std::uint8_t>(sealed[i / 8] ^ (1 << i % 8));
    BOOST_TEST(is_invalid(open(ring, "v1." + base64url_encode(sealed), kNow)), "bit " << i);
    sealed[i / 8] = static_cast<std::uint8_t>(sealed[i / 8] ^ (1 << i % 8));
  }
}

BOOST_AUTO_TEST_CASE(cutting_or_lengthening_makes_a_token_invalid) {
  const KeyRing ring = ring_of(kLineA);
  const std::string token = seal(ring, some_claims());
  for (std::size_t length = 0; length < token.size(); ++length) {
    BOOST_TEST(is_invalid(open(ring, token.substr(0, length), kNow)), "length " << length);
  }
  BOOST_TEST(is_invalid(open(ring, token + "A", kNow)));
  BOOST_TEST(is_invalid(open(ring, token + "AAAA", kNow)));
  BOOST_TEST(is_invalid(open(ring, token + "=", kNow)));
  BOOST_TEST(is_invalid(open(ring, " " + token, kNow)));
  BOOST_TEST(is_invalid(open(ring, "v2." + token.substr(3), kNow)));
  BOOST_TEST(is_invalid(open(ring, std::string(1 << 20, 'A'), kNow)));
  BOOST_TEST(is_invalid(open(ring, "v1." + std::string(1 << 20, 'A'), kNow)));
}

BOOST_AUTO_TEST_CASE(a_rotated_key_still_verifies_and_a_removed_one_no_longer) {
  const std::string old_token = seal(ring_of(kLineA), some_claims());
  BOOST_TEST(std::holds_alternative<AccessTokenClaims>(open(ring_of(kLineA + kLineB), old_token, kNow)));
  BOOST_TEST(is_invalid(open(ring_of(kLineB), old_token, kNow)));
}

BOOST_AUTO_TEST_CASE(a_foreign_key_under_a_known_kid_is_invalid) {
  const std::string foreign = seal(ring_of("a:" + std::string(64, 'c') + "\n"), some_claims());
  BOOST_TEST(is_invalid(open(ring_of(kLineA), foreign, kNow)));
}

BOOST_AUTO_TEST_CASE(an_expired_forgery_is_called_invalid_not_expired) {
  const std::string foreign = seal(ring_of("a:" + std::string(64, 'c') + "\n"), some_claims());
  BOOST_TEST(is_invalid(open(ring_of(kLineA), foreign, kNow + 999999)));
}

BOOST_AUTO_TEST_CASE(an_id_longer_than_64_characters_is_refused) {
  AccessTokenClaims claims = some_claims();
  claims.client_id = std::string(64, 'x');
  BOOST_TEST(std::holds_alternative<AccessTokenClaims>(open(ring_of(kLineA), seal(ring_of(kLineA), claims), kNow)));
  claims.client_id += 'x';
  BOOST_CHECK_THROW(seal(ring_of(kLineA), claims), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
