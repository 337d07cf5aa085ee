// The two HTTP listeners of a service: the API, and the operations port with health and metrics. Thread contract as
// in http::Server.
#pragma once
#include <functional>
#include <memory>

#include "core/domain/ledger/account_map.hpp"
#include "core/domain/payouts/advice.hpp"
#include "core/http/access_trail.hpp"
#include "core/http/auth.hpp"
#include "core/http/pipeline.hpp"
#include "core/http/rates/rate_limiter.hpp"
#include "core/http/server/server.hpp"
#include "core/http/wire/operations/health_json.hpp"
#include "core/service/infrastructure.hpp"
#include "core/service/use_cases.hpp"

namespace tideover::service {

struct HttpFront {
  /// Does not bind a port yet. `on_change` is called after each request that changed data, on the thread of that
  /// request. The arguments must outlive the front.
  HttpFront(Infrastructure& node, UseCases& uses, std::function<void()> on_change);

  Infrastructure& node;
  UseCases& uses;
  const std::function<void()> on_change;
  const domain::AccountMap accounts;
  const domain::AdvicePayer advice_payer;
  const domain::Roles roles;
  http::Auth auth;
  http::AccessTrail trail;
  const std::unique_ptr<http::RateLimiter> rate_limiter;  // null without limits
  http::Pipeline pipeline;
  http::Server server;
  http::Server ops_server;

 private:
  http::RouteTable routes();
  wire::Health health() const;
  http::ServerOptions server_options();
  http::ServerOptions ops_options();
  http::Response ops_page(const http::Request& request);
  void sample();
  void served(const http::Served& request);
};

}  // namespace tideover::service
