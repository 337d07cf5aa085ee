#include <boost/test/unit_test.hpp>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/crypto/primitives/aes_gcm.hpp"
#include "core/crypto/primitives/encoding.hpp"

using namespace tideover::crypto;

namespace {

struct Vector {
  std::string key, nonce, associated, plain, sealed;  // hex; `sealed` is ciphertext and tag
};

/// McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 13 to 16 without those of other nonce lengths.
const Vector kPublished[] = {
    {std::string(64, '0'), std::string(24, '0'), "", "", "530f8afbc74536b9a963b4f1c4cb738b"},
    {std::string(64, '0'), std::string(24, '0'), "", std::string(32, '0'),
     "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"},
    {"feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", "",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657b"
     "a"
     "637b391aafd255",
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0ab"
     "c"
     "c9f662898015adb094dac5d93471bdec1a502270e3cc6c"},
    {"feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657b"
     "a"
     "637b39",
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0ab"
     "c"
     "c9f66276fc6ece0f4e1768cddf8853bb2d551b"},
};

std::string bytes_of(const std::string& hex) {
  const auto bytes = hex_decode(hex).value();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_aes_gcm)

/// seal() chooses the nonce, so its output is not compared. What open() accepts under a nonce is unique, so seal()
/// computes the published algorithm when open() does.
BOOST_AUTO_TEST_CASE(the_published_ciphertexts_of_aes_256_gcm_are_decrypted_and_their_texts_encrypted) {
  for (const auto& given : kPublished) {
    const AesGcmKey key(bytes_of(given.key));
    const auto associated = bytes_of(given.associated), plain = bytes_of(given.plain);
    BOOST_TEST(key.open(associated, bytes_of(given.nonce + given.sealed)).value() == plain);
    std::string sealed;
    key.seal(associated, plain, sealed);
    BOOST_TEST(key.open(associated, sealed).value() == plain);
  }
}

BOOST_AUTO_TEST_CASE(any_flipped_bit_and_any_truncation_fails_decryption) {
  const AesGcmKey key(std::string(32, 'k'));
  std::string sealed = "before ";
  key.seal("where it lives", "what is kept", sealed);
  BOOST_REQUIRE(sealed.starts_with("before "));
  sealed.erase(0, 7);
  BOOST_TEST(key.open("where it lives", sealed).value() == "what is kept");
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    auto flipped = sealed;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    BOOST_TEST(!key.open("where it lives", flipped));
  }
  for (std::size_t size = 0; size < sealed.size(); ++size)
    BOOST_TEST(!key.open("where it lives", sealed.substr(0, size)));
  BOOST_TEST(!key.open("where it lived", sealed));
  BOOST_TEST(!key.open("", sealed));
  BOOST_TEST(!AesGcmKey(std::string(32, 'K')).open("where it lives", sealed));
  BOOST_TEST(key.open("where it lives", sealed).has_value());  // a refusal leaves the context usable
}

BOOST_AUTO_TEST_CASE(an_empty_text_and_no_associated_data_are_encrypted_too) {
  const AesGcmKey key(std::string(32, 'k'));
  std::string sealed;
  key.seal("", "", sealed);
  BOOST_TEST(sealed.size() == AesGcmKey::kNonceBytes + AesGcmKey::kTagBytes);
  BOOST_TEST(key.open("", sealed).value() == "");
  BOOST_TEST(!key.open("x", sealed));
}

BOOST_AUTO_TEST_CASE(no_nonce_comes_twice_from_any_thread) {
  const AesGcmKey key(std::string(32, 'k'));
  std::vector<std::set<std::string>> nonces(4);
  std::vector<std::thread> threads;
  for (auto& seen : nonces) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2'000; ++i) {
        std::string sealed;
        key.seal("a", "b", sealed);
        if (key.open("a", sealed) == "b") seen.insert(sealed.substr(0, AesGcmKey::kNonceBytes));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& seen : nonces) all.insert(seen.begin(), seen.end());
  BOOST_TEST(all.size() == 8'000u);
}

BOOST_AUTO_TEST_CASE(a_key_of_another_length_is_refused) {
  BOOST_CHECK_THROW(AesGcmKey(std::string(31, 'k')), std::invalid_argument);
  BOOST_CHECK_THROW(AesGcmKey(std::string(16, 'k')), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
