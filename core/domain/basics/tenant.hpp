// Tenants, their API clients, and the authenticated caller of a request.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/scope.hpp"

namespace tideover::domain {

enum class Environment { sandbox, production };
inline std::string_view name_of(Environment e) {
  return e == Environment::sandbox ? "sandbox" : "production";
}

/// How findings of policy are treated (core/docs/contract.md#formats): lenient turns them into warnings,
/// standard into denial reasons or manual review, strict into a 400.
enum class ValidationProfile { lenient, standard, strict };
inline std::string_view name_of(ValidationProfile p) {
  return p == ValidationProfile::lenient ? "lenient" : p == ValidationProfile::standard ? "standard" : "strict";
}

/// What posts a payer's payment: the bank deposit, or the payer's remittance for a tenant without a bank feed
/// (core/docs/contract.md#reconciliation).
enum class PostOn { deposit, remittance };
inline std::string_view name_of(PostOn p) {
  return p == PostOn::deposit ? "deposit" : "remittance";
}

struct Tenant {
  TenantId id;
  std::string name;
  ValidationProfile profile = ValidationProfile::lenient;
  PostOn post_on = PostOn::deposit;
};

struct Client {
  ClientId id;
  TenantId tenant;
  std::string name;
  Environment environment = Environment::sandbox;
  ScopeSet scopes;
  int epoch = 0;  // raised when the client is disabled; ends all its tokens
  bool enabled = true;
  Timestamp created_at;
  std::optional<Timestamp> expires_at = {};
  bool locked = false;  // disabled by a command: only a command enables it
  int version = 0;      // raised by each change

  bool may_act(Timestamp now) const { return enabled && (!expires_at || now < *expires_at); }
};

/// A secret of a client. At most two are live at a time, so that a client can change to a new one without an outage.
struct ClientSecret {
  ClientSecretId id;
  int number = 0;      // within its client; part of each token that it obtains
  std::string key_id;  // the key of the ring that keys the digest
  std::string digest;  // HMAC-SHA256, 32 bytes
  Timestamp created_at;
  std::optional<Timestamp> expires_at = {};    // it obtains no token from then on; its tokens stay valid
  std::optional<Timestamp> last_used_at = {};  // exact to an hour
  std::optional<Timestamp> revoked_at = {};    // ends its tokens too

  bool is_live(Timestamp now) const { return !revoked_at && (!expires_at || now < *expires_at); }
};
inline constexpr std::size_t kMostLiveSecrets = 2;

/// The authenticated caller. Only authentication creates one, and every record is read and written under its tenant.
struct Caller {
  TenantId tenant;
  ClientId client;
  Environment environment = Environment::sandbox;
  ValidationProfile profile = ValidationProfile::lenient;
  ScopeSet scopes;
};

}  // namespace tideover::domain
