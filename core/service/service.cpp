#include "core/service/service.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>
#include <utility>

#include "core/admin/admin.hpp"
#include "core/admin/control_socket.hpp"
#include "core/clock/guarded_clock.hpp"
#include "core/domain/basics/api_version.hpp"
#include "core/events/dispatcher.hpp"
#include "core/events/webhook_url.hpp"
#include "core/faults/crash_point.hpp"
#include "core/http/current_request.hpp"
#include "core/http/handlers/handlers.hpp"
#include "core/http/pipeline.hpp"
#include "core/http/server/server.hpp"
#include "core/jobs/payload_decoder.hpp"
#include "core/jobs/periodic.hpp"
#include "core/jobs/prune_pace.hpp"
#include "core/lua/ruleset/watcher.hpp"
#include "core/node/key_keeper.hpp"
#include "core/node/ops_server.hpp"
#include "core/node/own_trail.hpp"
#include "core/node/plugin_health.hpp"
#include "core/node/process_identity.hpp"
#include "core/node/rule_keeper.hpp"
#include "core/node/start.hpp"
#include "core/node/stored_rules.hpp"
#include "core/ops/log.hpp"
#include "core/ops/metrics.hpp"
#include "core/ops/pages.hpp"
#include "core/ops/readiness.hpp"
#include "core/usecases/audit/note_checkpoint.hpp"
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/funding/replay_journal.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/imports/run_import.hpp"
#include "core/usecases/learning/keep_learning_journal.hpp"
#include "core/usecases/learning/learner.hpp"
#include "core/usecases/learning/put_learning_aside.hpp"
#include "core/usecases/nodes/node_lease.hpp"
#include "core/usecases/nodes/shared_work.hpp"
#include "core/usecases/reconciliation/tell_of_waiting.hpp"
#include "core/usecases/reconciliation/write_off_overdue.hpp"
#include "core/usecases/rules/shadow_failing_rule.hpp"

namespace tideover::main {
namespace {

constexpr auto kPayOutEvery = std::chrono::seconds(2);
constexpr auto kResolveEvery = std::chrono::seconds(1);
constexpr auto kFollowEvery = std::chrono::seconds(1);
constexpr auto kExpireEvery = std::chrono::minutes(1);
/// So that a clock which jumps ahead ends few terms before somebody notices.
constexpr std::size_t kExpireAtOnce = 100;
constexpr auto kWriteOffEvery = std::chrono::minutes(10);
constexpr std::size_t kWriteOffAtOnce = 100;
constexpr auto kReconcileCheckEvery = std::chrono::seconds(5);
/// A node that compares the rails' books and is not heard of for so long has died of it.
constexpr auto kReconcileLease = std::chrono::minutes(15);
constexpr auto kReplayEvery = std::chrono::seconds(5);
/// How much longer than its slowest steps a worker of an attempt may be silent before another takes over.
constexpr auto kLeaseMargin = std::chrono::seconds(5);
constexpr auto kProbeEvery = std::chrono::seconds(1);
constexpr auto kLookForRailsEvery = std::chrono::minutes(1);
constexpr auto kBeatEvery = std::chrono::seconds(2);
constexpr auto kLookAtRulesEvery = std::chrono::milliseconds(250);
constexpr auto kLookAtKeysEvery = std::chrono::seconds(1);
constexpr auto kLearnEvery = std::chrono::seconds(1);
/// A node that keeps the learning journal and is not heard of for so long has died of it; it says so more often.
constexpr auto kLearningLease = std::chrono::seconds(20);
constexpr auto kLearningLeaseEvery = std::chrono::seconds(5);
constexpr auto kTellOfLearningEvery = std::chrono::seconds(5);
constexpr auto kDenialsEvery = std::chrono::seconds(10);
constexpr auto kCheckpointEvery = std::chrono::seconds(1);  // that is: looked at
constexpr auto kPruneEvery = std::chrono::minutes(1);
constexpr std::size_t kPruneAtOnce = 500;
/// A file of remittances or deposits is read into memory whole.
constexpr std::int64_t kMoneyFileInflatedBytes = 32 << 20;

ops::LogLevel level_of(plugin_host::LogLevel level) {
  switch (level) {
    case plugin_host::LogLevel::debug:
      return ops::LogLevel::debug;
    case plugin_host::LogLevel::info:
      return ops::LogLevel::info;
    case plugin_host::LogLevel::warning:
      return ops::LogLevel::warning;
    case plugin_host::LogLevel::error:
      return ops::LogLevel::error;
  }
  return ops::LogLevel::error;
}

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

bool two_person_decisions(const settings::Settings& settings) {
  using settings::TwoPersonDecisions;
  const auto wanted = settings.funding.two_person_decisions;
  return wanted == TwoPersonDecisions::always ||
         (wanted == TwoPersonDecisions::in_production && settings.environment == domain::Environment::production);
}

plugin_host::CallBudgets call_budgets(const settings::Settings& settings) {
  auto budgets = start_budgets(settings);
  budgets.files_at_once =
      std::max(1, settings.server.worker_threads / 2);  // the other workers serve on when a format hangs
  return budgets;
}

}  // namespace

// Members are in the order of construction; destruction runs backwards, so whatever refers to a part ends before it.
struct Service::Parts {
  explicit Parts(const settings::Settings& given);

  settings::Settings settings;
  ops::Logger log;
  ops::Metrics metrics{TIDEOVER_VERSION};
  ops::Readiness readiness;
  std::atomic<bool> broken = false;

  clock::GuardedClock clock{[this](clock::GuardedClock::Jump jump, std::int64_t by_ms) { clock_jumped(jump, by_ms); }};
  clock::NewYorkTime bank_time;
  clock::UlidSource ids{clock};
  crypto::KeyRing keys;
  crypto::RingCipher cipher{keys};
  crypto::RingCredentials credentials{keys};
  crypto::LastingDigest digests{keys};
  std::string reason_codes_problem;  // why those of an earlier start are used
  std::vector<domain::ReasonCode> reason_codes;
  wire::EventJson event_json;
  std::unique_ptr<store::SqlStore> store;
  std::unique_ptr<journal::FileJournal> journal;
  std::unique_ptr<usecases::NodeLease> node_lease;  // on MariaDB only
  std::unique_ptr<store::CheckpointFile> checkpoints;

