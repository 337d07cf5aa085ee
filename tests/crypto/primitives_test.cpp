#include <atomic>
#include <boost/test/unit_test.hpp>
#include <set>
#include <thread>
#include <vector>

#include "core/crypto/primitives/checksum.hpp"
#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/hmac.hpp"
#include "core/crypto/primitives/secret_bytes.hpp"
#include "core/crypto/primitives/sha256.hpp"

using namespace tideover::crypto;

BOOST_AUTO_TEST_SUITE(crypto_primitives)

BOOST_AUTO_TEST_CASE(sha256_gives_the_published_digests) {
  // FIPS 180-4 examples
  BOOST_TEST(hex_encode(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(hex_encode(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(hex_encode(sha256(std::string(1000000, 'a'))) ==
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(a_streamed_digest_equals_the_digest_of_the_whole_and_starts_over) {
  Sha256 stream;
  BOOST_TEST((stream.update("a").update("").update("bc").finish() == sha256("abc")));
  BOOST_TEST((stream.update("second").finish() == sha256("second")));
}

BOOST_AUTO_TEST_CASE(hmac_gives_the_published_tags) {
  // RFC 4231 test cases 1, 2 and 6 (a key longer than a block)
  const std::string key1(20, '\x0b');
  BOOST_TEST(hex_encode(HmacKey(key1).sign("Hi There")) ==
             "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  BOOST_TEST(hex_encode(HmacKey("Jefe").sign("what do ya want for nothing?")) ==
             "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const std::string key6(131, '\xaa');
  BOOST_TEST(hex_encode(HmacKey(key6).sign("Test Using Larger Than Block-Size Key - Hash Key First")) ==
             "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  // An empty key, from Python's hmac
  BOOST_TEST(hex_encode(HmacKey("").sign("")) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

BOOST_AUTO_TEST_CASE(an_hmac_key_signs_many_messages_from_many_threads) {
  const HmacKey key("Jefe");
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::string message = std::to_string(t) + ":" + std::to_string(i);
        if (key.sign(message) != HmacKey("Jefe").sign(message)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(
      (key.sign_pieces({"what do ya want ", "for nothing?"}) == HmacKey("Jefe").sign("what do ya want for nothing?")));
}

BOOST_AUTO_TEST_CASE(hkdf_gives_the_published_keys) {
  // RFC 5869 test case 3: no salt, no label
  BOOST_TEST(hex_encode(hkdf_sha256(std::string(22, '\x0b'), "", 42).view()) ==
             "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
  // With a label, from python3-cryptography
  Bytes master(32);
  for (std::size_t i = 0; i < master.size(); ++i) master[i] = static_cast<std::uint8_t>(i);
  BOOST_TEST(hex_encode(hkdf_sha256(master, "access-token-v1", 48).view()) ==
             "e28836a9532623893ae8c270ac403012e4ac62207be5d3b3a689ea663478e4836f445dc31eba26ee8b37b54a8edda89a");
}

BOOST_AUTO_TEST_CASE(constant_time_equal_compares_sizes_and_every_byte) {
  BOOST_TEST(constant_time_equal("", ""));
  BOOST_TEST(constant_time_equal("same", "same"));
  BOOST_TEST(!constant_time_equal("same", "sam"));
  for (std::size_t i = 0; i < 4; ++i) {
    std::string other = "same";
    other[i] ^= 1;
    BOOST_TEST(!constant_time_equal("same", other));
  }
}

BOOST_AUTO_TEST_CASE(random_bytes_do_not_repeat) {
  std::set<Bytes> seen;
  for (int i = 0; i < 100; ++i) seen.insert(random_bytes(16));
  BOOST_TEST(seen.size() == 100u);
}

BOOST_AUTO_TEST_CASE(wiping_leaves_no_byte_behind) {
  Bytes bytes(64, 0xaa);
  wipe(bytes);
  BOOST_TEST((bytes == Bytes(64, 0)));

  SecretBytes secret(ByteView("key"));
  const SecretBytes moved = std::move(secret);
  BOOST_TEST(hex_encode(moved.view()) == "6b6579");
}

BOOST_AUTO_TEST_CASE(crc32_gives_the_published_check_value) {
  BOOST_TEST(crc32("123456789") == 0xcbf43926u);
}

BOOST_AUTO_TEST_SUITE_END()
