// ports::Credentials with the key ring. Thread-safe.
#pragma once
#include "core/crypto/key_ring.hpp"
#include "core/ports/credentials.hpp"

namespace tideover::crypto {

class RingCredentials final : public ports::Credentials {
 public:
  /// `ring` must outlive this object.
  explicit RingCredentials(const KeyRing& ring) : ring_(ring) {}

  std::string new_client_secret(domain::Environment environment) const override;
  void keep_secret(domain::ClientSecret& stored, std::string_view secret) const override;
  bool secret_matches(const domain::ClientSecret* stored, std::string_view secret) const override;
  std::string seal_token(const ports::TokenClaims& claims) const override;
  std::variant<ports::TokenClaims, ports::TokenFault> open_token(std::string_view token,
                                                                 std::int64_t now_s) const override;
  std::string new_webhook_secret() const override;

 private:
  const KeyRing& ring_;
};

}  // namespace tideover::crypto