  lua::LoadOptions rule_options;
  usecases::ReleaseRulesOptions release_options_here();
  usecases::ReleaseRules release_rules;
  lua::Engine rules;
  RuleKeeper rule_keeper;
  std::unique_ptr<lua::Watcher> rules_watcher;
  std::unique_ptr<plugin_host::PluginHost> plugins;
  jobs::PayloadDecoder decoder;
  jobs::PayloadDecoder money_file_decoder;
  events::EgressPolicy egress;

  usecases::Learner learner;
  usecases::KeepLearningJournal learning_journal;
  usecases::SharedWork keeping_journal;
  std::optional<std::chrono::steady_clock::time_point> journal_asked_at;  // of the job that learns, like what follows
  bool keeps_journal = false;
  std::int64_t learning_skipped = 0, learning_set_aside = 0, learning_diverged = 0;
  std::string shadowing_problem;  // of the job that follows the rules
  std::string rails_problem;      // of the job that probes, like what follows
  std::optional<std::chrono::steady_clock::time_point> rails_looked_at;
  usecases::IssueToken issue_token;
  usecases::LookUpPayers look_up_payers;
  usecases::ReviewClaim review_claim;
  StoredRules stored_rules;
  usecases::ShadowFailingRule shadow_failing_rule;
  usecases::ReplayReview replay_review;
  usecases::ReadReviews read_reviews;
  usecases::ReadQuality read_quality;
  usecases::CreateAdjudication create_adjudication;
  usecases::Disburse disburse;
  usecases::ConfirmSettlement confirm_settlement;
  usecases::PayResidual pay_residual;
  usecases::PayResiduals pay_residuals;
  usecases::CancelSettlement cancel_settlement;
  usecases::GetReconciliation get_reconciliation;
  usecases::GetSettlement get_settlement;
  usecases::GetClaim get_claim;
  usecases::UpdateClaimStatus update_claim_status;
  usecases::StartImport start_import;
  usecases::CancelImport cancel_import;
  usecases::ReadImports read_imports;
  usecases::RunImport run_import;
  usecases::PostDeposit post_deposit;
  usecases::PostDepositFile post_deposit_file;
  usecases::PostRemittance post_remittance;
  usecases::WebhookEndpoints webhook_endpoints;
  usecases::Events published_events;
  usecases::ReadLedger read_ledger;
  usecases::ReadAudit read_audit;
  usecases::ReadRules read_rules;
  usecases::ReleaseByRequest release_by_request;
  usecases::ResolveDisbursements resolve_disbursements;
  usecases::ReplayJournal replay_journal;
  bool replayed = false;                  // of the job that replays
  std::atomic<bool> journal_read{false};  // once to its end: what it left undecided waits for a rail or a person
  usecases::FollowUpPayments follow_up_payments;
  usecases::ReconcileRails reconcile_rails;
  usecases::SharedWork reconciling;
  std::optional<std::chrono::steady_clock::time_point> reconciled_at;  // of the job that reconciles
  usecases::ExpireSettlements expire_settlements;
  usecases::WriteOffOverdue write_off_overdue;
  usecases::TellOfWaiting tell_of_waiting;
  usecases::ReadDeposits read_deposits;
  usecases::ReadRemittances read_remittances;
  usecases::ReadTasks read_tasks;
  usecases::DecideTask decide_task;
  usecases::NoteCheckpoint checkpoint_notes;

  events::Dispatcher dispatcher;
  KeyKeeper key_keeper{keys, cipher, *store, clock, log, metrics};
  jobs::PrunePace prune_pace;  // of the thread that prunes

  http::Auth auth;
  http::AccessTrail trail;
  http::Pipeline pipeline;
  http::Server server;
  http::Server ops_server;
  Desk desk{settings,         keys,          *store,       clock,   ids, &plugins->rails(),
            &reconcile_rails, journal.get(), &rule_keeper, &learner};
  std::vector<std::unique_ptr<jobs::Periodic>> jobs;  // behind all that their rounds use
  std::unique_ptr<ControlSocket> control;             // on the embedded store only

  http::RouteTable routes();
  wire::Health health() const;
  lua::WatcherOptions watcher_options();
  plugin_host::HostServices host_services();
  events::DispatcherOptions dispatcher_options() const;
  events::DispatcherObserver dispatcher_observer();
  http::ServerOptions server_options();
  http::ServerOptions ops_options();
  http::Response ops_page(const http::Request& request);
  void sample();

