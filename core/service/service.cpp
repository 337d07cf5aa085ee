#include "core/service/service.hpp"

#include <chrono>
#include <utility>

#include "core/admin/admin.hpp"
#include "core/admin/control_socket.hpp"
#include "core/events/dispatcher.hpp"
#include "core/faults/crash_point.hpp"
#include "core/node/key_keeper.hpp"
#include "core/node/start.hpp"
#include "core/service/background_job.hpp"
#include "core/service/funding_jobs.hpp"
#include "core/service/http_front.hpp"
#include "core/service/infrastructure.hpp"
#include "core/service/learning_job.hpp"
#include "core/service/node_jobs.hpp"
#include "core/service/pickup_job.hpp"
#include "core/service/sandbox_jobs.hpp"
#include "core/service/use_cases.hpp"

namespace tideover::service {
namespace {

events::DispatcherOptions dispatcher_options(const Infrastructure& node) {
  events::DispatcherOptions options;
  options.environment = node.settings.environment;
  options.retries.delays_s = node.settings.webhooks.retry_seconds;
  if (node.settings.environment == domain::Environment::sandbox) {
    // A script that advances the clock sends an event a day: the schedule of the sandbox is over long before the next.
    options.least_gap_ms = options.retries.longest_pause_ms();
    options.retries.delays_s = node.settings.webhooks.sandbox_retry_seconds;
  }
  options.timeout_ms = node.settings.webhooks.timeout_ms;
  options.parallel = node.settings.webhooks.parallel;
  options.parallel_per_endpoint = node.settings.webhooks.parallel_per_endpoint;
  options.poll_ms = node.settings.webhooks.poll_ms;
  options.disable_after_s = node.settings.webhooks.disable_after_seconds;
  options.clock_is_trusted = [&clock = node.clock] { return clock.is_trusted(); };
  options.egress = node.egress;
  return options;
}

events::DispatcherObserver dispatcher_observer(Infrastructure& node) {
  events::DispatcherObserver observer;
  observer.tried = [&node](const events::DeliveryReport& report) {
    const bool delivered = report.outcome == events::DeliveryReport::Outcome::delivered;
    delivered ? node.metrics.webhook_delivered() : node.metrics.webhook_failed();
    node.log.log(delivered ? ops::LogLevel::info : ops::LogLevel::warning,
                 delivered ? "webhook_delivered" : "webhook_failed",
                 {{"event_id", report.event.text()},
                  {"endpoint", report.endpoint.text()},
                  {"kind", report.kind},
                  {"attempt", report.attempt},
                  {"status", report.status},
                  {"problem", report.problem},
                  {"took_ms", report.took_ms}});
    if (report.endpoint_disabled)
      node.log.warning("webhook_endpoint_disabled",
                       {{"tenant", report.tenant.text()}, {"endpoint", report.endpoint.text()}});
  };
  observer.published = [&node](std::size_t) { node.readiness.report(ops::Check::webhooks, true); };
  observer.trouble = [&node](const domain::Error& error) {
    node.readiness.report(ops::Check::webhooks, false, error.message);
    node.log.error("webhook_trouble", {{"problem", error.message}});
  };
  return observer;
}

/// The shipped value is no warning: the shipped configuration sets both schedules.
void warn_of_ignored_schedule(Infrastructure& node) {
  if (node.settings.environment != domain::Environment::sandbox) return;
  if (node.settings.webhooks.retry_seconds == settings::Settings{}.webhooks.retry_seconds) return;
  node.log.warning(
      "webhook_schedule_ignored",
      {{"hint", "the sandbox does not retry by webhooks.retry_seconds; set webhooks.sandbox_retry_seconds"}});
}

}  // namespace

// Members are in order of construction. Destruction is in reverse order, so a part ends before those it uses.
struct Service::Parts {
  explicit Parts(const settings::Settings& settings)
      : node(settings),
        uses(node),
        dispatcher(*node.store, node.tenant_clock, node.ids, dispatcher_options(node), dispatcher_observer(node)),
        front(node, uses, [this] { dispatcher.poke(); }) {}

