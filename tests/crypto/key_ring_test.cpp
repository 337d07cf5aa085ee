#include <sys/stat.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <set>
#include <thread>
#include <vector>

#include "core/crypto/key_ring.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/crypto/primitives/encoding.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::crypto;
using tideover::testing::read_file;
using tideover::testing::TempFolder;

namespace {

const std::string kKeyA(64, 'a');
const std::string kKeyB(64, 'b');
const std::string kLasting = "lasting:" + std::string(64, 'f') + "\n";

std::string refusal(const std::variant<KeyRing, KeyRingError>& opened) {
  const auto* error = std::get_if<KeyRingError>(&opened);
  return error == nullptr ? "(accepted)" : error->message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_key_ring)

BOOST_AUTO_TEST_CASE(a_missing_file_is_created_private_with_one_key_and_read_again) {
  const TempFolder folder;
  const auto path = folder.path() / "data" / "keys";
  const auto created = KeyRing::open_or_create(path);
  BOOST_REQUIRE_EQUAL(refusal(created), "(accepted)");

  struct stat status {};
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0600u);
  BOOST_REQUIRE(::stat(path.parent_path().c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0700u);

  const auto reopened = KeyRing::open_or_create(path);
  BOOST_REQUIRE_EQUAL(refusal(reopened), "(accepted)");
  const KeyRing& first = std::get<KeyRing>(created);
  const KeyRing& second = std::get<KeyRing>(reopened);
  BOOST_TEST(first.current()->kid() == second.current()->kid());
  BOOST_TEST((first.current()->access_token_key().sign("x") == second.current()->access_token_key().sign("x")));
  // No draft is left beside it.
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}) == 1);
}

