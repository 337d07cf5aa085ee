#include "core/usecases/access/client_secrets.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

/// How long an ended secret is listed. Longer than any token lives: a revoked secret also ends its tokens.
constexpr int kListedDays = 90;

}  // namespace

NewSecret make_secret(const ports::Credentials& credentials, ports::IdSource& ids, domain::Environment environment,
                      domain::Timestamp now) {
  NewSecret made;
  made.plain = credentials.new_client_secret(environment);
  made.stored.id = ids.next<domain::ClientSecretId>();
  made.stored.created_at = now;
  credentials.keep_secret(made.stored, made.plain);
  return made;
}

domain::Status rotate_secret(ports::Records& records, const domain::ClientId& client, NewSecret& made,
                             domain::Timestamp now, std::int64_t overlap_s) {
  auto secrets = records.clients().secrets(client);
  const auto live =
      std::count_if(secrets.begin(), secrets.end(), [&](const auto& secret) { return secret.is_live(now); });
  if (static_cast<std::size_t>(live) >= domain::kMostLiveSecrets)
    return Error::of(
        ErrorCode::invalid_state,
        "The client has two live secrets. Revoke one, or wait until one expires, before you rotate again.");
  const auto end = now.plus_ms(overlap_s * 1000);
  for (auto& secret : secrets) {
    made.stored.number = std::max(made.stored.number, secret.number + 1);
    if (!secret.is_live(now) || (secret.expires_at && *secret.expires_at <= end)) continue;
    secret.expires_at = end;
    records.clients().update_secret(client, secret);
  }
  records.clients().remove_ended_secrets(client, now.plus_days(-kListedDays));
  records.clients().insert_secret(client, made.stored);
  return {};
}

domain::Result<domain::ClientSecret> revoke_secret(ports::Records& records, const domain::ClientId& client,
                                                   const std::string& secret_id, domain::Timestamp now) {
  for (auto& secret : records.clients().secrets(client)) {
    if (secret.id.text() != secret_id) continue;
    if (!secret.revoked_at) {
      secret.revoked_at = now;
      records.clients().update_secret(client, secret);
    }
    return secret;
  }
  return Error::of(ErrorCode::not_found, "Secret not found. A secret is listed until 90 days after its end.");
}

}  // namespace tideover::usecases
