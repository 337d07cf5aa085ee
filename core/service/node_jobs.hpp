// Background jobs of a node: readiness, name, keys, rules, imports, and periodic writes and removals.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/clock/guarded_clock.hpp"
#include "core/http/access_trail.hpp"
#include "core/jobs/problem_rounds.hpp"
#include "core/jobs/prune_pace.hpp"
#include "core/journal/file_journal.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/node/key_keeper.hpp"
#include "core/node/rule_keeper.hpp"
#include "core/ops/metrics.hpp"
#include "core/ops/readiness.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/service/background_job.hpp"
#include "core/store/sql_store.hpp"
#include "core/usecases/audit/note_checkpoint.hpp"
#include "core/usecases/imports/run_import.hpp"
#include "core/usecases/nodes/node_lease.hpp"
#include "core/usecases/rules/shadow_failing_rule.hpp"

namespace tideover::service {

/// Works on the next chunk of an import.
class ImportJob : public BackgroundJob {
 public:
  ImportJob(usecases::RunImport& run_import, std::chrono::milliseconds period, ops::Logger& log)
      : BackgroundJob("import", period), run_import_(run_import), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::RunImport& run_import_;
  ops::Logger& log_;
};

/// Reports the state of store, rails and plugins to readiness.
class ProbeJob : public BackgroundJob {
 public:
  struct Parts {
    store::SqlStore& store;
    const usecases::NodeLease* node_lease;  // null for the embedded store
    journal::FileJournal& journal;
    plugin_host::PluginHost& plugins;
    /// Detail of ready rails that are simulated in production; else "".
    std::string simulated;
  };
  ProbeJob(Parts parts, ops::Readiness& readiness, ops::Logger& log)
      : BackgroundJob("probe", std::chrono::seconds(1)), parts_(std::move(parts)), readiness_(readiness), log_(log) {}
  bool run(const jobs::Periodic&) override {
    probe();
    return false;
  }
  /// Also called once before the thread starts.
  void probe();

 private:
  void probe_store();
  void look_for_missing_rails();

  const Parts parts_;
  ops::Readiness& readiness_;
  ops::Logger& log_;
  std::string missing_rails_;
  std::optional<std::chrono::steady_clock::time_point> rails_looked_at_;
};

/// Renews the lease of the node's name. `end` stops the service when another process has taken the name.
class HeartbeatJob : public BackgroundJob {
 public:
  HeartbeatJob(usecases::NodeLease& lease, std::function<void()> end, ops::Logger& log)
      : BackgroundJob("heartbeat", std::chrono::seconds(2)), lease_(lease), end_(std::move(end)), log_(log) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  usecases::NodeLease& lease_;
  const std::function<void()> end_;
  ops::Logger& log_;
};

/// Loads changes of the key ring file.
class KeysJob : public BackgroundJob {
 public:
  explicit KeysJob(node::KeyKeeper& keys) : BackgroundJob("keys", std::chrono::seconds(1)), keys_(keys) {}
  bool run(const jobs::Periodic&) override { return keys_.look(); }

 private:
  node::KeyKeeper& keys_;
};

/// Re-encrypts old values under the new key after a rotation.
class ReencryptJob : public BackgroundJob {
 public:
  explicit ReencryptJob(node::KeyKeeper& keys) : BackgroundJob("reseal", std::chrono::seconds(1)), keys_(keys) {}
  bool run(const jobs::Periodic& thread) override { return keys_.reseal(thread); }

 private:
  node::KeyKeeper& keys_;
};

/// Switches to the live rules of the store, and puts rules that fail too often into shadow mode.
class RulesJob : public BackgroundJob {
 public:
  RulesJob(node::RuleKeeper& keeper, const lua::Engine& rules, usecases::ShadowFailingRule& shadow, ops::Logger& log,
           ops::Metrics& metrics)
      : BackgroundJob("rules", std::chrono::milliseconds(250)),
        keeper_(keeper),
        rules_(rules),
        shadow_(shadow),
        log_(log),
        metrics_(metrics) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  node::RuleKeeper& keeper_;
  const lua::Engine& rules_;
  usecases::ShadowFailingRule& shadow_;
  ops::Logger& log_;
  ops::Metrics& metrics_;
  jobs::ProblemRounds problems_;  // by rule
};

/// Removes expired stored responses, slowly enough to leave the store to the requests.
class PruneJob : public BackgroundJob {
 public:
  PruneJob(store::SqlStore& store, const clock::GuardedClock& clock)
      : BackgroundJob("prune", std::chrono::minutes(1)), store_(store), clock_(clock) {}
  bool run(const jobs::Periodic& thread) override;

 private:
  store::SqlStore& store_;
  const clock::GuardedClock& clock_;
  jobs::PrunePace pace_;
};

/// Removes rotated secrets of webhooks whose overlap has ended.
class WebhookSecretsJob : public BackgroundJob {
 public:
  WebhookSecretsJob(store::SqlStore& store, const clock::GuardedClock& clock, ops::Logger& log)
      : BackgroundJob("webhook_secrets", std::chrono::minutes(1)), store_(store), clock_(clock), log_(log) {}
  bool run(const jobs::Periodic&) override;

 private:
  store::SqlStore& store_;
  const clock::GuardedClock& clock_;
  ops::Logger& log_;
};

/// Writes the counts of denied calls to the audit trail.
class DenialsJob : public BackgroundJob {
 public:
  explicit DenialsJob(http::AccessTrail& trail) : BackgroundJob("denials", std::chrono::seconds(10)), trail_(trail) {}
  bool run(const jobs::Periodic&) override {
    trail_.write_counted();
    return false;
  }

 private:
  http::AccessTrail& trail_;
};

/// Writes the heads of the hash chains to the checkpoint file when due.
class CheckpointJob : public BackgroundJob {
 public:
  CheckpointJob(usecases::NoteCheckpoint& note, ops::Logger& log)
      : BackgroundJob("checkpoint", std::chrono::seconds(1)), note_(note), log_(log) {}
  bool run(const jobs::Periodic&) override {
    log_failure(log_, "checkpoint_trouble", note_.when_due());
    return false;
  }

 private:
  usecases::NoteCheckpoint& note_;
  ops::Logger& log_;
};

}  // namespace tideover::service
