// The one way of every request, top to bottom:
// request id · route · authentication · scope · media type · JSON · idempotency · handler · headers · one log line.
// Thread-safe.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "core/http/access_trail.hpp"
#include "core/http/auth.hpp"
#include "core/http/recent_keys.hpp"
#include "core/http/route_table.hpp"
#include "core/http/server/exchange.hpp"
#include "core/http/server/refusal.hpp"
#include "core/ports/id_source.hpp"

namespace tideover::http {

struct PipelineOptions {
  domain::Environment environment = domain::Environment::sandbox;
  std::size_t json_body_bytes = 1 << 20;
  std::size_t file_body_bytes = 32 << 20;
};

/// What the log and the metrics learn of a finished request: no bodies, no identifiers of people.
struct Served {
  std::string request_id;
  std::string method;
  std::string route;  // the pattern, or "" where none matched
  int status = 0;
  std::string error;      // name of the refusal, or ""
  std::string problem;    // what was thrown, for the operator only
  std::string client_id;  // empty before authentication
  double seconds = 0;
};

class Pipeline {
 public:
  Pipeline(RouteTable routes, Auth& auth, AccessTrail& trail, ports::Store& store, const ports::Clock& clock,
           ports::IdSource& ids, PipelineOptions options, std::function<void(const Served&)> observe)
      : routes_(std::move(routes)),
        auth_(auth),
        trail_(trail),
        store_(store),
        clock_(clock),
        ids_(ids),
        options_(options),
        observe_(std::move(observe)) {}

  void handle(std::shared_ptr<Exchange> exchange);
  /// The product's error body for what the connection front turns away.
  Response refuse(const Request& head, Refusal refusal, std::string_view reason);
  /// Files may be large, but only of callers with a token of ours: nobody else gets our memory.
  std::size_t body_limit(const Request& head) const;

 private:
  struct RequestState;  // one request on its way
  struct Heading;
  class KeyInUse;
  /// What a step on the way comes to; nothing when the answer comes later.
  using Outcome = std::optional<domain::Result<Reply>>;

  template <class Step>
  void proceed(const std::shared_ptr<RequestState>& passage, Step step);
  domain::Status admit(RequestState& passage);
  void leave_access(const RequestState& passage, const domain::Result<Reply>& result);
  Outcome attempt(const std::shared_ptr<RequestState>& passage);
  Outcome settle(const std::shared_ptr<RequestState>& passage, Outcome outcome);
  void finish(RequestState& passage, domain::Result<Reply> result);
  Outcome stored_answer(RequestState& passage) const;
  Response render(const Heading& heading, domain::Result<Reply> result) const;
  std::string request_id_of(const Request& request);

  RouteTable routes_;
  Auth& auth_;
  AccessTrail& trail_;
  ports::Store& store_;
  const ports::Clock& clock_;
  ports::IdSource& ids_;
  PipelineOptions options_;
  std::function<void(const Served&)> observe_;
  std::mutex keys_lock_;
  std::set<std::string> keys_in_use_;
  RecentKeys recent_keys_;
};

}  // namespace tideover::http