  Infrastructure node;
  UseCases uses;
  events::Dispatcher dispatcher;
  node::KeyKeeper key_keeper{node.keys, node.cipher, *node.store, node.clock, node.log, node.metrics};
  HttpFront front;
  admin::AdminContext context{node.settings,
                              node.keys,
                              *node.store,
                              *node.store,
                              node.tenant_clock,
                              node.ids,
                              &node.plugins->rails(),
                              &uses.reconcile_rails,
                              node.journal.get(),
                              &node.rule_keeper,
                              &uses.learner};
  std::unique_ptr<lua::Watcher> rules_watcher;
  BackgroundJobs jobs{node.log};    // after everything that the rounds use
  LearningJob* learning = nullptr;  // one of the jobs; null where learning is off
  std::unique_ptr<admin::ControlSocket> control;

  void add_jobs();
  void add_funding_jobs();
  std::unique_ptr<admin::ControlSocket> open_control_socket();
  void start();
};

void Service::Parts::add_funding_jobs() {
  using std::make_unique;
  auto replay = make_unique<ReplayJob>(uses.replay_journal, node.log);
  jobs.add(make_unique<ResolveJob>(uses.resolve_disbursements, node.log));
  jobs.add(make_unique<PostingJob>(uses.post_in_chunks, node.tenant_clock, node.log));
  if (node.settings.funding.residual_payouts == settings::ResidualPayouts::at_once)
    jobs.add(make_unique<PayOutJob>([this](const auto& stopping) { return uses.pay_residuals(stopping); },
                                    std::chrono::seconds(2), *replay, node.log));
  if (node.settings.funding.residual_payouts == settings::ResidualPayouts::daily)
    jobs.add(make_unique<PayOutJob>([this](const auto& stopping) { return uses.pay_practices(stopping); },
                                    std::chrono::minutes(1), *replay, node.log));
  jobs.add(make_unique<FollowUpJob>(uses.follow_up_payments, node.log));
  jobs.add(make_unique<ReconcileRailsJob>(uses.reconcile_rails, node.node_lease ? &uses.reconciling : nullptr, *replay,
                                          std::chrono::hours(node.settings.funding.rail_reconcile_hours), node.clock,
                                          node.log, node.metrics));
  jobs.add(make_unique<ExpireJob>(uses.expire_settlements, *replay, node.clock, node.log));
  jobs.add(std::move(replay));
  jobs.add(make_unique<WriteOffJob>(uses.write_off_overdue, uses.report_waiting, node.clock, node.log));
  jobs.add(make_unique<ReserveJob>(uses.release_reserves, node.clock, node.log));
}

void Service::Parts::add_jobs() {
  using std::make_unique;
  for (int i = 0; i < node.settings.imports.workers; ++i)
    jobs.add(
        make_unique<ImportJob>(uses.run_import, std::chrono::milliseconds(node.settings.imports.poll_ms), node.log));
  for (const auto& folder : node.settings.pickup.folders) jobs.add(make_unique<PickupJob>(node, uses, folder));
  add_funding_jobs();
  auto probe = make_unique<ProbeJob>(
      ProbeJob::Parts{*node.store, node.node_lease.get(), *node.journal, *node.plugins, node.simulated_in_production()},
      node.readiness, node.log);
  probe->probe();
  jobs.add(std::move(probe));
  if (node.node_lease)
    jobs.add(make_unique<HeartbeatJob>(
        *node.node_lease, [this] { node.end_broken(); }, node.log));
  jobs.add(make_unique<KeysJob>(key_keeper));
  jobs.add(make_unique<ReencryptJob>(key_keeper));
  jobs.add(make_unique<RulesJob>(node.rule_keeper, node.rules, uses.shadow_failing_rule, node.log, node.metrics));
  if (node.settings.learning.enabled) {
    auto learn = make_unique<LearningJob>(uses.learner, uses.learning_journal,
                                          node.node_lease ? &uses.keeping_journal : nullptr, node.log, node.metrics);
    learning = learn.get();
    jobs.add(std::move(learn));
  }
  jobs.add(make_unique<PruneJob>(*node.store, node.clock));
  jobs.add(make_unique<WebhookSecretsJob>(*node.store, node.clock, node.log));
  if (node.settings.environment == domain::Environment::sandbox) {
    jobs.add(make_unique<SandboxClockJob>(uses.move_clock, node.log));
    jobs.add(make_unique<SandboxPaymentsJob>(uses.simulate_payments, node.log));
  }
  jobs.add(make_unique<DenialsJob>(front.trail));
  jobs.add(make_unique<CheckpointJob>(uses.checkpoint_notes, node.log));
}

std::unique_ptr<admin::ControlSocket> Service::Parts::open_control_socket() {
  const auto file = admin::control_socket_file(node.settings);
  const auto administer = [this](const admin::AdminRequest& request) {
    const auto reply = admin::run_on_record(context, request);
    node.log.info("command", {{"command", request.verb}, {"exit_code", reply.exit_code}});
    return reply;
  };
  return std::make_unique<admin::ControlSocket>(file, administer, admin::takes_long, [this](std::string_view problem) {
    node.log.warning("control_trouble", {{"problem", problem}});
  });
}

void Service::Parts::start() {
  if (faults::armed() && node.settings.environment == domain::Environment::production)
    throw node::StartError(
        "TIDEOVER_TEST_CRASH_* or TIDEOVER_TEST_STOP_AT is set: a production service does not start with a test "
        "switch.");
  node::refuse_sandbox_clocks(node.settings, *node.store);
  node::refuse_simulated_rails(node.settings, node.plugins->rails());
  const auto& funding = node.settings.funding;
  if (funding.residual_payouts == settings::ResidualPayouts::daily && !node.plugins->rails().find(funding.payout_rail))
    throw node::StartError("funding.payout_rail names the rail " + funding.payout_rail +
                           ", which no plugin provides. Name a configured rail, or do not use daily payouts.");
  // Loading rules and plugins may have taken longer than the lease on the name.
  node.keep_name();
  // First of all: open advances that a restored database has lost must block their claims, and a start that is refused
  // here leaves no trace of a service that never answered.
  if (const auto compared = uses.replay_journal.read(); !compared) node::refuse_start(compared.error());
  node.report_start();
  if (node.settings.environment == domain::Environment::sandbox)
    if (const auto read = uses.move_clock.refresh(); !read) node::refuse_start(read.error());
  add_jobs();
  node.rule_keeper.follow_store();
  node.rule_keeper.report();
  rules_watcher = node.watch_rules();
  front.ops_server.start();
  control = open_control_socket();
  if (learning)
    learning->learn_so_far();
  else
    node.log.warning("learning_off",
                     {{"hint", "learning.enabled is false: reviews use published rates and rules only"}});
  warn_of_ignored_schedule(node);
  node.readiness.report(
      ops::Check::webhooks,
      true);         // until the dispatcher reports a failure, so that the service is ready for the first connection
  node.keep_name();  // learning may have taken long
  front.server.start();
  dispatcher.start();
  jobs.start();
  node.log.info("serving", {{"version", TIDEOVER_VERSION},
                            {"environment", name_of(node.settings.environment)},
                            {"host", node.settings.server.host},
                            {"port", front.server.port()},
                            {"ops_port", front.ops_server.port()},
                            {"rules", node.rules.stamp().version}});
}

Service::Service(const settings::Settings& settings) : parts_(std::make_unique<Parts>(settings)) {
  parts_->start();
}
Service::~Service() = default;

std::uint16_t Service::port() const {
  return parts_->front.server.port();
}
std::uint16_t Service::ops_port() const {
  return parts_->front.ops_server.port();
}

bool Service::broken() const {
  return parts_->node.broken;
}

void Service::reload() {
  auto& node = parts_->node;
  if (!node.log.reopen()) node.log.error("log_not_reopened");
  if (parts_->rules_watcher) parts_->rules_watcher->check_now();
}

bool Service::drain() {
  auto& parts = *parts_;
  auto& node = parts.node;
  node.readiness.start_draining();
  parts.jobs.ask_to_stop();
  const bool clean = parts.front.server.drain(std::chrono::milliseconds(node.settings.server.drain_timeout_ms));
  if (parts.control) parts.control->stop();  // before the heartbeat: its commands use the lease of this node
  parts.jobs.stop();
  parts.rules_watcher.reset();
  parts.dispatcher.stop();
  parts.front.trail.write_counted(true);
  node.record("service stopped", "");
  if (parts.learning) parts.learning->leave();
  if (node.node_lease) node.node_lease->leave();
  for (const auto& problem : node.plugins->close()) node.log.warning("plugin_not_closed", {{"problem", problem}});
  node.store->drain();
  log_failure(node.log, "checkpoint_trouble", parts.uses.checkpoint_notes.now());
  parts.front.ops_server.drain(std::chrono::milliseconds(500));
  node.log.info("stopped", {{"clean", clean}});
  node.log.flush();  // the process ends without destroying its parts
  return clean;
}

}  // namespace tideover::service
