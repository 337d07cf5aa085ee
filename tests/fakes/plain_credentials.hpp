// Credentials without keys: a digest is the secret, a token lists its claims. Secrets are numbered.
#pragma once
#include <atomic>
#include <string>

#include "core/ports/credentials.hpp"

namespace tideover::fakes {

class PlainCredentials : public ports::Credentials {
 public:
  std::string new_client_secret(domain::Environment) const override { return "secret-" + std::to_string(++made_); }
  void keep_secret(domain::ClientSecret& stored, std::string_view secret) const override {
    stored.key_id = "key";
    stored.digest = std::string(secret);
  }
  bool secret_matches(const domain::ClientSecret* stored, std::string_view secret) const override {
    return stored && stored->digest == secret;
  }
  std::string seal_token(const ports::TokenClaims& claims) const override {
    return claims.client.text() + ' ' + claims.scopes.text();
  }
  std::variant<ports::TokenClaims, ports::TokenFault> open_token(std::string_view, std::int64_t) const override {
    return ports::TokenFault::invalid;
  }
  std::string new_webhook_secret() const override { return "whsec"; }

 private:
  mutable std::atomic<int> made_{0};
};

}  // namespace tideover::fakes
