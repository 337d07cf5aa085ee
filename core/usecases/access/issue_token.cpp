#include "core/usecases/access/issue_token.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;

domain::Result<IssuedToken> IssueToken::operator()(const RequestContext& context, const TokenRequest& request) const {
  Error incomplete = Error::of(ErrorCode::invalid_request,
                               "A token request needs grant_type, client_id and client_secret. See details.missing.");
  if (request.grant_type.empty()) incomplete.fields.push_back({"grant_type", "required"});
  if (request.client_id.empty()) incomplete.fields.push_back({"client_id", "required"});
  if (request.client_secret.empty()) incomplete.fields.push_back({"client_secret", "required"});
  if (!incomplete.fields.empty()) return incomplete;
  if (request.grant_type != "client_credentials")
    return Error::of(ErrorCode::unsupported_grant_type, "Grant type not supported. Use client_credentials.");

  std::optional<domain::Client> client;
  if (const auto id = domain::ClientId::parse(request.client_id)) {
    auto found = fetch(store_, [&](const ports::Records& records) { return records.clients().find(*id); });
    if (!found) return found.error();
    client = std::move(*found);
  }
  const bool known = credentials_.secret_matches(client ? &*client : nullptr, request.client_secret);
  if (!known || !client->enabled) return refused(client);
  if (client->environment != environment_)
    return Error::of(ErrorCode::unauthorized_client,
                     "These credentials belong to the " + std::string(name_of(client->environment)) +
                         " environment. This service is " + std::string(name_of(environment_)) + ".");

  // The plain secret is known only now, so move its digest to the current key: the old key can be retired. A failure is
  // harmless, because the next request tries again.
  auto renewed = *client;
  credentials_.keep_secret(renewed, request.client_secret);
  if (renewed.secret_key_id != client->secret_key_id) {
    (void)store_.commit(
        [&](ports::Records& records) -> domain::Status {
          records.clients().update_secret(renewed);
          return {};
        },
        ports::Priority::background);
  }

  IssuedToken token;
  token.scopes = client->scopes;
  if (!request.scope.empty()) {
    const auto wanted = domain::ScopeSet::parse(request.scope);
    if (!wanted || wanted->empty() || !client->scopes.contains(*wanted))
      return Error::of(ErrorCode::invalid_scope, "A requested scope is unknown or not granted to this client.");
    token.scopes = *wanted;
  }
  const std::int64_t now_s = clock_.now().seconds();
  token.expires_in_s = lifetime_s_;
  token.access_token = credentials_.seal_token(
      {client->id, client->tenant, client->environment, token.scopes, now_s, now_s + lifetime_s_, client->epoch});
  RequestContext issued = context;
  issued.caller.tenant = client->tenant;
  issued.caller.client = client->id;
  const auto recorded = store_.commit([&](ports::Records& records) -> domain::Status {
    leave_audit_row(records, issued, ids_, token.scopes.text(), "ok");
    return {};
  });
  if (!recorded) return recorded.error();
  return token;
}

Error IssueToken::refused(const std::optional<domain::Client>& client) const {
  const int wait_s = failures_.failed(client ? std::optional(client->id) : std::nullopt, clock_.now());
  if (wait_s == 0)
    return Error::of(ErrorCode::invalid_client, "The client is unknown, disabled, or its secret is wrong.");
  return Error::of(ErrorCode::rate_limited, "Too many token requests with a wrong client id or secret. Retry after " +
                                                std::to_string(wait_s) + " s.")
      .with("reason", "failures")
      .retry_after(wait_s);
}

}  // namespace tideover::usecases