  void served(const http::Served& request);
  bool work_on_imports(const jobs::Periodic& self);
  bool resolve(const jobs::Periodic& self);
  bool pay_out(const jobs::Periodic& self);
  bool replay(const jobs::Periodic& self);
  bool follow_up(const jobs::Periodic& self);
  bool reconcile();
  bool learn(const jobs::Periodic& self);
  bool is_keeper_of_journal();
  bool follow_journal(const std::function<bool()>& stop);
  void learn_so_far();
  bool expire();
  bool write_off(const jobs::Periodic& self);
  void expect_failures();
  std::string simulated_in_production() const;
  void tell_of_journal();
  void tell_of_reason_codes();
  store::StoreOptions watched_store_options();
  void probe_store();
  void look_for_missing_rails();
  bool probe();
  bool follow_rules();
  bool prune();
  std::unique_ptr<usecases::NodeLease> take_node_name();
  bool beat();
  /// As an operator would, and with exit code 1.
  void end_broken();
  bool note_checkpoint();
  bool write_denials();
  void clock_jumped(clock::GuardedClock::Jump jump, std::int64_t by_ms);
  AdminReply administer(const AdminRequest& request);
  void on_record(const std::string& operation, const std::string& object, const std::string& outcome = "ok") {
    note(*store, clock, ids, operation, object, outcome);
  }
  void record_start();
  void start();
};

usecases::ReleaseRulesOptions Service::Parts::release_options_here() {
  auto options = release_options(settings);
  options.usable = [this](const domain::RuleBundle& bundle) { return rule_keeper.get_ready(bundle); };
  return options;
}

Service::Parts::Parts(const settings::Settings& given)
    : settings(given),
      log(open_log(settings.log)),
      keys(open_key_ring(settings)),
      reason_codes(usable_reason_codes(settings, reason_codes_problem)),
      store(open_store(watched_store_options(), event_json, cipher)),
      journal(open_journal(settings, clock)),
      // Before the plugins: a database that cannot be written is found here, and a start that waits for it loads none.
      node_lease(take_node_name()),
      checkpoints(open_checkpoints(settings, keys)),
      rule_options(main::rule_options(settings, reason_codes)),
      release_rules(*store, clock, ids, release_options_here()),
      rules(first_ruleset(*store, release_rules, settings, rule_options), rule_options.limits),
      rule_keeper({*store, clock, release_rules, rules, log, metrics, readiness, reason_codes_problem}, settings,
                  rule_options),
      plugins(load_plugins(settings, host_services(), call_budgets(settings))),
      decoder({settings.limits.import_inflated_bytes, settings.limits.import_ratio}),
      money_file_decoder(
          {std::min(settings.limits.import_inflated_bytes, kMoneyFileInflatedBytes), settings.limits.import_ratio}),
      egress{settings.environment == domain::Environment::sandbox && settings.webhooks.allow_loopback_http_in_sandbox,
             {443}},
      learner(*store, digests, {}, usecases::PutLearningAside(*store, clock, ids)),
      learning_journal(*store, clock, learner),
      keeping_journal(*store, clock, "learning_journal", node_name(settings), kLearningLease),
      issue_token(*store, credentials, clock, ids, settings.environment, settings.security.access_token_seconds),
      look_up_payers(plugins->payers()),
      review_claim(*store, plugins->payers(), rules, digests, ids, reason_codes, settings.funding.authorization_days,
                   &learner),
      stored_rules(*store, rule_options),
      shadow_failing_rule(*store, clock, ids, release_rules, stored_rules,
                          {"node " + node_name(settings), settings.rules.operator_tenant}),
      replay_review(*store, digests, reason_codes, settings.environment),
      read_reviews(*store),
      read_quality(*store, digests, learner),
      create_adjudication(*store, plugins->payers(), rules, plugins->rails(), ids, digests, terms_limits(settings),
                          settings.funding.confirmation_days),
      disburse(
          *store, plugins->rails(), *journal, clock, ids, digests,
          {std::chrono::milliseconds(settings.funding.submit_timeout_ms), settings.funding.resolve_seconds,
           2 * std::chrono::milliseconds(settings.funding.submit_timeout_ms) + kLeaseMargin, sender_name(settings)}),
      confirm_settlement(
          *store, rules, disburse, ids,
          {std::chrono::milliseconds(settings.funding.wait_ms), std::max(1, settings.server.worker_threads / 2)}),
      pay_residual(*store, disburse, ids, settings.funding.residual_payouts != settings::ResidualPayouts::never),
      pay_residuals(*store, disburse, ids, domain::Money::cents(settings.funding.residual_minimum_cents)),
      cancel_settlement(*store, ids),
      get_reconciliation(*store),
      get_settlement(*store),
      get_claim(*store),
      update_claim_status(*store, ids),
      start_import(*store, plugins->imports(), decoder, digests, ids, settings.limits.import_rows),
      cancel_import(*store, ids),
      read_imports(*store),
      run_import(*store, review_claim, plugins->imports(), decoder, clock, ids,
                 {settings.environment, settings.imports.chunk_rows, settings.limits.import_rows,
                  settings.imports.lease_seconds,
                  [this](std::int64_t accepted, std::int64_t rejected) {
                    metrics.import_rows(static_cast<std::size_t>(accepted), static_cast<std::size_t>(rejected));
                  }}),
      post_deposit(*store, plugins->payers(), ids),
      post_deposit_file(*store, plugins->deposits(), digests, ids),
      post_remittance(*store, plugins->payers(), plugins->remittances(), digests, ids),
      webhook_endpoints(*store, credentials, ids,
                        [this](std::string_view url) { return events::check_webhook_url(url, egress); }),
      published_events(*store, ids),
      read_ledger(*store),
      read_audit(*store),
      read_rules(*store, rules, settings.rules.operator_tenant),
      release_by_request(*store, release_rules, stored_rules, ids, settings.rules.operator_tenant),
      resolve_disbursements(*store, disburse, clock, sender_name(settings)),
      replay_journal(*store, disburse, plugins->rails(), *journal, clock, ids,
                     std::chrono::milliseconds(settings.funding.submit_timeout_ms)),
      follow_up_payments(*store, disburse, plugins->rails(), clock, ids,
                         {std::chrono::milliseconds(settings.funding.submit_timeout_ms),
                          2 * std::chrono::milliseconds(settings.funding.submit_timeout_ms) + kLeaseMargin,
                          usecases::FollowUpOptions{}.ask_again_after_s}),
      reconcile_rails(*store, disburse, plugins->rails(), *journal, clock, ids, reconcile_options(settings)),
      reconciling(*store, clock, "reconcile_rails", node_name(settings), kReconcileLease),
      expire_settlements(*store, ids, clock),
      write_off_overdue(*store, rules, ids, clock),
      tell_of_waiting(*store, rules, ids, clock),
      read_deposits(*store),
      read_remittances(*store),
      read_tasks(*store),
      decide_task(*store, disburse, plugins->payers(), ids, two_person_decisions(settings)),
      checkpoint_notes(*store, *checkpoints, clock, {}),
      dispatcher(*store, clock, dispatcher_options(), dispatcher_observer()),
      auth(*store, credentials, clock, settings.environment),
      trail(*store, digests, clock, ids),
      pipeline(routes(), auth, trail, *store, clock, ids,
               {settings.environment, static_cast<std::size_t>(settings.limits.json_body_bytes),
                static_cast<std::size_t>(settings.limits.import_body_bytes)},
               [this](const http::Served& request) { served(request); }),
      server(server_options()),
      ops_server(ops_options()) {}

store::StoreOptions Service::Parts::watched_store_options() {
  auto options = store_options(settings);
  options.on_failure = [this](std::string_view what) { log.error("store_failure", {{"problem", what}}); };
  options.on_broken = [this](std::string_view what) {
    log.error("store_broken",
              {{"problem", what},
               {"hint",
                "the disk failed or the database is damaged: nothing is written any more and the service ends; "
                "what was acknowledged is kept. Check the disk, then start again or restore a backup."}});
    readiness.report(ops::Check::store, false, "the disk failed or the database is damaged; the service ends");
    end_broken();
  };
  return options;
}

http::RouteTable Service::Parts::routes() {
  http::RouteTable table;
  http::add_token_route(table, issue_token);
  http::add_health_route(table, [this] { return health(); });
  http::add_metadata_routes(table, look_up_payers, plugins->rails(), reason_codes);
  http::add_review_routes(table, review_claim);
  http::add_review_reading_routes(table, read_reviews);
  http::add_replay_route(table, replay_review, stored_rules);
  http::add_adjudication_routes(table, create_adjudication, plugins->rails());
  http::add_settlement_routes(table, confirm_settlement, cancel_settlement, get_settlement, get_reconciliation,
                              plugins->rails());
  http::add_payout_route(table, pay_residual, plugins->rails());
  http::add_claim_routes(table, get_claim, update_claim_status, plugins->rails());
  http::add_import_routes(table, start_import, cancel_import, read_imports);
  http::add_deposit_routes(table, post_deposit);
  http::add_deposit_reading_routes(table, read_deposits);
  http::add_deposit_file_route(table, post_deposit_file, money_file_decoder);
  http::add_remittance_routes(table, post_remittance, money_file_decoder);
  http::add_remittance_reading_routes(table, read_remittances);
  http::add_webhook_routes(table, webhook_endpoints);
  http::add_event_routes(table, published_events);
  http::add_task_routes(table, read_tasks, decide_task);
  http::add_ledger_routes(table, read_ledger);
  http::add_quality_routes(table, read_quality);
  http::add_audit_route(table, read_audit);
  http::add_rule_routes(table, read_rules);
  http::add_release_routes(table, release_by_request);
  for (const auto& route : table.all()) metrics.route(route.method + ' ' + route.pattern);
  return table;
}

wire::Health Service::Parts::health() const {
  const auto snapshot = readiness.snapshot();
  wire::Health state{TIDEOVER_VERSION, clock.now(), snapshot.ready(), {}};
  for (std::size_t i = 0; i < ops::kCheckCount; ++i) {
    const auto& check = snapshot.checks[i];
    state.checks.emplace_back(name_of(static_cast<ops::Check>(i)), check.ok ? "ok" : "unavailable");
  }
  return state;
}

bool Service::Parts::follow_rules() {
  const bool followed = rule_keeper.follow_store();
  for (const auto& failing : rules.failing()) {
    const auto done = shadow_failing_rule(
        {failing.sha256, failing.rule_id, failing.is_terms, failing.when.faults, failing.when.calls});
    if (!done) {
      // Tried again at every look; said once for each reason.
      if (std::exchange(shadowing_problem, done.error().message) != shadowing_problem)
        log.error("rule_failing", {{"rule", failing.rule_id}, {"problem", shadowing_problem}});
      continue;
    }
    shadowing_problem.clear();
    if (!done->empty()) {
      log.error("rule_failing", {{"rule", failing.rule_id}, {"problem", *done}});
      metrics.rule_failing();
      rule_keeper.note_failing(*done);
    }
  }
  return followed;
}

lua::WatcherOptions Service::Parts::watcher_options() {
  lua::WatcherOptions options;
  options.folder = settings.rules.folder;
  options.load = rule_options;
  options.quiet = std::chrono::milliseconds(settings.rules.reload_debounce_ms);
  options.recheck = std::chrono::milliseconds(settings.rules.reload_check_ms);
  options.on_change = [this](const lua::LoadResult& folder) {
    if (!rule_keeper.follow_folder(folder)) return false;
    rule_keeper.follow_store();
    return true;
  };
  options.on_trouble = [this](std::string_view problem) { log.error("rules_trouble", {{"problem", problem}}); };
  return options;
}

plugin_host::HostServices Service::Parts::host_services() {
  return {clock, bank_time,
          [this](plugin_host::LogLevel level, std::string_view plugin, std::string_view message) {
            log.log(level_of(level), "plugin", {{"plugin", plugin}, {"message", message}});
          },
          [this](const plugin_host::PluginFault& fault) {
            metrics.plugin_failed(fault.kind, fault.id, fault.function, fault.what);
            if (!fault.is_logged) return;
            log.error("plugin_fault", {{"request_id", fault.request_id},
                                       {"kind", fault.kind},
                                       {"plugin", fault.id},
                                       {"function", fault.function},
                                       {"what", fault.what},
                                       {"problem", fault.message},
                                       {"left_out", fault.left_out}});
          },
          [] { return http::current_request_id(); }};
}

events::DispatcherOptions Service::Parts::dispatcher_options() const {
  events::DispatcherOptions options;
  options.environment = settings.environment;
  options.retries.delays_s = settings.webhooks.retry_seconds;
  options.timeout_ms = settings.webhooks.timeout_ms;
  options.parallel = settings.webhooks.parallel;
  options.parallel_per_endpoint = settings.webhooks.parallel_per_endpoint;
  options.poll_ms = settings.webhooks.poll_ms;
  options.egress = egress;
  return options;
}

events::DispatcherObserver Service::Parts::dispatcher_observer() {
  events::DispatcherObserver observer;
  observer.tried = [this](const events::DeliveryReport& report) {
    const bool delivered = report.outcome == events::DeliveryReport::Outcome::delivered;
    delivered ? metrics.webhook_delivered() : metrics.webhook_failed();
    log.log(delivered ? ops::LogLevel::info : ops::LogLevel::warning,
            delivered ? "webhook_delivered" : "webhook_failed",
            {{"event_id", report.event.text()},
             {"endpoint", report.endpoint.text()},
             {"kind", report.kind},
             {"attempt", report.attempt},
             {"status", report.status},
             {"problem", report.problem},
             {"took_ms", report.took_ms}});
  };
  observer.published = [this](std::size_t) { readiness.report(ops::Check::webhooks, true); };
  observer.trouble = [this](const domain::Error& error) {
    readiness.report(ops::Check::webhooks, false, error.message);
    log.error("webhook_trouble", {{"problem", error.message}});
  };
  return observer;
}

http::ServerOptions Service::Parts::server_options() {
  http::ServerOptions options;
  options.address = settings.server.host;
  options.port = static_cast<std::uint16_t>(settings.server.port);
  options.limits = server_limits(settings);
  options.handler = [this](std::shared_ptr<http::Exchange> exchange) { pipeline.handle(std::move(exchange)); };
  options.body_limit = [this](const http::Request& head) { return pipeline.body_limit(head); };
  options.refuse = [this](const http::Request& head, http::Refusal refusal, std::string_view reason) {
    return pipeline.refuse(head, refusal, reason);
  };
  return options;
}

http::ServerOptions Service::Parts::ops_options() {
  return ops_server_options(
      settings.ops, [this](const http::Request& request) { return ops_page(request); },
      [this](const http::Request& head, http::Refusal refusal, std::string_view reason) {
        return pipeline.refuse(head, refusal, reason);
      });
}

void Service::Parts::sample() {
  std::vector<ops::Metrics::RuleCount> counts;
  for (const auto& rule : rules.counts()) counts.push_back({rule.rule_id, rule.fired, rule.faults});
  metrics.rules(counts);
  metrics.requests_in_flight(server.in_flight());
  metrics.plugins(plugin_uses(plugins->states()));
  const auto unsent = server.unsent();
  metrics.answers_unsent(unsent.bytes, unsent.dropped);
  const auto seals = store->seal_faults();
  metrics.seals_unopened(seals.damaged, seals.unknown_key);
  const auto commits = store->stats();
  metrics.learning({static_cast<std::uint64_t>(learner.skipped()), static_cast<std::uint64_t>(learner.set_aside()),
                    static_cast<std::uint64_t>(learner.diverged()), static_cast<std::uint64_t>(learner.drift_alarms()),
                    learner.memory_bytes() + learning_journal.memory_bytes()});
  metrics.committed(commits.batches, commits.units, commits.replays, commits.retries);
}

http::Response Service::Parts::ops_page(const http::Request& request) {
  if (request.path == "/livez") return response_of(ops::livez());
  if (request.path == "/readyz") return response_of(ops::readyz(readiness));
  if (request.path == "/metrics") {
    sample();
    return response_of(ops::metrics(metrics));
  }
  if (request.path == "/version")
    return response_of(ops::version({TIDEOVER_VERSION, std::string(domain::kApiVersion)}));
  return response_of({404, "text/plain; charset=utf-8", "Here are /livez, /readyz, /metrics and /version.\n"});
}

void Service::Parts::served(const http::Served& request) {
  if (!request.route.empty())
    metrics.route(request.method + ' ' + request.route)
        .record(request.status,
                std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(request.seconds)));
  log.info("request", {{"request_id", request.request_id},
                       {"method", request.route.empty() ? "" : request.method},
                       {"route", request.route},
                       {"status", request.status},
                       {"error", request.error},
                       {"problem", request.problem},
                       {"client", request.client_id},
                       {"took_us", static_cast<std::int64_t>(request.seconds * 1e6)}});
  if (request.status < 300 && request.method != "GET") dispatcher.poke();
}

