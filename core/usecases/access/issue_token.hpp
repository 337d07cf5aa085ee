// Issues access tokens: OAuth 2.0 client credentials (openapi.yaml: Authentication; RFC 6749 section 4.4).
//
// Threads: thread-safe.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/credentials.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/access/failed_authentications.hpp"
#include "core/usecases/request/request_context.hpp"

namespace tideover::usecases {

struct TokenRequest {
  std::string client_id;
  std::string client_secret;
  std::string grant_type;
  std::string scope;  // blank-separated; empty: all granted scopes
};

struct IssuedToken {
  std::string access_token;
  int expires_in_s = 0;
  domain::ScopeSet scopes;
};

class IssueToken {
 public:
  IssueToken(ports::Store& store, const ports::Credentials& credentials, const ports::Clock& clock,
             ports::IdSource& ids, FailedAuthentications& failures, domain::Environment environment, int lifetime_s)
      : store_(store),
        credentials_(credentials),
        clock_(clock),
        ids_(ids),
        failures_(failures),
        environment_(environment),
        lifetime_s_(lifetime_s) {}
  /// Called once the secret has matched: a request without it costs the client nothing.
  using Admit = std::function<domain::Status(const domain::ClientId& client)>;

  /// Error rate_limited: the client is not authenticated, and too many requests before this one were not either. An
  /// error of `admit` is returned. The row of a token is on disk before the token is sent.
  domain::Result<IssuedToken> operator()(const RequestContext& context, const TokenRequest& request,
                                         const Admit& admit = {}) const;

 private:
  struct Known {
    std::optional<domain::Client> client;
    std::vector<domain::ClientSecret> secrets;
  };
  domain::Result<Known> look_up(const std::string& client_id) const;
  const domain::ClientSecret* matching_secret(const Known& known, const std::string& secret) const;
  void move_to_current_key(const domain::ClientId& client, const domain::ClientSecret& used,
                           const std::string& secret) const;
  domain::Error refused(const std::string& client_id) const;

  ports::Store& store_;
  const ports::Credentials& credentials_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  FailedAuthentications& failures_;
  domain::Environment environment_;
  int lifetime_s_;
};

}  // namespace tideover::usecases
