#include "core/service/infrastructure.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>
#include <utility>

#include "core/http/current_request.hpp"
#include "core/node/own_trail.hpp"
#include "core/node/process_identity.hpp"
#include "core/node/start.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"

namespace tideover::service {
namespace {

/// A file of remittances or deposits is read into memory as a whole.
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

plugin_host::CallBudgets call_budgets(const settings::Settings& settings) {
  auto budgets = node::start_budgets(settings);
  budgets.files_at_once =
      std::max(1, settings.server.worker_threads / 2);  // keeps the other workers free when a format hangs
  return budgets;
}

}  // namespace

Infrastructure::Infrastructure(const settings::Settings& given)
    : settings(given),
      log(node::open_log(settings.log)),
      clock([this](clock::GuardedClock::Jump jump, std::int64_t by_ms) { clock_jumped(jump, by_ms); }),
      keys(node::open_key_ring(settings)),
      reason_codes(node::usable_reason_codes(settings, reason_codes_problem)),
      store(node::open_store(watched_store_options(), event_json, cipher)),
      journal(node::open_journal(settings, clock)),
      // Before the plugins: if the database cannot be written, the start fails or waits here, without loading plugins.
      node_lease(take_node_name()),
      checkpoints(node::open_checkpoints(settings, keys)),
      rule_options(node::rule_options(settings, reason_codes)),
      release_rules(*store, clock, ids, release_options_here()),
      rules(node::first_ruleset(*store, release_rules, settings, rule_options), rule_options.limits),
      rule_keeper({*store, clock, release_rules, rules, log, metrics, readiness, reason_codes_problem}, settings,
                  rule_options),
      plugins(node::load_plugins(settings, host_services(), call_budgets(settings), {})),
      decoder({settings.limits.import_inflated_bytes, settings.limits.import_ratio}),
      money_file_decoder(
          {std::min(settings.limits.import_inflated_bytes, kMoneyFileInflatedBytes), settings.limits.import_ratio}),
      egress{settings.environment == domain::Environment::sandbox && settings.webhooks.allow_loopback_http_in_sandbox,
             {443}} {}

void Infrastructure::clock_jumped(clock::GuardedClock::Jump jump, std::int64_t by_ms) {
  if (jump == clock::GuardedClock::Jump::seen)
    log.warning("clock_jumped",
                {{"by_ms", by_ms},
                 {"hint", "the system clock jumped; the new time is used after it has been stable for 10 minutes"}});
  else
    log.warning("clock_followed", {{"by_ms", by_ms}});
}

store::StoreOptions Infrastructure::watched_store_options() {
  auto options = node::store_options(settings);
  options.on_failure = [this](std::string_view what) { log.error("store_failure", {{"problem", what}}); };
  options.on_broken = [this](std::string_view what) {
    log.error("store_broken", {{"problem", what},
                               {"hint",
                                "the disk failed or the database is damaged: the service stops writing and ends; "
                                "acknowledged data is kept. Check the disk, then start again or restore a backup."}});
    readiness.report(ops::Check::store, false, "the disk failed or the database is damaged; the service ends");
    end_broken();
  };
  return options;
}

std::unique_ptr<usecases::NodeLease> Infrastructure::take_node_name() {
  if (settings.store.driver != settings::StoreDriver::mysql)
    return nullptr;  // the lock on its file prevents a second process
  usecases::NodeLeaseOptions options;
  options.name = node::node_name(settings);
  options.process = node::process_identity();
  options.version = TIDEOVER_VERSION;
  options.state_of = node::state_of_process;
  auto lease = std::make_unique<usecases::NodeLease>(*store, clock, std::move(options));
  const auto taken = lease->take([](std::chrono::milliseconds pause) { std::this_thread::sleep_for(pause); });
  if (taken) return lease;
  // A previous process with this name may be ending.
  if (taken.error().code == domain::ErrorCode::invalid_state)
    throw node::NotYet(node::NotYet::Cause::in_use, taken.error().message);
  node::refuse_start(taken.error());
}

void Infrastructure::keep_name() {
  if (!node_lease) return;
  const auto renewed = node_lease->renew();
  if (renewed) return;
  // Another process took the name after the lease had expired.
  if (renewed.error().code == domain::ErrorCode::invalid_state)
    throw node::NotYet(node::NotYet::Cause::in_use, renewed.error().message);
  node::refuse_start(renewed.error());
}

usecases::ReleaseRulesOptions Infrastructure::release_options_here() {
  auto options = node::release_options(settings);
  options.usable = [this](const domain::RuleBundle& bundle) { return rule_keeper.get_ready(bundle); };
  return options;
}

plugin_host::HostServices Infrastructure::host_services() {
  return {tenant_clock, bank_time,
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

void Infrastructure::end_broken() {
  broken = true;
  ::kill(::getpid(), SIGTERM);
}

std::string Infrastructure::simulated_in_production() const {
  if (settings.environment != domain::Environment::production) return "";
  const auto names = node::simulated_rails(plugins->rails());
  return names.empty()
             ? ""
             : fmt::format("simulated, no money moves: {} (funding.allow_simulated_rails)", fmt::join(names, ", "));
}

void Infrastructure::record(const std::string& operation, const std::string& object) {
  node::note(*store, clock, ids, operation, object);
}

std::unique_ptr<lua::Watcher> Infrastructure::watch_rules() {
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
  return std::make_unique<lua::Watcher>(std::move(options));
}

void Infrastructure::expect_failures() {
  for (const auto& plugin : plugins->list()) metrics.expect_plugin(plugin.kind, plugin.id, plugin.calls);
  std::vector<std::string_view> disagreements;
  for (int i = 0; i <= static_cast<int>(usecases::Disagreement::unknown_to_all); ++i)
    disagreements.push_back(name_of(static_cast<usecases::Disagreement>(i)));
  for (const auto* rail : plugins->rails().all())
    metrics.expect_rail(rail->describe().rail, rail->describe().simulated, disagreements);
}

void Infrastructure::log_journal() {
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

void Infrastructure::log_reason_codes() {
  metrics.reason_codes_stale(!reason_codes_problem.empty());
  if (!reason_codes_problem.empty())
    return log.error(
        "reason_codes_unusable",
        {{"problem", reason_codes_problem},
         {"hint", "the reason codes of the last successful start are used; correct the file and restart"}});
  try {
    node::keep_reason_codes(settings);
  } catch (const std::exception& error) {
    log.warning("reason_codes_not_kept", {{"problem", error.what()}});
  }
}

void Infrastructure::report_start() {
  expect_failures();
  log_journal();
  if (const auto simulated = simulated_in_production(); !simulated.empty())
    log.warning("simulated_rails", {{"problem", simulated}});
  log_reason_codes();
  record("service started", "tideover " TIDEOVER_VERSION " settings sha256:" + node::digest_of(settings));
  for (const auto& plugin : settings.plugins)
    record("plugin loaded", (plugin.id.empty() ? "" : plugin.id + ' ') + plugin.path.filename().string() +
                                " sha256:" + node::digest_of(plugin.path));
  record("rules published", rules.stamp().version + " sha256:" + rules.stamp().sha256);
}

}  // namespace tideover::service
