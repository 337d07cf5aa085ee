#include "core/usecases/access/issue_token.hpp"

#include <algorithm>

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

namespace {

/// last_used_at is exact to an hour, so that a token usually writes its audit row only.
constexpr std::int64_t kUseStepMs = 3'600'000;

}  // namespace

domain::Result<IssuedToken> IssueToken::operator()(const RequestContext& context, const TokenRequest& request,
                                                   const Admit& admit) const {
  Error incomplete = Error::of(ErrorCode::invalid_request,
                               "A token request needs grant_type, client_id and client_secret. See details.missing.");
  if (request.grant_type.empty()) incomplete.fields.push_back({"grant_type", "required"});
  if (request.client_id.empty()) incomplete.fields.push_back({"client_id", "required"});
  if (request.client_secret.empty()) incomplete.fields.push_back({"client_secret", "required"});
  if (!incomplete.fields.empty()) return incomplete;
  if (request.grant_type != "client_credentials")
    return Error::of(ErrorCode::unsupported_grant_type, "Grant type not supported. Use client_credentials.");

  const auto known = look_up(request.client_id);
  if (!known) return known.error();
  const auto& client = known->client;
  const auto* used = matching_secret(*known, request.client_secret);
  if (!used || !client->may_act(clock_.now())) return refused(request.client_id);
  if (admit)
    if (auto admitted = admit(client->id); !admitted) return admitted.error();
  if (client->environment != environment_)
    return Error::of(ErrorCode::unauthorized_client,
                     "These credentials belong to the " + std::string(name_of(client->environment)) +
                         " environment. This service is " + std::string(name_of(environment_)) + ".");

  move_to_current_key(client->id, *used, request.client_secret);

  IssuedToken token;
  token.scopes = client->scopes;
  if (!request.scope.empty()) {
    const auto wanted = domain::ScopeSet::parse(request.scope);
    if (!wanted || wanted->empty() || !client->scopes.contains(*wanted))
      return Error::of(ErrorCode::invalid_scope, "A requested scope is unknown or not granted to this client.");
    token.scopes = *wanted;
  }
  const auto now = clock_.now();
  const std::int64_t now_s = now.seconds();
  token.expires_in_s = lifetime_s_;
  if (client->expires_at)
    token.expires_in_s = static_cast<int>(std::min<std::int64_t>(lifetime_s_, client->expires_at->seconds() - now_s));
  token.access_token = credentials_.seal_token({client->id, client->tenant, client->environment, token.scopes, now_s,
                                                now_s + token.expires_in_s, client->epoch, used->number});
  RequestContext issued = context;
  issued.caller.tenant = client->tenant;
  issued.caller.client = client->id;
  const bool note_use = !used->last_used_at || now.ms() - used->last_used_at->ms() >= kUseStepMs;
  const auto recorded = store_.commit([&](ports::Records& records) -> domain::Status {
    if (note_use) records.clients().secret_used(client->id, used->number, now);
    leave_audit_row(records, issued, ids_, token.scopes.text(), "ok");
    return {};
  });
  if (!recorded) return recorded.error();
  return token;
}

/// Nothing of a client whose id is not known.
domain::Result<IssueToken::Known> IssueToken::look_up(const std::string& client_id) const {
  const auto id = domain::ClientId::parse(client_id);
  if (!id) return Known{};
  return fetch(store_, [&](const ports::Records& records) {
    Known known{records.clients().find(*id), {}};
    if (known.client) known.secrets = records.clients().secrets(*id);
    return known;
  });
}

/// Compares as many secrets as a client may have, so that the time does not show how many there are.
const domain::ClientSecret* IssueToken::matching_secret(const Known& known, const std::string& secret) const {
  std::vector<const domain::ClientSecret*> live;
  for (const auto& stored : known.secrets)
    if (stored.is_live(clock_.now())) live.push_back(&stored);
  live.resize(domain::kMostLiveSecrets, nullptr);
  const domain::ClientSecret* matching = nullptr;
  for (const auto* candidate : live)
    if (credentials_.secret_matches(candidate, secret)) matching = candidate;
  return matching;
}

/// The plain secret is known only now, so move its digest to the current key: the old key can be retired. A failure is
/// harmless, because the next request tries again.
void IssueToken::move_to_current_key(const domain::ClientId& client, const domain::ClientSecret& used,
                                     const std::string& secret) const {
  auto renewed = used;
  credentials_.keep_secret(renewed, secret);
  if (renewed.key_id == used.key_id) return;
  (void)store_.commit(
      [&](ports::Records& records) -> domain::Status {
        // Another request may have revoked the secret meanwhile.
        for (auto& stored : records.clients().secrets(client)) {
          if (stored.number != used.number) continue;
          credentials_.keep_secret(stored, secret);
          records.clients().update_secret(client, stored);
        }
        return {};
      },
      ports::Priority::background);
}

Error IssueToken::refused(const std::string& client_id) const {
  const auto id = domain::ClientId::parse(client_id);  // one spelling of an id
  const int wait_s = failures_.failed(id ? id->text() : client_id, clock_.now());
  if (wait_s == 0)
    return Error::of(ErrorCode::invalid_client, "The client is unknown, disabled, or its secret is wrong.");
  return Error::of(ErrorCode::rate_limited, "Too many token requests with a wrong client id or secret. Retry after " +
                                                std::to_string(wait_s) + " s.")
      .with("reason", "failures")
      .retry_after(wait_s);
}

}  // namespace tideover::usecases