bool Service::Parts::work_on_imports(const jobs::Periodic& self) {
  const auto worked = run_import([&self] { return self.stopping(); });
  if (worked) return *worked;
  log.error("import_trouble", {{"problem", worked.error().message}});
  return false;
}

bool Service::Parts::resolve(const jobs::Periodic& self) {
  const auto looked_at = resolve_disbursements([&self] { return self.stopping(); });
  if (!looked_at) log.error("disbursement_trouble", {{"problem", looked_at.error().message}});
  return false;
}

// Behind the replay of the journal: what the database has forgotten is found before it is claimed once more.
bool Service::Parts::pay_out(const jobs::Periodic& self) {
  if (!journal_read) return false;
  const auto claimed = pay_residuals([&self] { return self.stopping(); });
  if (!claimed) log.error("payout_trouble", {{"problem", claimed.error().message}});
  return false;
}

bool Service::Parts::replay(const jobs::Periodic& self) {
  if (replayed) return false;
  const auto report = replay_journal([&self] { return self.stopping(); });
  if (!report) {
    log.error("rail_journal_trouble", {{"problem", report.error().message}});
    return false;
  }
  if (self.stopping()) return false;
  journal_read = true;
  replayed = report->undecided == 0;
  const bool found = report->adopted + report->tasks + report->undecided > 0;
  log.log(found ? ops::LogLevel::warning : ops::LogLevel::info, "rail_journal_replayed",
          {{"entries", report->entries},
           {"adopted", report->adopted},
           {"not_paid", report->not_paid},
           {"tasks", report->tasks},
           {"undecided", report->undecided}});
  return false;
}