BOOST_AUTO_TEST_CASE(processes_that_start_at_once_get_the_same_key) {
  const TempFolder folder;
  std::vector<std::string> kids(8);
  std::vector<std::thread> threads;
  for (std::string& kid : kids) {
    threads.emplace_back([&] {
      const auto opened = KeyRing::open_or_create(folder.path() / "keys");
      kid = std::holds_alternative<KeyRing>(opened) ? std::get<KeyRing>(opened).current()->kid() : refusal(opened);
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(std::set<std::string>(kids.begin(), kids.end()).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_last_line_signs_and_the_others_are_found_by_kid) {
  const TempFolder folder;
  const auto path = folder.write("keys", "# rotated in autumn\n2025:" + kKeyA + "\n\n2026:" + kKeyB + "\n" + kLasting);
  const auto opened = KeyRing::open(path);
  BOOST_REQUIRE_EQUAL(refusal(opened), "(accepted)");
  const KeyRing& ring = std::get<KeyRing>(opened);
  BOOST_TEST(ring.current()->kid() == "2026");
  BOOST_REQUIRE(ring.find("2025") != nullptr);
  BOOST_TEST(ring.find("2025")->kid() == "2025");
  BOOST_TEST(ring.find("2024") == nullptr);
  BOOST_TEST(ring.find("lasting") == nullptr);
}

BOOST_AUTO_TEST_CASE(each_purpose_has_its_own_key) {
  const MasterKey key("k1", SecretBytes(ByteView(kKeyA)));
  BOOST_TEST((key.access_token_key().sign("x") != key.client_secret_key().sign("x")));
  BOOST_TEST((hex_encode(key.derive("one-v1", 32).view()) != hex_encode(key.derive("two-v1", 32).view())));
  BOOST_TEST((key.access_token_key().sign("x") == HmacKey(key.derive("access-token-v1", 32).view()).sign("x")));
}

BOOST_AUTO_TEST_CASE(a_lasting_digest_survives_rotation_and_differs_by_purpose) {
  const TempFolder folder;
  const auto digest = [&](const std::string& lines, std::string_view purpose, std::string_view text) {
    return LastingDigest(std::get<KeyRing>(KeyRing::open(folder.write("keys", lines)))).digest(purpose, text);
  };
  const std::string before = digest("a:" + kKeyA + "\n" + kLasting, "claim", "text");
  // python3-cryptography HKDF, then hmac twice
  BOOST_TEST(before == "6dc52804598406a9ba93aad4897f1cf8");
  BOOST_TEST(digest(kLasting + "b:" + kKeyB + "\n", "claim", "text") == before);
  BOOST_TEST(digest("a:" + kKeyA + "\n" + kLasting, "payer", "text") != before);
  BOOST_TEST(digest("a:" + kKeyA + "\n" + kLasting, "claim", "texu") != before);
  BOOST_TEST(digest("a:" + kKeyA + "\nlasting:" + kKeyA + "\n", "claim", "text") != before);
}

BOOST_AUTO_TEST_CASE(a_file_that_others_may_read_is_refused) {
  const TempFolder folder;
  for (const int mode : {0640, 0604, 0660, 0602, 0610}) {
    const auto path = folder.write("keys", "k1:" + kKeyA + "\n", std::filesystem::perms(mode));
    BOOST_TEST(refusal(KeyRing::open(path)) ==
               path.string() + ": other users can read or write the key file; run chmod 600 on it");
  }
}

BOOST_AUTO_TEST_CASE(each_malformed_line_is_named_by_file_and_line_without_showing_the_key) {
  const TempFolder folder;
  const std::string good = "k1:" + kKeyA + "\n";
  const std::pair<std::string, std::string> cases[] = {
      {good + kKeyB + "\n", ":2: expected `kid:key`, found no colon"},
      {":" + kKeyA + "\n", ":1: a key id must be 1 to 16 characters of a-z, 0-9 and -"},
      {"K1:" + kKeyA + "\n", ":1: a key id must be 1 to 16 characters of a-z, 0-9 and -"},
      {"a-very-long-key-id:" + kKeyA, ":1: a key id must be 1 to 16 characters of a-z, 0-9 and -"},
      {good + "\n" + good, ":3: duplicate key id; give each key its own id"},
      {"k1:" + kKeyA.substr(1) + "\n", ":1: the key is not 64 lower-case hex digits"},
      {"k1:" + kKeyA + "aa\n", ":1: the key is not 64 lower-case hex digits"},
      {"k1:" + kKeyA + "\r\n", ":1: the key is not 64 lower-case hex digits"},
      {"k1: " + kKeyA + "\n", ":1: the key is not 64 lower-case hex digits"},
      {kLasting + "x:y\n" + kLasting, ":2: the key is not 64 lower-case hex digits"},
      {kLasting + good + kLasting, ":3: duplicate key id; give each key its own id"},
      {good,
       ": the line `lasting:<64 hex digits>` is missing; restore it. Another value would make stored digests "
       "useless"},
      {kLasting, ": has no key; restore the file, or delete it to have a new one created"},
      {"", ": has no key; restore the file, or delete it to have a new one created"},
      {"# nothing\n", ": has no key; restore the file, or delete it to have a new one created"},
  };
  for (const auto& [text, expected] : cases) {
    const auto path = folder.write("keys", text);
    BOOST_TEST(refusal(KeyRing::open_or_create(path)) == path.string() + expected);
  }
}

BOOST_AUTO_TEST_CASE(an_unreadable_file_is_refused_with_the_reason) {
  const TempFolder folder;
  BOOST_TEST(refusal(KeyRing::open(folder.path())) == folder.path().string() + ": is not a regular file");
  const auto absent = folder.path() / "absent";
  BOOST_TEST(refusal(KeyRing::open(absent)) ==
             absent.string() + ": cannot open the key file: No such file or directory");
  const auto too_deep = folder.path() / "no" / "such" / "keys";
  BOOST_TEST(refusal(KeyRing::open_or_create(too_deep)) ==
             too_deep.string() + ": cannot create its directory: No such file or directory");
  const auto huge = folder.write("huge", std::string(70000, '#'));
  BOOST_TEST(refusal(KeyRing::open(huge)) == huge.string() + ": larger than 64 KiB; this is not a key file");
}

BOOST_AUTO_TEST_CASE(rotating_adds_a_current_key_and_keeps_file_mode_comments_and_older_keys) {
  const TempFolder folder;
  const auto path = folder.write("keys", "# ours\nk1:" + kKeyA + "\n" + kLasting.substr(0, kLasting.size() - 1));
  auto opened = KeyRing::open(path);
  BOOST_REQUIRE_EQUAL(refusal(opened), "(accepted)");
  auto& ring = std::get<KeyRing>(opened);
  const auto held = ring.current();
  const auto rotated = ring.rotate();
  BOOST_REQUIRE(std::holds_alternative<std::string>(rotated));
  const auto kid = std::get<std::string>(rotated);
  BOOST_TEST(ring.current()->kid() == kid);
  BOOST_TEST(ring.find("k1")->same_as(*held));
  BOOST_TEST((ring.kids() == std::vector<std::string>{"k1", kid}));
  BOOST_TEST(std::get<KeyRing>(KeyRing::open(path)).current()->same_as(*ring.current()));
  BOOST_TEST(read_file(path).starts_with("# ours\nk1:" + kKeyA + "\n" + kLasting));
  BOOST_TEST((std::filesystem::status(path).permissions() == std::filesystem::perms(0600)));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  BOOST_TEST(files == 1u);  // no draft stays behind

  BOOST_TEST(ring.remove(kid)->message == path.string() + ": " + kid + " is the current key; rotate first");
  BOOST_TEST(ring.remove("lasting")->message == path.string() + ": has no key lasting that can be removed");
  BOOST_TEST(!ring.remove("k1"));
  BOOST_TEST(ring.find("k1") == nullptr);
  BOOST_TEST(held->kid() == "k1");  // its holder may finish
  BOOST_TEST(read_file(path).starts_with("# ours\nlasting:"));
}

BOOST_AUTO_TEST_CASE(a_changed_file_is_taken_over_and_one_that_contradicts_the_ring_is_not) {
  const TempFolder folder;
  const std::string good = kLasting + "k1:" + kKeyA + "\n";
  const auto path = folder.write("keys", good);
  auto opened = KeyRing::open(path);
  auto& ring = std::get<KeyRing>(opened);
  BOOST_TEST(!std::get<bool>(ring.reload()));
  const std::pair<std::string, std::string> contradictions[] = {
      {"lasting:" + kKeyB + "\nk1:" + kKeyA + "\n",
       ": the lasting key has changed; restore it. The old keys stay in use"},
      {kLasting + "k1:" + kKeyB + "\n", ": key k1 has changed; give a new key its own id"},
      {kLasting, ": has no key; restore the file, or delete it to have a new one created"},
  };
  for (const auto& [text, expected] : contradictions) {
    folder.write("keys", text);
    const auto reloaded = ring.reload();
    BOOST_REQUIRE(std::holds_alternative<KeyRingError>(reloaded));
    BOOST_TEST(std::get<KeyRingError>(reloaded).message == path.string() + expected);
    BOOST_TEST(ring.current()->kid() == "k1");
  }
  folder.write("keys", good + "k2:" + kKeyB + "\n");
  BOOST_TEST(std::get<bool>(ring.reload()));
  BOOST_TEST(ring.current()->kid() == "k2");
}

BOOST_AUTO_TEST_CASE(a_staged_key_is_known_and_makes_nothing_until_it_is_made_current) {
  const TempFolder folder;
  const auto path = folder.write("keys", kLasting + "k1:" + kKeyA + "\n");
  auto opened = KeyRing::open(path);
  auto& ring = std::get<KeyRing>(opened);
  const auto kid = std::get<std::string>(ring.stage());
  BOOST_TEST(ring.current()->kid() == "k1");
  BOOST_TEST((ring.kids() == std::vector<std::string>{kid, "k1"}));
  BOOST_TEST(ring.make_current("k9")->message == path.string() + ": has no key k9");
  BOOST_TEST(!ring.make_current(kid));
  BOOST_TEST((ring.kids() == std::vector<std::string>{"k1", kid}));
  BOOST_TEST(std::get<KeyRing>(KeyRing::open(path)).current()->kid() == kid);
}

BOOST_AUTO_TEST_SUITE_END()
