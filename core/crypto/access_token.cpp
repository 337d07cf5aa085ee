#include "core/crypto/access_token.hpp"

#include <optional>
#include <stdexcept>

#include "core/crypto/primitives/encoding.hpp"

namespace tideover::crypto {
namespace {

constexpr std::string_view kVersionPrefix = "v1.";
constexpr std::size_t kMaxIdBytes = 64;
constexpr std::size_t kNonceBytes = 16;
constexpr std::size_t kTagBytes = 32;
constexpr std::uint8_t kSandbox = 1;
constexpr std::uint8_t kProduction = 2;
// Longer texts are refused before they are decoded.
constexpr std::size_t kMaxTokenLength = 512;

void put_integer(Bytes& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

void put_text(Bytes& out, std::string_view text) {
  if (text.size() > kMaxIdBytes) throw std::invalid_argument("an id in an access token is longer than 64 bytes");
  out.push_back(static_cast<std::uint8_t>(text.size()));
  out.insert(out.end(), text.begin(), text.end());
}

// Reads the fields that put_* wrote; becomes invalid at the first field that does not fit.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  std::uint8_t byte() {
    const auto field = take(1);
    return field.empty() ? std::uint8_t{0} : field[0];
  }
  std::uint64_t integer() {
    std::uint64_t value = 0;
    for (const std::uint8_t next : take(8)) value = value << 8 | next;
    return value;
  }
  std::string text() {
    const auto field = take(byte());
    return std::string(field.begin(), field.end());
  }
  void skip(std::size_t size) { take(size); }
  bool ended_well() const { return good_ && rest_.empty(); }

 private:
  std::span<const std::uint8_t> take(std::size_t size) {
    good_ = good_ && size <= rest_.size();
    if (!good_) return {};
    const auto field = rest_.first(size);
    rest_ = rest_.subspan(size);
    return field;
  }

  std::span<const std::uint8_t> rest_;
  bool good_ = true;
};

std::optional<AccessTokenClaims> read_claims(std::span<const std::uint8_t> payload) {
  Reader reader(payload);
  AccessTokenClaims claims;
  reader.text();  // kid, already read
  claims.client_id = reader.text();
  claims.tenant_id = reader.text();
  claims.scope_bits = reader.integer();
  const std::uint8_t environment = reader.byte();
  claims.environment = environment == kProduction ? domain::Environment::production : domain::Environment::sandbox;
  claims.issued_at_s = static_cast<std::int64_t>(reader.integer());
  claims.expires_at_s = static_cast<std::int64_t>(reader.integer());
  claims.epoch = reader.integer();
  reader.skip(kNonceBytes);
  if (!reader.ended_well() || (environment != kSandbox && environment != kProduction)) return std::nullopt;
  return claims;
}

}  // namespace

std::string seal(const KeyRing& ring, const AccessTokenClaims& claims) {
  const auto current = ring.current();
  const MasterKey& key = *current;
  Bytes payload;
  payload.reserve(256);
  put_text(payload, key.kid());
  put_text(payload, claims.client_id);
  put_text(payload, claims.tenant_id);
  put_integer(payload, claims.scope_bits);
  payload.push_back(claims.environment == domain::Environment::production ? kProduction : kSandbox);
  put_integer(payload, static_cast<std::uint64_t>(claims.issued_at_s));
  put_integer(payload, static_cast<std::uint64_t>(claims.expires_at_s));
  put_integer(payload, claims.epoch);
  const Bytes nonce =
      random_bytes(kNonceBytes);  // two tokens of the same second differ, so that one can be denied alone
  payload.insert(payload.end(), nonce.begin(), nonce.end());

  const Sha256Digest tag = key.access_token_key().sign(payload);
  payload.insert(payload.end(), tag.begin(), tag.end());
  return std::string(kVersionPrefix) + base64url_encode(payload);
}

OpenedToken open(const KeyRing& ring, std::string_view token, std::int64_t now_s) {
  if (token.size() > kMaxTokenLength || !token.starts_with(kVersionPrefix)) return TokenInvalid{};
  const std::optional<Bytes> sealed = base64url_decode(token.substr(kVersionPrefix.size()));
  if (!sealed || sealed->size() <= kTagBytes) return TokenInvalid{};
  const std::span<const std::uint8_t> payload = std::span(*sealed).first(sealed->size() - kTagBytes);
  const std::span<const std::uint8_t> tag = std::span(*sealed).last(kTagBytes);

  const auto key = ring.find(Reader(payload).text());
  if (!key || !constant_time_equal(key->access_token_key().sign(payload), tag)) return TokenInvalid{};

  const std::optional<AccessTokenClaims> claims = read_claims(payload);
  if (!claims || claims->issued_at_s > now_s + kTokenClockSkewSeconds) return TokenInvalid{};
  if (claims->expires_at_s <= now_s) return TokenExpired{};
  return *claims;
}

}  // namespace tideover::crypto