bool Service::Parts::follow_up(const jobs::Periodic& self) {
  const auto looked_at = follow_up_payments([&self] { return self.stopping(); });
  if (!looked_at) log.error("follow_up_trouble", {{"problem", looked_at.error().message}});
  return false;
}

// Behind the replay of the journal, which finds the same by a shorter way; then at its hours by a clock that nobody
// sets.
bool Service::Parts::reconcile() {
  const auto now = std::chrono::steady_clock::now();
  if (!journal_read ||
      (reconciled_at && now - *reconciled_at < std::chrono::hours(settings.funding.rail_reconcile_hours)))
    return false;
  const bool among_nodes = node_lease != nullptr;
  const auto ours = among_nodes ? reconciling.take() : domain::Result<bool>(true);
  if (!ours) {
    log.error("rails_reconcile_trouble", {{"problem", ours.error().message}});
    return false;
  }
  reconciled_at = now;
  const auto to = clock.now();
  const auto report = reconcile_rails(to.plus_days(-kReconcileDays), to,
                                      *ours ? usecases::Reach::everything : usecases::Reach::own_journal);
  if (among_nodes && *ours && report)
    (void)reconciling.done(std::chrono::hours(settings.funding.rail_reconcile_hours) - kReconcileLease);
  metrics.rails_reconciled(report && report->unreadable.empty());
  if (!report) {
    log.error("rails_reconcile_trouble", {{"problem", report.error().message}});
    return false;
  }
  for (const auto& problem : report->unreadable) log.error("rails_reconcile_trouble", {{"problem", problem}});
  for (const auto& finding : report->findings) {
    metrics.rail_disagreed(finding.rail, name_of(finding.what), finding.adopted);
    log.log(finding.adopted ? ops::LogLevel::warning : ops::LogLevel::error, "rail_disagreement",
            {{"rail", finding.rail},
             {"kind", name_of(finding.what)},
             {"settlement", finding.settlement ? finding.settlement->text() : ""},
             {"reference", finding.reference},
             {"adopted", finding.adopted}});
  }
  log.log(report->agrees() ? ops::LogLevel::info : ops::LogLevel::error, "rails_reconciled",
          {{"attempts", report->attempts},
           {"journal_entries", report->journal_entries},
           {"statement_lines", report->statement_lines},
           {"disagreements", report->findings.size()},
           {"whole", *ours},
           {"agree", report->agrees()}});
  return false;
}

