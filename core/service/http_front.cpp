#include "core/service/http_front.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "core/domain/basics/api_version.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/node/ops_server.hpp"
#include "core/node/plugin_health.hpp"
#include "core/ops/pages.hpp"

namespace tideover::service {
namespace {

http::ServerLimits server_limits(const settings::Settings& settings) {
  http::ServerLimits limits;
  limits.uri_bytes = static_cast<std::size_t>(settings.limits.uri_bytes);
  limits.header_bytes = static_cast<std::size_t>(settings.limits.header_bytes);
  limits.head_timeout_ms = std::min(limits.head_timeout_ms, settings.server.request_timeout_ms);
  limits.body_timeout_ms = settings.server.request_timeout_ms;
  limits.idle_timeout_ms = settings.server.idle_timeout_ms;
  limits.queued_requests = static_cast<std::size_t>(settings.server.queue);
  limits.worker_threads = static_cast<std::size_t>(settings.server.worker_threads);
  return limits;
}

/// Loading the settings checked them.
domain::AccountMap account_map(const settings::Settings& settings) {
  const auto parsed = domain::AccountMap::parse(settings.ledger.accounts);
  const auto* accounts = std::get_if<domain::AccountMap>(&parsed);
  return accounts ? *accounts : domain::AccountMap{};
}

http::RateLimits rate_limits(const settings::RateLimitSettings& configured) {
  const auto rate = [](const settings::RateSettings& given) { return http::Rate{given.per_second, given.burst}; };
  return {{rate(configured.read), rate(configured.write), rate(configured.confirm), rate(configured.token)},
          configured.in_flight};
}

/// Null when nothing is limited, so that requests then take no additional step.
std::unique_ptr<http::RateLimiter> rate_limiter_of(const settings::RateLimitsSettings& configured) {
  const auto client = rate_limits(configured.client), tenant = rate_limits(configured.tenant);
  const auto limits = [](const http::RateLimits& given) {
    return given.in_flight > 0 ||
           std::any_of(given.rates.begin(), given.rates.end(), [](const http::Rate& rate) { return rate.limits(); });
  };
  if (!limits(client) && !limits(tenant)) return nullptr;
  return std::make_unique<http::RateLimiter>(client, tenant);
}

domain::AdvicePayer advice_payer_of(const settings::RemittanceAdviceSettings& advice) {
  return {advice.payer_name, advice.originator_id, advice.street, advice.city,
          advice.state,      advice.postal_code,   advice.phone};
}

}  // namespace

HttpFront::HttpFront(Infrastructure& given, UseCases& use_cases, std::function<void()> changed)
    : node(given),
      uses(use_cases),
      on_change(std::move(changed)),
      accounts(account_map(node.settings)),
      advice_payer(advice_payer_of(node.settings.remittance_advice)),
      roles(node.settings.roles),
      auth(*node.store, node.credentials, node.clock, node.settings.environment),
      trail(*node.store, node.digests, node.clock, node.ids),
      rate_limiter(rate_limiter_of(node.settings.rate_limits)),
      pipeline(routes(), auth, trail, *node.store, node.tenant_clock, node.ids,
               {node.settings.environment, static_cast<std::size_t>(node.settings.limits.json_body_bytes),
                static_cast<std::size_t>(node.settings.limits.import_body_bytes), rate_limiter.get(),
                node.settings.server.cors_origins},
               [this](const http::Served& request) { served(request); }),
      server(server_options()),
      ops_server(ops_options()) {}

http::RouteTable HttpFront::routes() {
  http::RouteTable table;
  http::add_token_route(table, uses.issue_token, rate_limiter.get());
  http::add_document_routes(table);
  http::add_health_route(table, [this] { return health(); });
  http::add_metadata_routes(table, uses.look_up_payers, node.plugins->rails(), node.reason_codes);
  http::add_review_routes(table, uses.review_claim, uses.compare_reviews);
  http::add_review_reading_routes(table, uses.read_reviews);
  http::add_replay_route(table, uses.replay_review, uses.stored_rules);
  http::add_adjudication_routes(table, uses.create_adjudication, node.plugins->rails());
  http::add_settlement_routes(table, uses.confirm_settlement, uses.cancel_settlement, uses.get_settlement,
                              uses.get_reconciliation, node.plugins->rails());
  http::add_funding_routes(table, uses.change_funding, node.plugins->rails());
  http::add_quote_route(table, uses.quote_funding);
  http::add_payout_route(table, uses.pay_residual, node.plugins->rails());
  http::add_payee_routes(table, uses.payees, uses.pay_practice, node.plugins->rails());
  http::add_payout_advice_route(table, uses.read_advice, node.plugins->rails(), advice_payer);
  http::add_claim_routes(table, uses.get_claim, uses.update_claim_status, node.plugins->rails(), node.reason_codes);
  http::add_import_routes(table, uses.start_import, uses.cancel_import, uses.read_imports);
  http::add_pickup_routes(table, uses.read_pickup_files);
  http::add_deposit_routes(table, uses.post_deposit, uses.return_deposit);
  http::add_deposit_reading_routes(table, uses.read_deposits);
  http::add_bank_routes(table, uses.read_bank);
  http::add_deposit_file_route(table, uses.post_deposit_file, node.money_file_decoder);
  http::add_remittance_routes(table, uses.post_remittance, node.money_file_decoder);
  http::add_remittance_reading_routes(table, uses.read_remittances);
  http::add_alias_routes(table, uses.payer_aliases, uses.payee_aliases);
  http::add_webhook_routes(table, uses.webhook_endpoints, uses.webhook_deliveries);
  http::add_event_routes(table, uses.published_events);
  http::add_client_routes(table, uses.clients, roles);
  http::add_task_routes(table, uses.read_tasks, uses.decide_task);
  http::add_ledger_routes(table, uses.read_ledger);
  http::add_ledger_export_routes(table, uses.read_ledger, uses.export_ledger, accounts);
  http::add_ledger_period_routes(table, uses.close_period);
  http::add_quality_routes(table, uses.read_quality);
  http::add_audit_route(table, uses.read_audit);
  http::add_rule_routes(table, uses.read_rules);
  http::add_release_routes(table, uses.release_by_request);
  if (node.settings.environment == domain::Environment::sandbox) {
    http::add_sandbox_routes(table, uses.move_clock);
    http::add_simulation_routes(table, uses.simulate_payments, uses.simulate_transfers);
  }
  for (const auto& route : table.all()) node.metrics.route(route.method + ' ' + route.pattern);
  return table;
}

wire::Health HttpFront::health() const {
  const auto snapshot = node.readiness.snapshot();
  wire::Health state{TIDEOVER_VERSION, node.clock.now(), snapshot.ready(), {}};
  for (std::size_t i = 0; i < ops::kCheckCount; ++i) {
    const auto& check = snapshot.checks[i];
    state.checks.emplace_back(name_of(static_cast<ops::Check>(i)), check.ok ? "ok" : "unavailable");
  }
  return state;
}

http::ServerOptions HttpFront::server_options() {
  http::ServerOptions options;
  options.address = node.settings.server.host;
  options.port = static_cast<std::uint16_t>(node.settings.server.port);
  options.limits = server_limits(node.settings);
  options.handler = [this](std::shared_ptr<http::Exchange> exchange) { pipeline.handle(std::move(exchange)); };
  options.body_limit = [this](const http::Request& head) { return pipeline.body_limit(head); };
  options.judge_head = [this](const http::Request& head) { return pipeline.judge_head(head); };
  options.refuse = [this](const http::Request& head, http::Refusal refusal, std::string_view reason) {
    return pipeline.refuse(head, refusal, reason);
  };
  return options;
}

http::ServerOptions HttpFront::ops_options() {
  return node::ops_server_options(
      node.settings.ops, [this](const http::Request& request) { return ops_page(request); },
      [this](const http::Request& head, http::Refusal refusal, std::string_view reason) {
        return pipeline.refuse(head, refusal, reason);
      });
}

void HttpFront::sample() {
  std::vector<ops::Metrics::RuleCount> counts;
  for (const auto& rule : node.rules.counts()) counts.push_back({rule.rule_id, rule.fired, rule.faults});
  node.metrics.rules(counts);
  node.metrics.requests_in_flight(server.in_flight());
  node.metrics.plugins(node::plugin_uses(node.plugins->states()));
  const auto unsent = server.unsent();
  node.metrics.answers_unsent(unsent.bytes, unsent.dropped);
  const auto seals = node.store->seal_faults();
  node.metrics.seals_unopened(seals.damaged, seals.unknown_key);
  const auto commits = node.store->stats();
  node.metrics.learning(
      {static_cast<std::uint64_t>(uses.learner.skipped()), static_cast<std::uint64_t>(uses.learner.set_aside()),
       static_cast<std::uint64_t>(uses.learner.diverged()), static_cast<std::uint64_t>(uses.learner.drift_alarms()),
       uses.learner.memory_bytes() + uses.learning_journal.memory_bytes()});
  node.metrics.committed(commits.batches, commits.units, commits.replays, commits.retries);
}

http::Response HttpFront::ops_page(const http::Request& request) {
  if (request.path == "/livez") return node::response_of(ops::livez());
  if (request.path == "/readyz") return node::response_of(ops::readyz(node.readiness));
  if (request.path == "/metrics") {
    sample();
    return node::response_of(ops::metrics(node.metrics));
  }
  if (request.path == "/version")
    return node::response_of(ops::version({TIDEOVER_VERSION, std::string(domain::kApiVersion)}));
  return node::response_of(
      {404, "text/plain; charset=utf-8", "Path not found. This port serves /livez, /readyz, /metrics and /version.\n"});
}

void HttpFront::served(const http::Served& request) {
  if (!request.route.empty())
    node.metrics.route(request.method + ' ' + request.route)
        .record(request.status,
                std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(request.seconds)));
  node.log.info("request", {{"request_id", request.request_id},
                            {"method", request.route.empty() ? "" : request.method},
                            {"route", request.route},
                            {"status", request.status},
                            {"error", request.error},
                            {"problem", request.problem},
                            {"client", request.client_id},
                            {"took_us", static_cast<std::int64_t>(request.seconds * 1e6)}});
  if (request.status < 300 && request.method != "GET") on_change();
}

}  // namespace tideover::service
