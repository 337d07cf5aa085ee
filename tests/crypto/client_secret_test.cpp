#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <set>

#include "core/crypto/client_secret.hpp"
#include "core/crypto/primitives/checksum.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::crypto;
using tideover::domain::Environment;
using tideover::testing::TempFolder;

namespace {

KeyRing ring_of(const std::string& lines) {
  const TempFolder folder;
  return std::get<KeyRing>(KeyRing::open(folder.write("keys", "lasting:" + std::string(64, 'f') + "\n" + lines)));
}

const std::string kLineA = "a:" + std::string(64, 'a') + "\n";
const std::string kLineB = "b:" + std::string(64, 'b') + "\n";

/// The CRC-32 in base 62, six digits: the end of a secret that begins with this text.
std::string checksum_of(const std::string& text) {
  constexpr std::string_view kBase62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string checksum;
  for (std::uint32_t rest = crc32(text); checksum.size() < 6; rest /= 62) checksum.insert(0, 1, kBase62[rest % 62]);
  return checksum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_client_secret)

BOOST_AUTO_TEST_CASE(new_secrets_carry_their_environment_and_a_checksum) {
  const std::string test = new_client_secret(Environment::sandbox);
  const std::string live = new_client_secret(Environment::production);
  BOOST_TEST(test.starts_with("cs_test_"));
  BOOST_TEST(live.starts_with("cs_live_"));
  // python3: zlib.crc32(b'cs_test_' + b'0' * 43), written in base 62, six digits
  BOOST_TEST_REQUIRE(checksum_of("cs_test_" + std::string(43, '0')) == "2XbMNR");
  for (const auto& secret : {test, live}) {
    BOOST_TEST_REQUIRE(secret.size() == 57u);
    BOOST_TEST(secret.substr(51) == checksum_of(secret.substr(0, 51)));
  }
}

BOOST_AUTO_TEST_CASE(new_secrets_use_every_character_about_evenly) {
  std::array<int, 256> counts{};
  std::set<std::string> seen;
  constexpr int kSecrets = 2000;
  for (int i = 0; i < kSecrets; ++i) {
    const std::string secret = new_client_secret(Environment::sandbox);
    seen.insert(secret);
    for (const char c : secret.substr(8, 43)) ++counts[static_cast<unsigned char>(c)];
  }
  BOOST_TEST(seen.size() == static_cast<std::size_t>(kSecrets));
  // 86 000 draws over 62 characters: 1387 each, standard deviation 37; eight of them is never.
  for (const int count : counts) BOOST_TEST((count == 0 || std::abs(count - 1387) < 300));
  BOOST_TEST(std::count_if(counts.begin(), counts.end(), [](int count) { return count > 0; }) == 62);
}

BOOST_AUTO_TEST_CASE(a_secret_matches_its_own_digest_only) {
  const KeyRing ring = ring_of(kLineA);
  const std::string secret = new_client_secret(Environment::sandbox);
  const ClientSecretDigest stored = digest_client_secret(ring, secret);
  BOOST_TEST(stored.kid == "a");
  BOOST_TEST(client_secret_matches(ring, secret, stored));
  BOOST_TEST(!client_secret_matches(ring, new_client_secret(Environment::sandbox), stored));
}

BOOST_AUTO_TEST_CASE(a_digest_outlives_rotation_until_its_key_is_removed) {
  const std::string secret = new_client_secret(Environment::sandbox);
  const ClientSecretDigest stored = digest_client_secret(ring_of(kLineA), secret);
  BOOST_TEST(client_secret_matches(ring_of(kLineA + kLineB), secret, stored));
  BOOST_TEST(!client_secret_matches(ring_of(kLineB), secret, stored));
}

BOOST_AUTO_TEST_CASE(the_digest_depends_on_the_pepper) {
  const std::string secret = new_client_secret(Environment::sandbox);
  BOOST_TEST(
      (digest_client_secret(ring_of(kLineA), secret).digest != digest_client_secret(ring_of(kLineB), secret).digest));
}

BOOST_AUTO_TEST_SUITE_END()