// Reads what the journal holds by now; what a process of another version, or a damaged record, makes of it may differ,
// and is told.
bool Service::Parts::follow_journal(const std::function<bool()>& stop) {
  auto told_at = std::chrono::steady_clock::now();
  std::int64_t events = 0;
  const auto followed = learner.follow([&](const usecases::Learner::Progress& progress) {
    metrics.learned(static_cast<std::size_t>(progress.events - events));
    events = progress.events;
    if (const auto now = std::chrono::steady_clock::now(); now - told_at >= kTellOfLearningEvery) {
      told_at = now;
      log.info("learning",
               {{"batches", progress.batches}, {"events", progress.events}, {"batches_left", progress.behind}});
    }
    return !stop();
  });
  if (!followed) log.error("learning_trouble", {{"problem", followed.error().message}});
  if (const auto skipped = learner.skipped(); skipped > std::exchange(learning_skipped, skipped))
    log.warning(
        "learning_skipped",
        {{"records", skipped}, {"hint", "these records cannot be read or are gone; predictions do without them"}});
  if (const auto set_aside = learner.set_aside(); set_aside > std::exchange(learning_set_aside, set_aside))
    log.warning(
        "learning_set_aside",
        {{"records", set_aside},
         {"hint", "these records are not usable for learning; predictions do without them, and a task says why"}});
  if (const auto diverged = learner.diverged(); diverged > std::exchange(learning_diverged, diverged))
    log.error(
        "learning_diverged",
        {{"times", diverged},
         {"hint", "this node has learned something else than the keeper of the journal; do both run one version?"}});
  return followed && followed->events > 0;
}

bool Service::Parts::is_keeper_of_journal() {
  if (!node_lease) return true;
  const auto now = std::chrono::steady_clock::now();
  if (journal_asked_at && now - *journal_asked_at < kLearningLeaseEvery) return keeps_journal;
  journal_asked_at = now;
  const auto taken = keeping_journal.take();
  if (!taken) log.error("learning_trouble", {{"problem", taken.error().message}});
  const bool keeps = taken && *taken;
  if (!keeps) learning_journal.forget();
  return keeps_journal = keeps;
}

bool Service::Parts::learn(const jobs::Periodic& self) {
  const auto stop = [&self] { return self.stopping(); };
  follow_journal(stop);
  if (!is_keeper_of_journal()) return false;
  const auto written = learning_journal(stop);
  if (!written) log.error("learning_trouble", {{"problem", written.error().message}});
  if (written && *written > 0) follow_journal(stop);
  return false;  // a round files all there is: what comes meanwhile has a second's time
}

// Before the first request: what was learned counts from the first review on. What goes wrong here stops no start; the
// job goes on.
void Service::Parts::learn_so_far() {
  if (!settings.learning.enabled)
    return log.warning("learning_off",
                       {{"hint", "learning.enabled is false: reviews use published rates and rules only"}});
  const auto began = std::chrono::steady_clock::now();
  try {
    follow_journal([] { return false; });
  } catch (const std::exception& thrown) {
    log.error("learning_trouble", {{"problem", thrown.what()}});
  }
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  if (took >= kTellOfLearningEvery) log.info("learned", {{"took_ms", static_cast<std::int64_t>(took.count())}});
}

bool Service::Parts::expire() {
  if (!clock.is_trusted()) return false;  // whoever confirms too late is told so all the same
  const auto canceled = expire_settlements(kExpireAtOnce);
  if (!canceled) log.error("expiry_trouble", {{"problem", canceled.error().message}});
  return false;
}

// A round every ten minutes, of many pages where many wait; whoever else does the same finds it done.
bool Service::Parts::write_off(const jobs::Periodic& self) {
  ports::Overdue last;
  for (bool more = clock.is_trusted(); more && !self.stopping();) {
    const auto report = write_off_overdue(last, kWriteOffAtOnce);
    if (!report) {
      log.error("write_off_trouble", {{"problem", report.error().message}});
      return false;
    }
    if (report->told + report->written_off > 0)
      log.warning("receivables_overdue", {{"tasks", report->told}, {"written_off", report->written_off}});
    if (report->failure) log.error("write_off_trouble", {{"problem", report->failure->message}});
    more = report->more;
    last = report->last;
  }
  if (!clock.is_trusted() || self.stopping()) return false;
  const auto told = tell_of_waiting([&] { return self.stopping(); });
  if (!told) log.error("waiting_trouble", {{"problem", told.error().message}});
  if (told && *told > 0) log.warning("payments_waiting", {{"tasks", *told}});
  return false;
}

void Service::Parts::expect_failures() {
  for (const auto& plugin : plugins->list()) metrics.expect_plugin(plugin.kind, plugin.id, plugin.calls);
  std::vector<std::string_view> disagreements;
  for (int i = 0; i <= static_cast<int>(usecases::Disagreement::unknown_to_all); ++i)
    disagreements.push_back(name_of(static_cast<usecases::Disagreement>(i)));
  for (const auto* rail : plugins->rails().all())
    metrics.expect_rail(rail->describe().rail, rail->describe().simulated, disagreements);
}

