#include "core/crypto/ring_credentials.hpp"

#include <algorithm>

#include "core/crypto/access_token.hpp"
#include "core/crypto/client_secret.hpp"
#include "core/crypto/webhook_signature.hpp"

namespace tideover::crypto {

std::string RingCredentials::new_client_secret(domain::Environment environment) const {
  return crypto::new_client_secret(environment);
}

void RingCredentials::keep_secret(domain::Client& client, std::string_view secret) const {
  const auto kept = digest_client_secret(ring_, secret);
  client.secret_key_id = kept.kid;
  client.secret_digest.assign(kept.digest.begin(), kept.digest.end());
}

bool RingCredentials::secret_matches(const domain::Client* client, std::string_view secret) const {
  ClientSecretDigest stored;
  if (client && client->secret_digest.size() == stored.digest.size()) {
    stored.kid = client->secret_key_id;
    std::copy(client->secret_digest.begin(), client->secret_digest.end(), stored.digest.begin());
    return client_secret_matches(ring_, secret, stored);
  }
  stored.kid = ring_.current()->kid();
  (void)client_secret_matches(ring_, secret, stored);  // takes the same time as for a wrong secret
  return false;
}

std::string RingCredentials::seal_token(const ports::TokenClaims& claims) const {
  return seal(ring_, {claims.client.text(), claims.tenant.text(), claims.scopes.bits(), claims.environment,
                      claims.issued_at_s, claims.expires_at_s, static_cast<std::uint64_t>(claims.epoch)});
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
                            static_cast<int>(claims.epoch)};
}

std::string RingCredentials::new_webhook_secret() const {
  return crypto::new_webhook_secret();
}

}  // namespace tideover::crypto
