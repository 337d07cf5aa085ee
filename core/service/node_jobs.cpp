#include "core/service/node_jobs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/node/plugin_health.hpp"

namespace tideover::service {
namespace {

constexpr std::chrono::minutes kLookForRailsEvery{1};
constexpr std::size_t kPruneAtOnce = 500;
constexpr std::size_t kEndpointsAtOnce = 100;

}  // namespace

bool ImportJob::run(const jobs::Periodic& thread) {
  const auto worked = run_import_([&thread] { return thread.stopping(); });
  log_failure(log_, "import_trouble", worked);
  return worked && *worked;
}

void ProbeJob::probe_store() {
  const auto healthy = parts_.store.healthy();
  if (!healthy) return readiness_.report(ops::Check::store, false, healthy.error().message);
  std::string detail = *healthy;
  if (parts_.node_lease) {
    if (const auto nodes = parts_.node_lease->neighbours()) detail += (detail.empty() ? "" : "; ") + *nodes;
  }
  readiness_.report(ops::Check::store, true, std::move(detail));
}

// Only a start can find a missing rail: rails do not change in a running service.
void ProbeJob::look_for_missing_rails() {
  const auto now = std::chrono::steady_clock::now();
  if (rails_looked_at_ && (missing_rails_.empty() || now - *rails_looked_at_ < kLookForRailsEvery)) return;
  const auto under_way =
      fetch(parts_.store, [](const ports::Records& records) { return records.settlements().rails_under_way(); });
  if (!under_way) return;
  auto problem = node::rails_missing(*under_way, parts_.plugins.rails());
  if (!problem.empty() && problem != missing_rails_) log_.error("rails_missing", {{"problem", problem}});
  missing_rails_ = std::move(problem);
  rails_looked_at_ = now;
}

void ProbeJob::probe() {
  probe_store();
  const auto journal = parts_.journal.ready();
  const bool rails = !parts_.plugins.rails().all().empty();
  look_for_missing_rails();
  const auto detail = !rails                    ? "no funding rail is configured"
                      : !journal                ? journal.error().message
                      : !missing_rails_.empty() ? missing_rails_
                                                : parts_.simulated;
  readiness_.report(ops::Check::rails, rails && journal && missing_rails_.empty(), detail);
  const auto health = node::health_of(parts_.plugins.states());
  readiness_.report(ops::Check::plugins, health.serves, health.detail);
}

bool HeartbeatJob::run(const jobs::Periodic&) {
  const auto renewed = lease_.renew();
  log_failure(log_, "heartbeat_trouble", renewed);
  // Another process uses the name and sends over this node's rails.
  if (!renewed && renewed.error().code == domain::ErrorCode::invalid_state) end_();
  return false;
}

bool RulesJob::run(const jobs::Periodic&) {
  const bool followed = keeper_.follow_store();
  problems_.begin_round();
  for (const auto& failing : rules_.failing()) {
    const auto done =
        shadow_({failing.sha256, failing.rule_id, failing.is_terms, failing.when.faults, failing.when.calls});
    if (!done) {
      const auto& problem = done.error().message;
      if (problems_.is_new(failing.rule_id, problem))
        log_.error("rule_failing", {{"rule", failing.rule_id}, {"problem", problem}});
      continue;
    }
    if (!done->empty()) {
      log_.error("rule_failing", {{"rule", failing.rule_id}, {"problem", *done}});
      metrics_.rule_failing();
      keeper_.note_failing(*done);
    }
  }
  return followed;
}

bool PruneJob::run(const jobs::Periodic&) {
  if (!clock_.is_trusted()) return false;
  if (const auto now = std::chrono::steady_clock::now(); pace_.hour_is_over(now)) {
    const auto rows = fetch_one(store_, [](const ports::Records& records) { return records.answers().count(); });
    if (!rows) return false;
    pace_.begin_hour(now, static_cast<std::size_t>(*rows));
  }
  const auto most = std::min(kPruneAtOnce, pace_.left());
  if (most == 0) return false;
  int removed = 0;
  const auto pruned = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        removed = records.answers().prune(clock_.now(), most);
        return {};
      },
      ports::Priority::background);
  if (!pruned) return false;
  pace_.pruned(static_cast<std::size_t>(removed));
  return most == kPruneAtOnce && removed == static_cast<int>(most);
}

bool WebhookSecretsJob::run(const jobs::Periodic&) {
  if (!clock_.is_trusted()) return false;
  std::size_t changed = 0;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        changed = records.webhooks().drop_expired_secrets(clock_.now(), kEndpointsAtOnce);
        return {};
      },
      ports::Priority::background);
  log_failure(log_, "webhook_secrets_trouble", done);
  return done && changed == kEndpointsAtOnce;
}

}  // namespace tideover::service