void Service::Parts::tell_of_journal() {
  const auto& opened = journal->opened();
  log.log(opened.cut_bytes > 0 ? ops::LogLevel::warning : ops::LogLevel::info, "rail_journal_opened",
          {{"file", settings.funding.journal_path.string()},
           {"created", opened.created},
           {"entries", opened.entries},
           {"open", opened.open},
           {"cut_bytes", opened.cut_bytes},
           {"salvaged", opened.salvaged},
           {"dropped", opened.dropped}});
}

void Service::Parts::tell_of_reason_codes() {
  metrics.reason_codes_stale(!reason_codes_problem.empty());
  if (!reason_codes_problem.empty())
    return log.error("reason_codes_unusable",
                     {{"problem", reason_codes_problem},
                      {"hint", "those of the last good start are used; mend the file and restart"}});
  try {
    keep_reason_codes(settings);
  } catch (const std::exception& error) {
    log.warning("reason_codes_not_kept", {{"problem", error.what()}});
  }
}

void Service::Parts::probe_store() {
  const auto healthy = store->healthy();
  if (!healthy) return readiness.report(ops::Check::store, false, healthy.error().message);
  std::string detail = *healthy;
  if (node_lease) {
    if (const auto nodes = node_lease->neighbours()) detail += (detail.empty() ? "" : "; ") + *nodes;
  }
  readiness.report(ops::Check::store, true, std::move(detail));
}

// Only a start can find one missing: the rails do not change meanwhile.
void Service::Parts::look_for_missing_rails() {
  const auto now = std::chrono::steady_clock::now();
  if (rails_looked_at && (rails_problem.empty() || now - *rails_looked_at < kLookForRailsEvery)) return;
  std::vector<std::string> under_way;
  if (!store->read([&](const ports::Records& records) { under_way = records.settlements().rails_under_way(); })) return;
  auto problem = rails_missing(under_way, plugins->rails());
  if (!problem.empty() && problem != rails_problem) log.error("rails_missing", {{"problem", problem}});
  rails_problem = std::move(problem);
  rails_looked_at = now;
}

/// A sentence for operators; "" where money moves, and in a sandbox, which moves none.
std::string Service::Parts::simulated_in_production() const {
  if (settings.environment != domain::Environment::production) return "";
  const auto names = simulated_rails(plugins->rails());
  return names.empty()
             ? ""
             : fmt::format("simulated, no money moves: {} (funding.allow_simulated_rails)", fmt::join(names, ", "));
}

bool Service::Parts::probe() {
  probe_store();
  const auto witness = journal->ready();
  const bool rails = !plugins->rails().all().empty();
  look_for_missing_rails();
  const auto detail = !rails                   ? "no funding rail is configured"
                      : !witness               ? witness.error().message
                      : !rails_problem.empty() ? rails_problem
                                               : simulated_in_production();
  readiness.report(ops::Check::rails, rails && witness && rails_problem.empty(), detail);
  const auto health = health_of(plugins->states());
  readiness.report(ops::Check::plugins, health.serves, health.detail);
  return false;
}

bool Service::Parts::prune() {
  if (!clock.is_trusted()) return false;
  if (const auto now = std::chrono::steady_clock::now(); prune_pace.hour_is_over(now)) {
    std::int64_t rows = 0;
    if (!store->read_one([&](const ports::Records& records) { rows = records.answers().count(); })) return false;
    prune_pace.begin_hour(now, static_cast<std::size_t>(rows));
  }
  const auto most = std::min(kPruneAtOnce, prune_pace.left());
  if (most == 0) return false;
  int removed = 0;
  const auto pruned = store->commit(
      [&](ports::Records& records) -> domain::Status {
        removed = records.answers().prune(clock.now(), most);
        return {};
      },
      ports::Priority::background);
  if (!pruned) return false;
  prune_pace.pruned(static_cast<std::size_t>(removed));
  return most == kPruneAtOnce && removed == static_cast<int>(most);
}

void Service::Parts::clock_jumped(clock::GuardedClock::Jump jump, std::int64_t by_ms) {
  if (jump == clock::GuardedClock::Jump::seen)
    log.warning(
        "clock_jumped",
        {{"by_ms", by_ms}, {"hint", "the system's clock jumped; it is followed once it has stood for 10 minutes"}});
  else
    log.warning("clock_followed", {{"by_ms", by_ms}});
}

std::unique_ptr<usecases::NodeLease> Service::Parts::take_node_name() {
  if (settings.store.driver != settings::StoreDriver::mysql)
    return nullptr;  // the lock on its file keeps a second process out
  usecases::NodeLeaseOptions options;
  options.name = node_name(settings);
  options.process = process_identity();
  options.version = TIDEOVER_VERSION;
  options.state_of = state_of_process;
  auto lease = std::make_unique<usecases::NodeLease>(*store, clock, std::move(options));
  const auto taken = lease->take([](std::chrono::milliseconds pause) { std::this_thread::sleep_for(pause); });
  if (taken) return lease;
  // The other process of this name may be ending.
  if (taken.error().code == domain::ErrorCode::invalid_state)
    throw NotYet(NotYet::Cause::in_use, taken.error().message);
  refuse_start(taken.error());
}

bool Service::Parts::beat() {
  const auto renewed = node_lease->renew();
  if (renewed) return false;
  log.error("heartbeat_trouble", {{"problem", renewed.error().message}});
  // Somebody else works under the name, and sends over the rails that are its own.
  if (renewed.error().code == domain::ErrorCode::invalid_state) end_broken();
  return false;
}

void Service::Parts::end_broken() {
  broken = true;
  ::kill(::getpid(), SIGTERM);
}

AdminReply Service::Parts::administer(const AdminRequest& request) {
  const auto reply = run_on_record(desk, request);
  log.info("command", {{"command", request.verb}, {"exit_code", reply.exit_code}});
  return reply;
}

bool Service::Parts::write_denials() {
  trail.write_counted();
  return false;
}

bool Service::Parts::note_checkpoint() {
  if (const auto noted = checkpoint_notes.when_due(); !noted)
    log.error("checkpoint_trouble", {{"problem", noted.error().message}});
  return false;
}

