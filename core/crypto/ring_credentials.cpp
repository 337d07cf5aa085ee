#include "core/crypto/ring_credentials.hpp"

#include <algorithm>

#include "core/crypto/access_token.hpp"
#include "core/crypto/client_secret.hpp"
#include "core/crypto/webhook_signature.hpp"

namespace tideover::crypto {
namespace {

/// A token has one number for the epoch of its client and the number of its secret. Tokens from before clients had
/// several secrets have only the epoch; their secret has the number 0.
constexpr int kSecretShift = 32;
constexpr std::uint64_t kEpochBits = (std::uint64_t{1} << kSecretShift) - 1;

std::uint64_t packed(int epoch, int secret_number) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(secret_number)) << kSecretShift |
         static_cast<std::uint32_t>(epoch);
}

}  // namespace

std::string RingCredentials::new_client_secret(domain::Environment environment) const {
  return crypto::new_client_secret(environment);
}

void RingCredentials::keep_secret(domain::ClientSecret& stored, std::string_view secret) const {
  const auto kept = digest_client_secret(ring_, secret);
  stored.key_id = kept.kid;
  stored.digest.assign(kept.digest.begin(), kept.digest.end());
}

bool RingCredentials::secret_matches(const domain::ClientSecret* stored, std::string_view secret) const {
  ClientSecretDigest wanted;
  if (stored && stored->digest.size() == wanted.digest.size()) {
    wanted.kid = stored->key_id;
    std::copy(stored->digest.begin(), stored->digest.end(), wanted.digest.begin());
    return client_secret_matches(ring_, secret, wanted);
  }
  wanted.kid = ring_.current()->kid();
  (void)client_secret_matches(ring_, secret, wanted);  // takes the same time as for a wrong secret
  return false;
}

std::string RingCredentials::seal_token(const ports::TokenClaims& claims) const {
  return seal(ring_, {claims.client.text(), claims.tenant.text(), claims.scopes.bits(), claims.environment,
                      claims.issued_at_s, claims.expires_at_s, packed(claims.epoch, claims.secret_number)});
}

std::variant<ports::TokenClaims, ports::TokenFault> RingCredentials::open_token(std::string_view token,
                                                                                std::int64_t now_s) const {
  const auto opened = open(ring_, token, now_s);
  if (std::holds_alternative<TokenExpired>(opened)) return ports::TokenFault::expired;
  if (std::holds_alternative<TokenInvalid>(opened)) return ports::TokenFault::invalid;
  const auto& claims = std::get<AccessTokenClaims>(opened);
  return ports::TokenClaims{domain::ClientId::trusted(claims.client_id),
                            domain::TenantId::trusted(claims.tenant_id),
                            claims.environment,
                            domain::ScopeSet::from_bits(claims.scope_bits),
                            claims.issued_at_s,
                            claims.expires_at_s,
                            static_cast<int>(claims.epoch & kEpochBits),
                            static_cast<int>(claims.epoch >> kSecretShift)};
}

std::string RingCredentials::new_webhook_secret() const {
  return crypto::new_webhook_secret();
}

}  // namespace tideover::crypto
