// Ed25519, against RFC 8032 section 7.1.
#include <boost/test/unit_test.hpp>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/signing_key.hpp"

using namespace tideover::crypto;

BOOST_AUTO_TEST_SUITE(signing_key)

BOOST_AUTO_TEST_CASE(the_vectors_of_the_standard_are_reproduced) {
  const SigningKey key(*hex_decode("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"));
  BOOST_TEST(hex_encode(key.public_key()) == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  BOOST_TEST(hex_encode(key.sign(*hex_decode("72"))) ==
             "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb"
             "4302aeeb00d291612bb0c00");
}

BOOST_AUTO_TEST_CASE(a_signature_holds_for_its_message_and_key_alone) {
  const SigningKey key(std::string(32, 'a')), other(std::string(32, 'b'));
  const auto signature = key.sign("said");
  BOOST_TEST(signature_holds(key.public_key(), "said", signature));
  BOOST_TEST(!signature_holds(key.public_key(), "sad", signature));
  BOOST_TEST(!signature_holds(other.public_key(), "said", signature));
  auto changed = signature;
  changed[5] ^= 1;
  BOOST_TEST(!signature_holds(key.public_key(), "said", changed));
  BOOST_TEST(!signature_holds(key.public_key(), "said", ""));
}

BOOST_AUTO_TEST_SUITE_END()
