#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <set>

#include "core/crypto/client_secret.hpp"
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

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_client_secret)

BOOST_AUTO_TEST_CASE(new_secrets_carry_their_environment_and_are_plausible) {
  const std::string test = new_client_secret(Environment::sandbox);
  const std::string live = new_client_secret(Environment::production);
  BOOST_TEST(test.starts_with("cs_test_"));
  BOOST_TEST(live.starts_with("cs_live_"));
  BOOST_TEST(test.size() == 57u);
  BOOST_TEST(plausible_client_secret(test));
  BOOST_TEST(plausible_client_secret(live));
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

BOOST_AUTO_TEST_CASE(the_checksum_is_the_crc_in_base_62) {
  // python3: zlib.crc32(b'cs_test_' + b'0' * 43), written in base 62, six digits
  BOOST_TEST(plausible_client_secret("cs_test_" + std::string(43, '0') + "2XbMNR"));
}

BOOST_AUTO_TEST_CASE(a_changed_character_makes_a_secret_implausible) {
  const std::string secret = new_client_secret(Environment::sandbox);
  for (std::size_t i = 0; i < secret.size(); ++i) {
    std::string typo = secret;
    typo[i] = typo[i] == 'x' ? 'y' : 'x';
    BOOST_TEST(!plausible_client_secret(typo), "character " << i);
  }
  BOOST_TEST(!plausible_client_secret(""));
  BOOST_TEST(!plausible_client_secret(secret.substr(1)));
  BOOST_TEST(!plausible_client_secret(secret + "0"));
  BOOST_TEST(!plausible_client_secret("cs_live_" + secret.substr(8)));
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
