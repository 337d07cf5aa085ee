#include "core/usecases/access/clients.hpp"

#include <algorithm>

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::ScopeSet;

Error no_client() {
  return Error::of(ErrorCode::not_found, "Client not found.");
}

domain::Status may_give(const RequestContext& context, ScopeSet scopes) {
  const auto lacked = ScopeSet::from_bits(scopes.bits() & ~context.caller.scopes.bits());
  if (lacked.empty()) return {};
  return Error::of(ErrorCode::insufficient_scope,
                   "The client has, or would get, scopes that your access token lacks; see details.scope.")
      .with("scope", lacked.text());
}

domain::Status check_expiry(const ClientChange& change, domain::Timestamp now) {
  if (!change.expires_at || *change.expires_at > now) return {};
  auto refusal = Error::of(ErrorCode::validation_error, "expires_at is not in the future.");
  refusal.fields.push_back({"expires_at", "must be in the future"});
  return refusal;
}

/// A client of the caller's tenant, with no scope that the caller lacks.
domain::Result<domain::Client> changeable(const ports::Records& records, const RequestContext& context,
                                          const std::string& client_id) {
  const auto id = domain::ClientId::parse(client_id);
  auto client = id ? records.clients().find(*id) : std::nullopt;
  if (!client || client->tenant != context.caller.tenant) return no_client();
  if (auto allowed = may_give(context, client->scopes); !allowed) return allowed.error();
  return *client;
}

/// The end of the caller's own access, nullopt: none. The access that it gives must not last longer.
std::optional<domain::Timestamp> end_of_caller(const ports::Records& records, const RequestContext& context) {
  const auto caller = records.clients().find(context.caller.client);
  return caller ? caller->expires_at : std::nullopt;
}

bool outlasts(const domain::Client& client, const std::optional<domain::Timestamp>& end) {
  return end && (!client.expires_at || *client.expires_at > *end);
}

Error expires_too_late(domain::Timestamp end) {
  auto refusal = Error::of(ErrorCode::validation_error,
                           "The access of your client ends, so it cannot give access that lasts longer.")
                     .with("expires_at", format_timestamp(end));
  refusal.fields.push_back({"expires_at", "must be set, and not be later than " + format_timestamp(end)});
  return refusal;
}

/// Of a client whose expiry stays as it is.
Error lasts_too_long(domain::Timestamp end) {
  return Error::of(
             ErrorCode::invalid_state,
             "The access of this client lasts longer than that of yours, which ends at details.expires_at. It can "
             "get neither a secret nor a scope from you. Set its expires_at first.")
      .with("expires_at", format_timestamp(end));
}

ClientWithSecrets shown(const ports::Records& records, const domain::Client& client, domain::Timestamp now) {
  return {client, records.clients().secrets(client.id), "", now};
}

domain::Status apply(const ClientChange& change, const RequestContext& context, domain::Client& client) {
  if (change.scopes) {
    if (auto allowed = may_give(context, *change.scopes); !allowed) return allowed;
    // A token carries its scopes, so those that were issued before must end.
    if (!change.scopes->contains(client.scopes)) ++client.epoch;
    client.scopes = *change.scopes;
  }
  if (change.enabled && *change.enabled != client.enabled) {
    if (client.id == context.caller.client)
      return Error::of(ErrorCode::invalid_state, "A client cannot disable itself. Use another client.");
    if (client.locked)
      return Error::of(ErrorCode::invalid_state,
                       "The operator of this service disabled the client. Only the operator can enable it.");
    client.enabled = *change.enabled;
    if (!client.enabled) ++client.epoch;
  }
  if (change.name) client.name = *change.name;
  if (change.expires_at) client.expires_at = change.expires_at;
  if (change.never_expires) client.expires_at.reset();
  return {};
}

}  // namespace

