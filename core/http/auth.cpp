#include "core/http/auth.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/http/server/request.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr auto kClientStateLife = std::chrono::seconds(5);
constexpr std::size_t kMostCached = 10'000;  // only tokens of this service get here, so this limit is a safeguard

/// The token after "Bearer "; nullopt for another scheme.
std::optional<std::string_view> bearer_token(std::string_view header) {
  const auto blank = header.find(' ');
  if (blank == std::string_view::npos || !equal_ignoring_case(header.substr(0, blank), "Bearer")) return std::nullopt;
  return header.substr(blank + 1);
}

}  // namespace

domain::Result<Auth::ClientState> Auth::client_state_of(const domain::ClientId& id) {
  const auto now = std::chrono::steady_clock::now();
  {
    std::shared_lock held(lock_);
    const auto known = client_states_.find(id.text());
    if (known != client_states_.end() && now - known->second.looked_up < kClientStateLife) return known->second;
  }
  auto client_state = fetch(store_, [&](const ports::Records& records) {
    ClientState read;
    const auto client = records.clients().find(id);
    if (!client) return read;
    read.enabled = client->enabled;
    read.epoch = client->epoch;
    read.expires_at = client->expires_at;
    for (const auto& secret : records.clients().secrets(id))
      if (secret.revoked_at) read.revoked_secrets.push_back(secret.number);
    if (const auto tenant = records.clients().tenant(client->tenant)) read.profile = tenant->profile;
    return read;
  });
  if (!client_state) return client_state;
  client_state->looked_up = now;
  std::unique_lock held(lock_);
  if (client_states_.size() >= kMostCached) client_states_.clear();
  client_states_[id.text()] = *client_state;
  return client_state;
}

domain::Result<domain::Caller> Auth::caller_of(const std::string* header) {
  if (!header)
    return Error::of(ErrorCode::unauthorized,
                     "Send the header Authorization: Bearer <access token>; POST /v1/oauth/token issues a token.");
  const auto token = bearer_token(*header);
  if (!token) return Error::of(ErrorCode::unauthorized, "The Authorization header must be: Bearer <access token>.");

  if (auto known = known_caller(*token)) return std::move(*known);
  const auto opened = credentials_.open_token(*token, clock_.now().seconds());
  if (const auto* fault = std::get_if<ports::TokenFault>(&opened))
    return *fault == ports::TokenFault::expired
               ? Error::of(ErrorCode::token_expired,
                           "The access token has expired. Request a new one with POST /v1/oauth/token.")
               : Error::of(ErrorCode::token_invalid,
                           "The access token is not valid. Request a new one with POST /v1/oauth/token.");
  const auto& claims = std::get<ports::TokenClaims>(opened);
  if (claims.environment != environment_)
    return Error::of(ErrorCode::environment_mismatch, "The access token was issued for the " +
                                                          std::string(name_of(claims.environment)) + " environment.");
  const auto client_state = client_state_of(claims.client);
  if (!client_state) return client_state.error();
  const auto& revoked = client_state->revoked_secrets;
  const bool expired = client_state->expires_at && *client_state->expires_at <= clock_.now();
  if (!client_state->enabled || client_state->epoch != claims.epoch || expired ||
      std::find(revoked.begin(), revoked.end(), claims.secret_number) != revoked.end())
    return Error::of(ErrorCode::token_invalid,
                     "The client of this token was disabled or has expired, or the secret that obtained it was "
                     "revoked. Request a new token.");
  domain::Caller caller{claims.tenant, claims.client, claims.environment, client_state->profile, claims.scopes};
  const auto usable_until_s = client_state->expires_at
                                  ? std::min(claims.expires_at_s, client_state->expires_at->seconds())
                                  : claims.expires_at_s;
  std::unique_lock held(lock_);
  if (opened_.size() >= kMostCached) opened_.clear();
  opened_.insert_or_assign(std::string(*token), Opened{caller, usable_until_s, client_state->looked_up});
  return caller;
}

/// The caller of a recently checked token. A client with many calls does not pay for the decryption of its token at
/// each call.
std::optional<domain::Caller> Auth::known_caller(std::string_view token) {
  std::shared_lock held(lock_);
  const auto known = opened_.find(token);
  if (known == opened_.end()) return std::nullopt;
  const Opened& opened = known->second;
  if (std::chrono::steady_clock::now() - opened.looked_up >= kClientStateLife ||
      opened.expires_at_s <= clock_.now().seconds())
    return std::nullopt;
  return opened.caller;
}

bool Auth::holds_issued_token(const std::string* header) const {
  const auto token = header ? bearer_token(*header) : std::nullopt;
  if (!token) return false;
  const auto opened = credentials_.open_token(*token, clock_.now().seconds());
  const auto* fault = std::get_if<ports::TokenFault>(&opened);
  return !fault || *fault == ports::TokenFault::expired;
}

}  // namespace tideover::http
