// The infrastructure of a node: settings, log, clock, keys, store, journal, rules and plugins, opened in order of
// dependency. All parts live as long as the service.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/clock/guarded_clock.hpp"
#include "core/clock/new_york_time.hpp"
#include "core/clock/tenant_clock.hpp"
#include "core/clock/ulid_source.hpp"
#include "core/crypto/key_ring.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "core/crypto/ring_credentials.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/events/webhook_url.hpp"
#include "core/http/wire/operations/event_json.hpp"
#include "core/jobs/payload_decoder.hpp"
#include "core/journal/file_journal.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/watcher.hpp"
#include "core/node/rule_keeper.hpp"
#include "core/ops/log.hpp"
#include "core/ops/metrics.hpp"
#include "core/ops/readiness.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/settings/settings.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/store/sql_store.hpp"
#include "core/usecases/nodes/node_lease.hpp"
#include "core/usecases/rules/release_rules.hpp"

namespace tideover::service {

// Members are in order of construction. Destruction is in reverse order, so a part ends before those it uses.
struct Infrastructure {
  /// Throws StartError, or NotYet when the same start may work later.
  explicit Infrastructure(const settings::Settings& given);

  settings::Settings settings;
  ops::Logger log;
  ops::Metrics metrics{TIDEOVER_VERSION};
  ops::Readiness readiness;
  std::atomic<bool> broken = false;  // the disk failed, or another process uses the node's name

  clock::GuardedClock clock;
  clock::TenantClock tenant_clock{clock};  // in the sandbox tenants have shifts; else it equals `clock`
  clock::NewYorkTime bank_time;
  clock::UlidSource ids{clock};
  crypto::KeyRing keys;
  crypto::RingCipher cipher{keys};
  crypto::RingCredentials credentials{keys};
  crypto::LastingDigest digests{keys};
  std::string reason_codes_problem;  // why the reason codes of an earlier start are used
  std::vector<domain::ReasonCode> reason_codes;
  wire::EventJson event_json;
  std::unique_ptr<store::SqlStore> store;
  std::unique_ptr<journal::FileJournal> journal;
  std::unique_ptr<usecases::NodeLease> node_lease;  // on MariaDB only
  std::unique_ptr<store::CheckpointFile> checkpoints;

  lua::LoadOptions rule_options;
  usecases::ReleaseRules release_rules;
  lua::Engine rules;
  node::RuleKeeper rule_keeper;
  std::unique_ptr<plugin_host::PluginHost> plugins;
  jobs::PayloadDecoder decoder;
  jobs::PayloadDecoder money_file_decoder;
  events::EgressPolicy egress;

  /// Ends the process with SIGTERM and an exit code that reports the failure to the supervisor.
  void end_broken();
  /// A sentence for operators that the rails of a production service move no money; "" when they do, and in a sandbox.
  std::string simulated_in_production() const;
  /// Renews the lease on the name of this node, if it has one. NotYet when another process took the name.
  void keep_name();
  /// Writes an audit row that belongs to no tenant.
  void record(const std::string& operation, const std::string& object);
  /// Writes the results of the start to the log, the metrics and the audit trail.
  void report_start();
  /// Watches the rule folder until the watcher is destroyed.
  std::unique_ptr<lua::Watcher> watch_rules();

 private:
  void clock_jumped(clock::GuardedClock::Jump jump, std::int64_t by_ms);
  store::StoreOptions watched_store_options();
  std::unique_ptr<usecases::NodeLease> take_node_name();
  usecases::ReleaseRulesOptions release_options_here();
  plugin_host::HostServices host_services();
  void expect_failures();
  void log_journal();
  void log_reason_codes();
};

}  // namespace tideover::service
