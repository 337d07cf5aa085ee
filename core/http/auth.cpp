#include "core/http/auth.hpp"

#include <mutex>
#include <optional>
#include <string_view>

#include "core/http/server/request.hpp"

namespace tideover::http {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr auto kStandingLife = std::chrono::seconds(5);
constexpr std::size_t kMostStandings = 10'000;  // a token must be ours to get here, so this is only a backstop

/// What stands behind "Bearer "; nullopt for another scheme.
std::optional<std::string_view> bearer_token(std::string_view header) {
  const auto blank = header.find(' ');
  if (blank == std::string_view::npos || !equal_ignoring_case(header.substr(0, blank), "Bearer")) return std::nullopt;
  return header.substr(blank + 1);
}

}  // namespace

domain::Result<Auth::Standing> Auth::standing_of(const domain::ClientId& id) {
  const auto now = std::chrono::steady_clock::now();
  {
    std::shared_lock held(lock_);
    const auto known = standings_.find(id.text());
    if (known != standings_.end() && now - known->second.looked_up < kStandingLife) return known->second;
  }
  Standing standing;
  const auto read = store_.read([&](const ports::Records& records) {
    const auto client = records.clients().find(id);
    if (!client) return;
    standing.enabled = client->enabled;
    standing.epoch = client->epoch;
    if (const auto tenant = records.clients().tenant(client->tenant)) standing.profile = tenant->profile;
  });
  if (!read) return read.error();
  standing.looked_up = now;
  std::unique_lock held(lock_);
  if (standings_.size() >= kMostStandings) standings_.clear();
  standings_[id.text()] = standing;
  return standing;
}

domain::Result<domain::Caller> Auth::caller_of(const std::string* header) {
  if (!header)
    return Error::of(ErrorCode::unauthorized,
                     "Send the header Authorization: Bearer <access token>; POST /v1/oauth/token issues one.");
  const auto token = bearer_token(*header);
  if (!token) return Error::of(ErrorCode::unauthorized, "The Authorization header must be: Bearer <access token>.");

  if (auto known = known_caller(*token)) return std::move(*known);
  const auto opened = credentials_.open_token(*token, clock_.now().seconds());
  if (const auto* fault = std::get_if<ports::TokenFault>(&opened))
    return *fault == ports::TokenFault::expired
               ? Error::of(ErrorCode::token_expired, "The access token has expired; obtain a new one.")
               : Error::of(ErrorCode::token_invalid, "The access token is not valid; obtain a new one.");
  const auto& claims = std::get<ports::TokenClaims>(opened);
  if (claims.environment != environment_)
    return Error::of(ErrorCode::environment_mismatch,
                     "This token belongs to the " + std::string(name_of(claims.environment)) + " environment.");
  const auto standing = standing_of(claims.client);
  if (!standing) return standing.error();
  if (!standing->enabled || standing->epoch != claims.epoch)
    return Error::of(ErrorCode::token_invalid,
                     "The client of this token has been disabled or renewed; obtain a new token.");
  domain::Caller caller{claims.tenant, claims.client, claims.environment, standing->profile, claims.scopes};
  std::unique_lock held(lock_);
  if (opened_.size() >= kMostStandings) opened_.clear();
  opened_.insert_or_assign(std::string(*token), Opened{caller, claims.expires_at_s, standing->looked_up});
  return caller;
}

/// The caller of a token that was opened lately, so that a client which calls often does not have it opened for every
/// call.
std::optional<domain::Caller> Auth::known_caller(std::string_view token) {
  std::shared_lock held(lock_);
  const auto known = opened_.find(token);
  if (known == opened_.end()) return std::nullopt;
  const Opened& opened = known->second;
  if (std::chrono::steady_clock::now() - opened.looked_up >= kStandingLife ||
      opened.expires_at_s <= clock_.now().seconds())
    return std::nullopt;
  return opened.caller;
}

bool Auth::holds_sealed_token(const std::string* header) const {
  const auto token = header ? bearer_token(*header) : std::nullopt;
  if (!token) return false;
  const auto opened = credentials_.open_token(*token, clock_.now().seconds());
  const auto* fault = std::get_if<ports::TokenFault>(&opened);
  return !fault || *fault == ports::TokenFault::expired;
}

}  // namespace tideover::http