void Service::Parts::record_start() {
  on_record("service started", "tideover " TIDEOVER_VERSION " settings sha256:" + digest_of(settings));
  for (const auto& plugin : settings.plugins)
    on_record("plugin loaded", (plugin.id.empty() ? "" : plugin.id + ' ') + plugin.path.filename().string() +
                                   " sha256:" + digest_of(plugin.path));
  on_record("rules published", rules.stamp().version + " sha256:" + rules.stamp().sha256);
}

void Service::Parts::start() {
  if (faults::armed() && settings.environment == domain::Environment::production)
    throw StartError(
        "TIDEOVER_TEST_CRASH_* or TIDEOVER_TEST_STOP_AT is set: a production service does not start with a test "
        "switch.");
  refuse_simulated_rails(settings, plugins->rails());
  const auto add_job = [this](std::string name, std::chrono::milliseconds pause,
                              std::function<bool(const jobs::Periodic&)> work) {
    const auto on_trouble = [this, name = std::move(name)](std::string_view problem) {
      log.error("job_trouble", {{"job", name}, {"problem", problem}});
    };
    jobs.push_back(std::make_unique<jobs::Periodic>(pause, std::move(work), on_trouble));
  };
  for (int i = 0; i < settings.imports.workers; ++i)
    add_job("import", std::chrono::milliseconds(settings.imports.poll_ms),
            [this](const auto& self) { return work_on_imports(self); });
  add_job("resolve", kResolveEvery, [this](const auto& self) { return resolve(self); });
  if (settings.funding.residual_payouts == settings::ResidualPayouts::at_once)
    add_job("pay_out", kPayOutEvery, [this](const auto& self) { return pay_out(self); });
  add_job("replay", kReplayEvery, [this](const auto& self) { return replay(self); });
  add_job("follow_up", kFollowEvery, [this](const auto& self) { return follow_up(self); });
  add_job("reconcile", kReconcileCheckEvery, [this](const auto&) { return reconcile(); });
  add_job("expire", kExpireEvery, [this](const auto&) { return expire(); });
  add_job("write_off", kWriteOffEvery, [this](const auto& self) { return write_off(self); });
  add_job("probe", kProbeEvery, [this](const auto&) { return probe(); });
  if (node_lease) add_job("heartbeat", kBeatEvery, [this](const auto&) { return beat(); });
  add_job("keys", kLookAtKeysEvery, [this](const auto&) { return key_keeper.look(); });
  add_job("reseal", kLookAtKeysEvery, [this](const auto& self) { return key_keeper.reseal(self); });
  add_job("rules", kLookAtRulesEvery, [this](const auto&) { return follow_rules(); });
  if (settings.learning.enabled) add_job("learn", kLearnEvery, [this](const auto& self) { return learn(self); });
  add_job("prune", kPruneEvery, [this](const auto&) { return prune(); });
  add_job("denials", kDenialsEvery, [this](const auto&) { return write_denials(); });
  add_job("checkpoint", kCheckpointEvery, [this](const auto&) { return note_checkpoint(); });

  expect_failures();
  tell_of_journal();
  if (const auto simulated = simulated_in_production(); !simulated.empty())
    log.warning("simulated_rails", {{"problem", simulated}});
  tell_of_reason_codes();
  record_start();
  probe();
  rule_keeper.follow_store();
  rule_keeper.report();
  rules_watcher = std::make_unique<lua::Watcher>(watcher_options());
  ops_server.start();
  if (const auto file = control_socket_file(settings); !file.empty())
    control = std::make_unique<ControlSocket>(
        file, [this](const AdminRequest& request) { return administer(request); }, takes_long,
        [this](std::string_view problem) {
          log.warning("control_trouble", {{"problem", problem}});
        });
  learn_so_far();
  // Before it serves: advances that a restored database has forgotten hold their claims back.
  if (const auto read = replay_journal.read(); !read)
    log.error("rail_journal_trouble", {{"problem", read.error().message}});
  readiness.report(ops::Check::webhooks,
                   true);  // until the dispatcher tells of trouble: whoever may connect finds it ready
  server.start();
  dispatcher.start();
  for (auto& job : jobs) job->start();
  log.info("serving", {{"version", TIDEOVER_VERSION},
                       {"environment", name_of(settings.environment)},
                       {"host", settings.server.host},
                       {"port", server.port()},
                       {"ops_port", ops_server.port()},
                       {"rules", rules.stamp().version}});
}

Service::Service(const settings::Settings& settings) : parts_(std::make_unique<Parts>(settings)) {
  parts_->start();
}
Service::~Service() = default;

std::uint16_t Service::port() const {
  return parts_->server.port();
}
std::uint16_t Service::ops_port() const {
  return parts_->ops_server.port();
}

bool Service::broken() const {
  return parts_->broken;
}

void Service::reload() {
  if (!parts_->log.reopen()) parts_->log.error("log_not_reopened");
  if (parts_->rules_watcher) parts_->rules_watcher->check_now();
}

bool Service::drain() {
  auto& parts = *parts_;
  parts.readiness.start_draining();
  for (auto& job : parts.jobs) job->ask_to_stop();  // all at once, so that their last rounds end side by side
  const bool clean = parts.server.drain(std::chrono::milliseconds(parts.settings.server.drain_timeout_ms));
  for (auto& job : parts.jobs) job->stop();
  parts.rules_watcher.reset();
  if (parts.control) parts.control->stop();
  parts.dispatcher.stop();
  parts.trail.write_counted(true);
  parts.on_record("service stopped", "");
  if (parts.keeps_journal && parts.node_lease) (void)parts.keeping_journal.done(std::chrono::milliseconds(0));
  if (parts.node_lease) parts.node_lease->leave();
  for (const auto& problem : parts.plugins->close()) parts.log.warning("plugin_not_closed", {{"problem", problem}});
  parts.store->drain();
  if (const auto noted = parts.checkpoint_notes.now(); !noted)
    parts.log.error("checkpoint_trouble", {{"problem", noted.error().message}});
  parts.ops_server.drain(std::chrono::milliseconds(500));
  parts.log.info("stopped", {{"clean", clean}});
  parts.log.flush();  // the process ends without taking its parts down
  return clean;
}

}  // namespace tideover::main