domain::Result<StoredResponse> Clients::create(const RequestContext& context, const ClientChange& wanted,
                                               const RenderClient& render) {
  domain::Client client;
  client.id = ids_.next<domain::ClientId>();
  client.tenant = context.caller.tenant;
  client.environment = context.caller.environment;
  client.created_at = context.now;
  if (auto fits = check_expiry(wanted, context.now); !fits) return fits.error();
  if (auto applied = apply(wanted, context, client); !applied) return applied.error();
  const auto secret = make_secret(credentials_, ids_, client.environment, context.now);
  // The response is stored in plain text for replays, so it is stored without the secret.
  ClientWithSecrets made{client, {secret.stored}, "", context.now};
  const std::string kept = render(made);
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (const auto end = end_of_caller(records, context); outlasts(client, end)) return expires_too_late(*end);
    records.clients().insert(client);
    records.clients().insert_secret(client.id, secret.stored);
    leave_trace(records, context, ids_, client.id.text(), kept);
    return {};
  });
  if (!done) return done.error();
  made.plain_secret = secret.plain;
  return StoredResponse{render(made)};
}

domain::Result<std::vector<ClientWithSecrets>> Clients::list(const domain::TenantId& tenant,
                                                             const domain::ListPage& page) const {
  const auto now = clock_.now();
  return fetch(store_, [&](const ports::Records& records) {
    std::vector<ClientWithSecrets> clients;
    for (auto& client : records.clients().list(tenant, page)) clients.push_back({std::move(client), {}, "", now});
    if (clients.empty()) return clients;
    const auto [first, last] = std::minmax(clients.front().client.id, clients.back().client.id);
    auto secrets = records.clients().secrets(tenant, first, last);
    for (auto& shown : clients) shown.secrets = std::move(secrets[shown.client.id.text()]);
    return clients;
  });
}

domain::Result<ClientWithSecrets> Clients::one(const domain::TenantId& tenant, const std::string& client_id) const {
  const auto id = domain::ClientId::parse(client_id);
  if (!id) return no_client();
  const auto now = clock_.now();
  return fetch(store_, no_client(), [&](const ports::Records& records) -> std::optional<ClientWithSecrets> {
    const auto client = records.clients().find(*id);
    if (!client || client->tenant != tenant) return std::nullopt;
    return shown(records, *client, now);
  });
}

domain::Result<StoredResponse> Clients::update(const RequestContext& context, const std::string& client_id,
                                               const ClientChange& change, const RenderClient& render) {
  if (auto fits = check_expiry(change, context.now); !fits) return fits.error();
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    auto client = changeable(records, context, client_id);
    if (!client) return client.error();
    if (change.expected && !change.expected(shown(records, *client, context.now)))
      return Error::of(ErrorCode::version_conflict, "The client changed after you read it. Read it again.");
    const auto scopes_before = client->scopes;
    if (auto applied = apply(change, context, *client); !applied) return applied;
    const bool sets_expiry = change.expires_at || change.never_expires;
    if (const auto end = end_of_caller(records, context); outlasts(*client, end)) {
      if (sets_expiry) return expires_too_late(*end);
      if (!scopes_before.contains(client->scopes)) return lasts_too_long(*end);
    }
    if (!records.clients().update(*client))
      return Error::of(ErrorCode::conflict, "The client was changed by another request at the same time. Retry.");
    body = render(shown(records, *client, context.now));
    leave_trace(records, context, ids_, client->id.text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Result<StoredResponse> Clients::rotate(const RequestContext& context, const std::string& client_id,
                                               std::int64_t overlap_s, const RenderClient& render) {
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto client = changeable(records, context, client_id);
    if (!client) return client.error();
    if (const auto end = end_of_caller(records, context); outlasts(*client, end)) return lasts_too_long(*end);
    auto secret = make_secret(credentials_, ids_, client->environment, context.now);
    if (auto rotated = rotate_secret(records, client->id, secret, context.now, overlap_s); !rotated) return rotated;
    auto changed = shown(records, *client, context.now);
    leave_trace(records, context, ids_, client->id.text(), render(changed));
    changed.plain_secret = secret.plain;
    body = render(changed);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Result<StoredResponse> Clients::revoke(const RequestContext& context, const std::string& client_id,
                                               const std::string& secret_id, const RenderClient& render) {
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    const auto client = changeable(records, context, client_id);
    if (!client) return client.error();
    const auto revoked = revoke_secret(records, client->id, secret_id, context.now);
    if (!revoked) return revoked.error();
    body = render(shown(records, *client, context.now));
    leave_trace(records, context, ids_, revoked->id.text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

}  // namespace tideover::usecases
