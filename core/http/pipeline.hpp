// Processes every request, in this order:
//   request id · route · authentication · rate limits · scope · media type · JSON · idempotency · handler · headers ·
//   compression · one log line.
// Everything before the JSON can refuse a request whose client waits before it sends the body (judge_head).
// Thread-safe.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "core/http/access_trail.hpp"
#include "core/http/auth.hpp"
#include "core/http/cors.hpp"
#include "core/http/keys/recent_keys.hpp"
#include "core/http/rates/rate_limiter.hpp"
#include "core/http/route_table.hpp"
#include "core/http/server/exchange.hpp"
#include "core/http/server/refusal.hpp"
#include "core/ports/id_source.hpp"

namespace tideover::http {

struct PipelineOptions {
  domain::Environment environment = domain::Environment::sandbox;
  std::size_t json_body_bytes = 1 << 20;
  std::size_t file_body_bytes = 32 << 20;
  RateLimiter* rate_limiter = nullptr;         // null: no limits
  std::vector<std::string> cors_origins = {};  // of web pages that may call the API
};

/// Data of a finished request for log and metrics: no bodies, no personal identifiers.
struct Served {
  std::string request_id;
  std::string method;
  std::string route;  // the pattern, or "" when no route matched
  int status = 0;
  std::string error;      // error code, or ""
  std::string problem;    // text of an exception, for the operator only
  std::string client_id;  // empty before authentication
  double seconds = 0;
};

class Pipeline {
 public:
  /// `clock` follows the tenant of the request.
  Pipeline(RouteTable routes, Auth& auth, AccessTrail& trail, ports::Store& store, const ports::Clock& clock,
           ports::IdSource& ids, PipelineOptions options, std::function<void(const Served&)> observe)
      : routes_(std::move(routes)),
        auth_(auth),
        trail_(trail),
        store_(store),
        clock_(clock),
        ids_(ids),
        options_(std::move(options)),
        cors_(options_.cors_origins),
        observe_(std::move(observe)) {}

  void handle(std::shared_ptr<Exchange> exchange);
  /// The refusal of a request that its head decides, as handle() would answer; nothing when the body is needed.
  std::optional<Response> judge_head(const Request& head);
  /// The error body for requests that the HTTP server refuses.
  Response refuse(const Request& head, Refusal refusal, std::string_view reason);
  /// Largest body of a request, in bytes. Only clients with a token of this service may send large files.
  std::size_t body_limit(const Request& head) const;

 private:
  struct RequestState;  // one request in progress
  struct Heading;
  class HeadOnly;
  class KeyInUse;
  /// Result of a step; nothing when the answer comes later.
  using Outcome = std::optional<domain::Result<Reply>>;

  template <class Step>
  void proceed(const std::shared_ptr<RequestState>& state, Step step);
  Outcome options_of(const Request& request) const;
  domain::Status admit(RequestState& state);
  domain::Status admit_head(RequestState& state);
  domain::Status authorize(RequestState& state);
  domain::Status limit_rate(RequestState& state);
  domain::Status read_json(RequestState& state);
  domain::Status take_key(RequestState& state, const std::string& sent);
  void leave_access(const RequestState& state, const domain::Result<Reply>& result);
  Outcome attempt(const std::shared_ptr<RequestState>& state);
  Outcome settle(const std::shared_ptr<RequestState>& state, Outcome outcome);
  void finish(RequestState& state, domain::Result<Reply> result);
  Outcome stored_answer(RequestState& state) const;
  Response render(const Heading& heading, domain::Result<Reply> result) const;
  std::string request_id_of(const Request& request);

  RouteTable routes_;
  Auth& auth_;
  AccessTrail& trail_;
  ports::Store& store_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  PipelineOptions options_;
  Cors cors_;
  std::function<void(const Served&)> observe_;
  std::mutex keys_lock_;
  std::set<std::string> keys_in_use_;
  RecentKeys recent_keys_;
};

}  // namespace tideover::http
