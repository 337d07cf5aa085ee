#include <rapidjson/document.h>

#include <boost/test/unit_test.hpp>
#include <vector>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/webhook_signature.hpp"
#include "tests/crypto/temp_folder.hpp"

using namespace tideover::crypto;

namespace {

const std::string kSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
// python3: hmac.new(kSecret, b"1795160415.{}", sha256).hexdigest()
const std::string kTag = "c117e4854d8d28749d7d5414dafc05303704aa1f5087e1c2b4032f36d9917f7a";
constexpr std::int64_t kNow = 1795160415;

std::string text(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crypto_webhook_signature)

BOOST_AUTO_TEST_CASE(the_service_signs_the_published_vectors) {
  const std::string file = tideover::testing::read_file(TIDEOVER_SOURCE_DIR "/api/webhooks/test-vectors.json");
  rapidjson::Document document;
  document.Parse(file.data(), file.size());
  BOOST_REQUIRE(!document.HasParseError());
  const auto& vectors = document["vectors"];
  BOOST_TEST(vectors.Size() == 4u);
  for (const auto& vector : vectors.GetArray()) {
    BOOST_TEST_CONTEXT(text(vector["name"])) {
      std::vector<WebhookSecret> secrets;
      for (const auto& secret : vector["secrets"].GetArray()) {
        std::optional<WebhookSecret> parsed = WebhookSecret::parse(text(secret));
        BOOST_REQUIRE(parsed.has_value());
        secrets.push_back(std::move(*parsed));
      }
      const std::int64_t timestamp = vector["timestamp"].GetInt64();
      const std::string body = text(vector["body"]);
      const std::string header = service_signature(secrets, timestamp, body);
      BOOST_TEST(header == text(vector["service_signature"]));
      BOOST_TEST(standard_signature(secrets, text(vector["id"]), timestamp, body) == text(vector["webhook_signature"]));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_new_secret_is_32_random_bytes_behind_the_prefix) {
  const std::string secret = new_webhook_secret();
  BOOST_TEST(secret != new_webhook_secret());
  const std::optional<WebhookSecret> parsed = WebhookSecret::parse(secret);
  BOOST_REQUIRE(parsed.has_value());
  BOOST_TEST(parsed->bytes().size() == 32u);
  BOOST_TEST(parsed->shown().size() == secret.size());
}

BOOST_AUTO_TEST_CASE(a_text_that_is_not_a_webhook_secret_is_refused) {
  for (const std::string_view shown :
       {"", "whsec_", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "whsec_AAAA",
        "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9="}) {
    BOOST_TEST(!WebhookSecret::parse(shown).has_value(), shown);
  }
}

BOOST_AUTO_TEST_SUITE_END()
