// Creates, lists, shows and changes the clients of the caller's tenant (openapi.yaml: Access). No client gives a scope
// that its own token lacks, nor changes a client that has such a scope: a new secret would give it that scope.
//
// Threads: thread-safe.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ports/clock.hpp"
#include "core/usecases/access/client_secrets.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct ClientWithSecrets {
  domain::Client client;
  std::vector<domain::ClientSecret> secrets;
  std::string plain_secret = {};  // only in the response that creates it, never in its replay
  domain::Timestamp now;          // when it was read
};

/// What a request sets; what is absent stays as it is.
struct ClientChange {
  std::optional<std::string> name;
  std::optional<domain::ScopeSet> scopes;
  std::optional<domain::Timestamp> expires_at;
  bool never_expires = false;
  std::optional<bool> enabled;
  Expected<ClientWithSecrets> expected = {};  // of an update
};

class Clients {
 public:
  Clients(ports::Store& store, const ports::Credentials& credentials, const ports::Clock& clock, ports::IdSource& ids)
      : store_(store), credentials_(credentials), clock_(clock), ids_(ids) {}

  using RenderClient = Render<ClientWithSecrets>;

  /// Needs name and scopes. Error insufficient_scope; validation_error for an expiry that is past, or later than that
  /// of the caller.
  domain::Result<StoredResponse> create(const RequestContext& context, const ClientChange& wanted,
                                        const RenderClient& render);
  domain::Result<std::vector<ClientWithSecrets>> list(const domain::TenantId& tenant,
                                                      const domain::ListPage& page) const;
  /// Error not_found.
  domain::Result<ClientWithSecrets> one(const domain::TenantId& tenant, const std::string& client_id) const;
  /// Tokens end when the client is disabled or loses a scope. Error as above, or invalid_state: a client disables
  /// itself, a command disabled the client, or a scope for a client whose access lasts longer than the caller's;
  /// version_conflict: it is not as expected.
  domain::Result<StoredResponse> update(const RequestContext& context, const std::string& client_id,
                                        const ClientChange& change, const RenderClient& render);
  /// Error as above, or invalid_state: two secrets are live, or the access lasts longer than the caller's.
  domain::Result<StoredResponse> rotate(const RequestContext& context, const std::string& client_id,
                                        std::int64_t overlap_s, const RenderClient& render);
  domain::Result<StoredResponse> revoke(const RequestContext& context, const std::string& client_id,
                                        const std::string& secret_id, const RenderClient& render);

 private:
  ports::Store& store_;
  const ports::Credentials& credentials_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
