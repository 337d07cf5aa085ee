#include "core/crypto/client_secret.hpp"

#include <algorithm>

#include "core/crypto/primitives/checksum.hpp"

namespace tideover::crypto {
namespace {

constexpr std::string_view kSandboxPrefix = "cs_test_";
constexpr std::string_view kProductionPrefix = "cs_live_";
constexpr std::string_view kBase62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kRandomLength = 43;   // 62^43 > 2^256
constexpr std::size_t kChecksumLength = 6;  // 62^6 > 2^32

// Each character is equally likely: bytes above the last multiple of 62 are discarded.
std::string random_base62(std::size_t length) {
  constexpr std::uint8_t kFirstUneven = 256 / 62 * 62;
  std::string text;
  while (text.size() < length) {
    for (const std::uint8_t byte : random_bytes(length)) {
      if (byte < kFirstUneven && text.size() < length) text.push_back(kBase62[byte % 62]);
    }
  }
  return text;
}

std::string checksum_of(std::string_view text) {
  std::uint32_t rest = crc32(text);
  std::string checksum(kChecksumLength, '0');
  for (auto digit = checksum.rbegin(); digit != checksum.rend(); ++digit) {
    *digit = kBase62[rest % 62];
    rest /= 62;
  }
  return checksum;
}

}  // namespace

std::string new_client_secret(domain::Environment environment) {
  std::string secret(environment == domain::Environment::production ? kProductionPrefix : kSandboxPrefix);
  secret += random_base62(kRandomLength);
  secret += checksum_of(secret);
  return secret;
}

ClientSecretDigest digest_client_secret(const KeyRing& ring, std::string_view secret) {
  const auto key = ring.current();
  return {key->kid(), key->client_secret_key().sign(secret)};
}

bool client_secret_matches(const KeyRing& ring, std::string_view secret, const ClientSecretDigest& stored) {
  const auto key = ring.find(stored.kid);
  return key && constant_time_equal(key->client_secret_key().sign(secret), stored.digest);
}

}  // namespace tideover::crypto
