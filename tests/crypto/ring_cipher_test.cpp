#include <boost/test/unit_test.hpp>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover;
using namespace tideover::crypto;
using testing::TempFolder;

namespace {

const std::string kLasting = "lasting:" + std::string(64, 'f') + "\n";
const std::string kLineA = "a:" + std::string(64, 'a') + "\n";
const std::string kLineB = "b:" + std::string(64, 'b') + "\n";
const ports::Cell kCell{"ten_1", "claims", "chart_identifier", "clm_1"};

struct Ring {
  explicit Ring(const std::string& lines)
      : keys(std::get<KeyRing>(KeyRing::open(folder.write("keys", kLasting + lines)))), cipher(keys) {}
  TempFolder folder;
  KeyRing keys;
  RingCipher cipher;
};

/// "open: <text>", or why not.
std::string opened(const RingCipher& cipher, const ports::Cell& cell, std::string_view sealed) {
  const auto result = cipher.open(cell, sealed);
  if (const auto* text = std::get_if<std::string>(&result)) return "open: " + *text;
  return std::get<ports::SealFault>(result) == ports::SealFault::unknown_key ? "unknown key" : "damaged";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_ring_cipher)

BOOST_AUTO_TEST_CASE(a_value_decrypts_in_its_own_cell_only) {
  const Ring ring(kLineA);
  const auto sealed = ring.cipher.seal(kCell, "chart 4711");
  BOOST_TEST(sealed.find("4711") == std::string::npos);
  BOOST_TEST(ports::key_of_seal(sealed) == "a");
  BOOST_TEST(opened(ring.cipher, kCell, sealed) == "open: chart 4711");
  BOOST_TEST(sealed != ring.cipher.seal(kCell, "chart 4711"));
  for (const auto& other : {ports::Cell{"ten_2", "claims", "chart_identifier", "clm_1"},
                            ports::Cell{"ten_1", "reviews", "chart_identifier", "clm_1"},
                            ports::Cell{"ten_1", "claims", "claim_identifier", "clm_1"},
                            ports::Cell{"ten_1", "claims", "chart_identifier", "clm_2"},
                            ports::Cell{"ten_1c", "laims", "chart_identifier", "clm_1"}})
    BOOST_TEST(opened(ring.cipher, other, sealed) == "damaged");
}

BOOST_AUTO_TEST_CASE(encryptions_by_each_key_are_counted_over_all_tenants) {
  Ring ring(kLineA);
  BOOST_TEST(ring.cipher.take_seals().empty());
  const auto sealed = ring.cipher.seal(kCell, "one");
  ring.cipher.seal({"ten_2", "claims", "chart_identifier", "clm_1"}, "two");
  ring.cipher.seal_under("lasting", kCell, "three");
  BOOST_TEST(opened(ring.cipher, kCell, sealed) == "open: one");
  const std::map<std::string, std::uint64_t> expected{{"a", 2}, {"lasting", 1}};
  BOOST_TEST((ring.cipher.take_seals() == expected));
  BOOST_TEST(ring.cipher.take_seals().empty());
}

BOOST_AUTO_TEST_CASE(an_older_key_still_decrypts_and_a_retired_one_does_not) {
  Ring ring(kLineA);
  const auto old = ring.cipher.seal(kCell, "text");
  ring.folder.write("keys", kLasting + kLineA + kLineB);
  BOOST_TEST(std::get<bool>(ring.keys.reload()));
  BOOST_TEST(ring.cipher.current_key() == "b");
  BOOST_TEST(opened(ring.cipher, kCell, old) == "open: text");
  const auto fresh = ring.cipher.seal(kCell, "text");
  BOOST_TEST(ports::key_of_seal(fresh) == "b");
  ring.folder.write("keys", kLasting + kLineB);
  BOOST_TEST(std::get<bool>(ring.keys.reload()));
  BOOST_TEST(opened(ring.cipher, kCell, old) == "unknown key");
  BOOST_TEST(opened(ring.cipher, kCell, fresh) == "open: text");
}

BOOST_AUTO_TEST_CASE(a_value_relabelled_to_another_key_does_not_decrypt) {
  const Ring ring(kLineA + kLineB);
  auto sealed = ring.cipher.seal_under("a", kCell, "text");
  sealed[2] = 'b';
  BOOST_TEST(opened(ring.cipher, kCell, sealed) == "damaged");
  sealed[2] = 'c';
  BOOST_TEST(opened(ring.cipher, kCell, sealed) == "unknown key");
  sealed[2] = 'a';
  BOOST_TEST(opened(ring.cipher, kCell, sealed) == "open: text");
  sealed[0] = '\x02';
  BOOST_TEST(opened(ring.cipher, kCell, sealed) == "damaged");
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_encrypted_value_is_damaged) {
  const Ring ring(kLineA);
  for (const std::string& bytes : {std::string(), std::string("x"), std::string("\x01"), std::string("\x01\x00", 2),
                                   std::string("\x01\xff"), ports::seal_head("a"), std::string("plain text")})
    BOOST_TEST(opened(ring.cipher, kCell, bytes) == "damaged");
}

BOOST_AUTO_TEST_CASE(the_lasting_key_encrypts_values_that_no_rotation_touches) {
  const Ring ring(kLineA);
  const auto sealed = ring.cipher.seal_under("lasting", kCell, "canary");
  BOOST_TEST(opened(ring.cipher, kCell, sealed) == "open: canary");
  BOOST_TEST(opened(Ring(kLineB).cipher, kCell, sealed) == "open: canary");
  BOOST_TEST((ring.cipher.keys() == std::vector<std::string>{"lasting", "a"}));
  BOOST_CHECK_THROW(ring.cipher.seal_under("b", kCell, "text"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_blind_index_lasts_and_differs_by_tenant_purpose_and_text) {
  const auto index = [](const Ring& ring, const char* tenant, const char* purpose, const char* text) {
    return hex_encode(ring.cipher.blind_index(tenant, purpose, text));
  };
  const Ring before(kLineA), after(kLineB);
  const auto known = index(before, "ten_1", "claim-lookup-v1", "CLM-1");
  BOOST_TEST(known.size() == 32u);
  BOOST_TEST(index(after, "ten_1", "claim-lookup-v1", "CLM-1") == known);
  BOOST_TEST(index(before, "ten_2", "claim-lookup-v1", "CLM-1") != known);
  BOOST_TEST(index(before, "ten_1", "other-v1", "CLM-1") != known);
  BOOST_TEST(index(before, "ten_1", "claim-lookup-v1", "CLM-1 ") != known);
}

BOOST_AUTO_TEST_SUITE_END()
