// Client secrets and access tokens. Thread-safe. Nothing here is ever logged.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "core/domain/basics/tenant.hpp"

namespace tideover::ports {

struct TokenClaims {
  domain::ClientId client;
  domain::TenantId tenant;
  domain::Environment environment = domain::Environment::sandbox;
  domain::ScopeSet scopes;
  std::int64_t issued_at_s = 0;
  std::int64_t expires_at_s = 0;
  int epoch = 0;          // of the client
  int secret_number = 0;  // of the secret that obtained the token
};

enum class TokenFault { expired, invalid };

class Credentials {
 public:
  virtual ~Credentials() = default;
  virtual std::string new_client_secret(domain::Environment environment) const = 0;
  /// Sets digest and key of `stored` for this secret.
  virtual void keep_secret(domain::ClientSecret& stored, std::string_view secret) const = 0;
  /// Takes constant time: nullptr takes as long as a wrong secret.
  virtual bool secret_matches(const domain::ClientSecret* stored, std::string_view secret) const = 0;
  virtual std::string seal_token(const TokenClaims& claims) const = 0;
  virtual std::variant<TokenClaims, TokenFault> open_token(std::string_view token, std::int64_t now_s) const = 0;
  virtual std::string new_webhook_secret() const = 0;
};

}  // namespace tideover::ports
