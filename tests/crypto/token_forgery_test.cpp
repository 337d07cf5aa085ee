// R30 (core/docs/reliability.md#fault-figures): no changed token is accepted, and the time of a refusal does not tell
// how much of its tag was right.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <random>

#include "core/crypto/access_token.hpp"
#include "core/crypto/primitives/encoding.hpp"
#include "tests/crypto/temp_folder.hpp"
#include "tests/fault/figure.hpp"

using namespace tideover;
using namespace tideover::crypto;
using tideover::testing::TempFolder;

namespace {

constexpr std::int64_t kNow = 1'795'160'415;

struct Forger {
  KeyRing ring;
  std::mt19937 random;
  std::string tokens[2];

  explicit Forger(unsigned seed) : ring(open_ring()), random(seed) {
    for (const auto& [client, scopes] : {std::pair("cli_01JD3M5Z8N0000000000000001", 1u), {"cli_02", 0xffffu}})
      tokens[scopes == 1u ? 0 : 1] =
          seal(ring, {client, "ten_1", scopes, domain::Environment::sandbox, kNow, kNow + 3600, 7});
  }
  static KeyRing open_ring() {
    const TempFolder folder;
    std::string text = "lasting:" + std::string(64, 'f') + '\n';
    for (const char kid : {'a', 'b'}) text += std::string(1, kid) + ':' + std::string(64, kid) + '\n';
    return std::get<KeyRing>(KeyRing::open(folder.write("keys", text)));
  }
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); }
  char letter() { return "ABCXYZabcxyz0189-_.= "[below(21)]; }

  /// A token that the service did not issue.
  std::string forged() {
    std::string made;
    do made = changed(tokens[below(2)]);
    while (made == tokens[0] || made == tokens[1]);
    return made;
  }
  std::string changed(std::string token) {
    const std::size_t at = below(token.size());
    switch (below(6)) {
      case 0:
        token[at] = letter();
        return token;
      case 1:
        return token.insert(at, 1 + below(3), letter());
      case 2:
        return token.erase(at, 1 + below(8));
      case 3:
        std::swap(token[at], token[below(token.size())]);
        return token;
      case 4:
        return token.substr(0, at) + tokens[below(2)].substr(std::min(at, tokens[1].size()));
      default:
        return with_changed_bytes(token);
    }
  }
  /// Of the same form as a token: some of its bytes are others.
  std::string with_changed_bytes(const std::string& token) {
    auto bytes = *base64url_decode(std::string_view(token).substr(3));
    for (std::size_t changes = 1 + below(4); changes > 0; --changes)
      bytes[below(bytes.size())] = static_cast<std::uint8_t>(below(256));
    return "v1." + base64url_encode(bytes);
  }
};

/// Welch's t of two samples, without their slowest tenth, which other work on the machine makes.
double welch_t(std::vector<double> one, std::vector<double> other) {
  const auto moments = [](std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    values.resize(values.size() * 9 / 10);
    const auto count = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (const double value : values) sum += value;
    for (const double value : values) squares += (value - sum / count) * (value - sum / count);
    return std::pair(sum / count, squares / (count - 1) / count);
  };
  const auto [mean, error] = moments(one);
  const auto [other_mean, other_error] = moments(other);
  return (mean - other_mean) / std::sqrt(std::max(error + other_error, 1e-9));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(token_forgery)

BOOST_AUTO_TEST_CASE(no_changed_token_is_accepted) {
  const std::size_t promised = test::cases(100'000, 10'000'000);
  const unsigned seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  Forger forger(seed);
  for (const auto& token : forger.tokens)
    BOOST_REQUIRE(std::holds_alternative<AccessTokenClaims>(open(forger.ring, token, kNow)));
  std::size_t refused = 0;
  for (std::size_t i = 0; i < promised; ++i) {
    const std::string token = forger.forged();
    if (std::holds_alternative<TokenInvalid>(open(forger.ring, token, kNow)))
      ++refused;
    else
      BOOST_ERROR("accepted: " << token);
  }
  test::survived("R30", refused, promised, "changed tokens: all invalid");
}

BOOST_AUTO_TEST_CASE(the_time_of_a_refusal_does_not_tell_where_the_tag_differs) {
  constexpr std::size_t kSamples = 40'000;
  constexpr double kMost = 4.5;
  Forger forger(1);
  const auto wrong_at = [&](std::size_t from_end) {
    auto bytes = *base64url_decode(std::string_view(forger.tokens[0]).substr(3));
    bytes[bytes.size() - from_end] ^= 1;
    return "v1." + base64url_encode(bytes);
  };
  const std::string tokens[] = {wrong_at(32), wrong_at(1)};  // the first and the last byte of the tag
  std::string sent = tokens[0];                              // at one place in memory
  double t = kMost;
  for (int round = 0; round < 5 && std::fabs(t) >= kMost; ++round) {
    std::vector<double> times[2];
    for (std::size_t i = 0; i < kSamples; ++i) {
      const std::size_t which = forger.below(2);
      sent.assign(tokens[which]);
      const auto started = std::chrono::steady_clock::now();
      const bool is_invalid = std::holds_alternative<TokenInvalid>(open(forger.ring, sent, kNow));
      times[which].push_back(
          std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - started).count());
      BOOST_REQUIRE(is_invalid);
    }
    t = welch_t(std::move(times[0]), std::move(times[1]));
  }
  BOOST_TEST(std::fabs(t) < kMost);
  test::survived("R30", kSamples, kSamples, "timed refusals: t is " + std::to_string(t));
}

BOOST_AUTO_TEST_SUITE_END()
