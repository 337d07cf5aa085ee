// The one list of all settings. To add a setting: a member with its default in settings.hpp, and a line here.
#include "core/settings/field.hpp"

namespace tideover::settings {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr Range kPort = {0, 65'535};
constexpr Range kTimeoutMs = {1, 600'000};
constexpr Range kPollMs = {10, 60'000};
constexpr Range kThreads = {1, 256};
constexpr Range kScheduleSeconds = {0, 7 * 86'400};
constexpr Range kDays = {1, 90};
constexpr Range kRequests = {0, 1'000'000};

template <class Enum>
BoundChoice choice(Enum& value, std::vector<std::string_view> names) {
  return {std::move(names), [&value](std::size_t index) { value = static_cast<Enum>(index); },
          [&value] { return static_cast<std::size_t>(value); }};
}

// Collects the fields of one section under its prefix.
class Section {
 public:
  Section(std::vector<Field>& fields, std::string prefix) : fields_(fields), prefix_(std::move(prefix)) {}

  void add(std::string_view name, Target target, std::string help, bool required = false) {
    fields_.push_back({prefix_ + std::string(name), std::move(target), std::move(help), required});
  }
  void add(std::string_view name, int& value, Range range, std::string help) {
    add(name, BoundInt{&value, range}, std::move(help));
  }
  void add(std::string_view name, std::int64_t& value, Range range, std::string help) {
    add(name, BoundInt64{&value, range}, std::move(help));
  }

 private:
  std::vector<Field>& fields_;
  const std::string prefix_;
};

void list(Section section, NodeSettings& node) {
  section.add("name", &node.name, "Name of this process among those that share a database; empty = the host name");
}

void list(Section section, ServerSettings& server) {
  section.add("host", &server.host, "Listen address of the API");
  section.add("port", server.port, kPort, "Port of the API; 0 = any free port");
  section.add("worker_threads", server.worker_threads, kThreads, "Requests handled at the same time");
  section.add("queue", server.queue, {1, 100'000}, "Requests that may wait for a worker; more are answered 503");
  section.add("idle_timeout_ms", server.idle_timeout_ms, kTimeoutMs, "Time after which an idle connection is closed");
  section.add("request_timeout_ms", server.request_timeout_ms, kTimeoutMs,
              "Time within which a request must arrive completely");
  section.add("drain_timeout_ms", server.drain_timeout_ms, kTimeoutMs, "Time for running requests at shutdown");
  section.add("cors_origins", BoundOrigins{&server.cors_origins},
              "Origins of web pages that may call the API from a browser (CORS), such as https://app.example.com");
  section.add("allow_plain_http_beyond_loopback", &server.allow_plain_http_beyond_loopback,
              "Listen without TLS on an address that other machines can reach; only behind a TLS proxy");
}

void list(Section section, OpsSettings& ops) {
  section.add("host", &ops.host, "Listen address of /livez /readyz /metrics /version, which need no token");
  section.add("port", ops.port, kPort, "Port of these paths; 0 = any free port");
}

void list(Section section, LimitsSettings& limits) {
  section.add("json_body_bytes", limits.json_body_bytes, {1024, 64 * kMebibyte}, "Largest JSON body, except imports");
  section.add("import_body_bytes", limits.import_body_bytes, {1024, 256 * kMebibyte},
              "Largest body of an import request");
  section.add("uri_bytes", limits.uri_bytes, {256, 65'536}, "Longest request target");
  section.add("header_bytes", limits.header_bytes, {1024, kMebibyte}, "Largest size of all headers of a request");
  section.add("import_inflated_bytes", limits.import_inflated_bytes, {1024, 4096 * kMebibyte},
              "Largest import after decompression");
  section.add("import_ratio", limits.import_ratio, {1, 1000},
              "Largest ratio of decompressed to compressed size of an import");
  section.add("import_rows", limits.import_rows, {1, 10'000'000}, "Most rows of one import");
  section.add("plugin_start_ms", limits.plugin_start_ms, kTimeoutMs,
              "Time limit for loading a plugin, and for creating it");
}

void list(Section section, const std::string& whose, RateLimitSettings& limits) {
  const auto add = [&](const std::string& name, RateSettings& rate, const std::string& requests) {
    section.add(name + ".per_second", rate.per_second, kRequests,
                requests + " of one " + whose + " per second, on each node; 0 = no limit");
    section.add(name + ".burst", rate.burst, kRequests,
                requests + " of one " + whose + " at once after a pause; 0 = those of one second");
  };
  add("read", limits.read, "GET requests");
  add("write", limits.write, "Other requests");
  add("confirm", limits.confirm, "Confirmations and payouts");
  if (whose == "client") add("token", limits.token, "Token requests");
  section.add("in_flight", limits.in_flight, kRequests,
              "Requests of one " + whose + " in progress at the same time; 0 = no limit");
}

void list(Section section, StoreSettings& store) {
  section.add("driver", choice(store.driver, {"sqlite", "mysql"}), "Embedded database, or MariaDB / MySQL");
  section.add("migrate_at_start", &store.migrate_at_start,
              "Migrate the schema at start; else use `tideover db migrate`");
  section.add("sqlite.path", &store.sqlite.path, "Database file; on a local disk, used by one process only");
  section.add("mysql.host", &store.mysql.host, "Database server; required with driver mysql");
  section.add("mysql.port", store.mysql.port, {1, 65'535}, "Port of the database server");
  section.add("mysql.user", &store.mysql.user, "Database user; required with driver mysql");
  section.add("mysql.password_file", &store.mysql.password_file,
              "File (mode 600) with the password; required with driver mysql");
  section.add("mysql.database", &store.mysql.database, "Database name; required with driver mysql");
  section.add("mysql.tls.enforce", &store.mysql.tls.enforce,
              "Refuse a database connection without TLS, or to a server with an invalid certificate or host name");
  section.add("mysql.tls.ca_file", &store.mysql.tls.ca_file,
              "Certificate authority of the database server; empty = those of the system");
  section.add("mysql.pool", store.mysql.pool, {1, 256}, "Connections for reading");
  section.add("mysql.lanes", store.mysql.lanes, {1, 16}, "Connections for committing");
  section.add("committer.queue", store.committer.queue, {1, 1'000'000}, "Commits that may wait; more are answered 503");
  section.add("committer.max_batch", store.committer.max_batch, {1, 10'000}, "Most requests in one transaction");
}

void list(Section section, SecuritySettings& security) {
  section.add("key_ring_file", &security.key_ring_file, "Master keys (mode 600); created when missing");
  section.add("access_token_seconds", security.access_token_seconds, {300, 86'400}, "Life of an access token");
  section.add("token_failures", security.token_failures, {0, 1000},
              "Token requests with a wrong secret, per client, before further ones must wait; 0 = they never wait");
  section.add("token_failure_wait_seconds", security.token_failure_wait_seconds, {1, 3600},
              "Longest wait after a token request with a wrong secret; the right secret never waits");
  section.add("checkpoint_file", &security.checkpoint_file,
              "Signed checkpoints of the hash chains of ledger and audit trail; copy the file to another machine");
}

void list(Section section, LearningSettings& learning) {
  section.add("enabled", &learning.enabled,
              "Learn from remittances; if false, reviews use published rates and rules only");
}

void list(Section section, RulesSettings& rules) {
  section.add("folder", &rules.folder, "Folder with ruleset.lua; watched for changes");
  section.add("tables_folder", &rules.tables_folder,
              "Folder with official tables (mue.csv, pfs@2026a.csv ...) that replace the samples; empty = none");
  section.add("instruction_budget", rules.instruction_budget, {1000, 100'000'000},
              "Lua instructions of one evaluation");
  section.add("memory_budget_bytes", rules.memory_budget_bytes, {kMebibyte, 1024 * kMebibyte},
              "Memory of one Lua state");
  section.add("reload_debounce_ms", rules.reload_debounce_ms, {0, 60'000},
              "Time without changes before rules are reloaded");
  section.add("reload_check_ms", rules.reload_check_ms, {100, 3'600'000},
              "Interval of the additional check of digests");
  section.add("promotion", choice(rules.promotion, {"automatic", "by_command"}),
              "Whether valid rules become live when they are saved, or by command");
  section.add("approval", choice(rules.approval, {"none", "second_person"}),
              "Whether a second operator must approve a bundle before `tideover rules promote`");
  section.add("operator_tenant", &rules.operator_tenant,
              "Tenant whose clients may release rules over HTTP, for all tenants; empty = by command only");
}

void list(Section section, WebhooksSettings& webhooks) {
  section.add("timeout_ms", webhooks.timeout_ms, kTimeoutMs, "Time within which a receiver must answer");
  section.add("retry_seconds", BoundSchedule{&webhooks.retry_seconds, kScheduleSeconds},
              "Pauses before each attempt, in production");
  section.add("sandbox_retry_seconds", BoundSchedule{&webhooks.sandbox_retry_seconds, kScheduleSeconds},
              "Pauses before each attempt, in the sandbox");
  section.add("disable_after_seconds", webhooks.disable_after_seconds, {1, 2'592'000},
              "Time of failures without a success after which an endpoint is disabled");
  section.add("endpoints_per_tenant", webhooks.endpoints_per_tenant, {1, 1000}, "Most endpoints of one tenant");
  section.add("allow_loopback_http_in_sandbox", &webhooks.allow_loopback_http_in_sandbox,
              "Allow plain-HTTP loopback receivers in a sandbox; never in production");
  section.add("parallel", webhooks.parallel, {1, 1024}, "Deliveries at the same time, each with a socket");
  section.add("parallel_per_endpoint", webhooks.parallel_per_endpoint, {1, 64},
              "Deliveries at the same time to one endpoint; a lost node can repeat at most these");
  section.add("poll_ms", webhooks.poll_ms, kPollMs, "Interval between checks for due deliveries");
}

void list(Section section, ImportsSettings& imports) {
  section.add("workers", imports.workers, {1, 64}, "Imports at the same time");
  section.add("chunk_rows", imports.chunk_rows, {1, 10'000}, "Rows per transaction");
  section.add("lease_seconds", imports.lease_seconds, {1, 3600},
              "Time without a sign of a job's worker before another worker takes the job");
  section.add("poll_ms", imports.poll_ms, kPollMs, "Interval between checks for queued imports");
}

void list(Section section, FundingSettings& funding) {
  section.add("journal_path", &funding.journal_path,
              "Rail journal: payments sent to rails, outside the database; on a disk of this node, one per node");
  section.add("wait_ms", funding.wait_ms, {0, 60'000},
              "How long a confirmation waits for another worker or node that has its payment");
  section.add("submit_timeout_ms", funding.submit_timeout_ms, kTimeoutMs,
              "Time within which a rail must answer; later the outcome is unknown");
  section.add("resolve_seconds", BoundSchedule{&funding.resolve_seconds, {1, 7 * 86'400}},
              "Pauses before each query of an unknown outcome; the last one repeats");
  section.add("max_advance_bps", funding.max_advance_bps, {0, 10'000},
              "Largest advance that rules may propose, as a share of the expected payment");
  section.add("max_fee_bps", funding.max_fee_bps, {0, 10'000},
              "Largest fee that rules may propose, as a share of the advance");
  section.add("max_advance_cents", funding.max_advance_cents, {0, 9'999'999'999}, "Largest single advance");
  section.add("authorization_days", funding.authorization_days, kDays, "Life of an authorization");
  section.add("confirmation_days", funding.confirmation_days, kDays,
              "Time after which an unconfirmed settlement is canceled");
  section.add("two_person_decisions", choice(funding.two_person_decisions, {"in_production", "always", "never"}),
              "Two clients must agree before a payment with unknown outcome counts as paid or not paid, and a client "
              "cannot decide a review that "
              "it requested");
  section.add("rail_reconcile_hours", funding.rail_reconcile_hours, {1, 168},
              "Interval of the comparison of rail statements with database and journal");
  section.add(
      "residual_payouts", choice(funding.residual_payouts, {"never", "by_request", "at_once", "daily"}),
      "When providers are paid: never by this service, on request, each residual when its payment is posted, or "
      "each practice once a day everything that it is owed");
  section.add("residual_minimum_cents", funding.residual_minimum_cents, {1, 9'999'999'999},
              "Smallest payout with at_once and daily; smaller amounts wait until more is due");
  section.add("payout_rail", &funding.payout_rail, "Rail of payouts to practices that have no rail of their own");
  section.add("payout_hold_days", funding.payout_hold_days, {0, 90},
              "With daily: days between the day on which an amount is posted and its payout");
  section.add(
      "allow_simulated_rails", &funding.allow_simulated_rails,
      "Allow production to start with rails that move no money, such as the shipped ones: for a trial. A sandbox needs "
      "no permission");
}

void list(Section section, LedgerSettings& ledger) {
  section.add("accounts", &ledger.accounts,
              "Codes of the general ledger in exports: an account of this ledger, such as purchased_receivable:*, and "
              "its code with an optional name");
}

void list(Section section, ReconciliationSettings& reconciliation) {
  section.add("write_off_approval_above", reconciliation.write_off_approval_above, {-1, 9'999'999'999},
              "Largest receivable in cents that is written off without an approval; -1 = no bound");
}

void list(Section section, RemittanceAdviceSettings& advice) {
  section.add("payer_name", &advice.payer_name, "Name of the payer in remittance advices of payouts");
  section.add("originator_id", &advice.originator_id,
              "Id of the payer in an 835 (BPR10, TRN03): 10 letters or digits, usually 1 and the EIN");
  section.add("street", &advice.street, "Address of the payer in an 835; empty = not sent");
  section.add("city", &advice.city, "City of the payer; empty = not sent");
  section.add("state", &advice.state, "State of the payer, two letters");
  section.add("postal_code", &advice.postal_code, "ZIP code of the payer");
  section.add("phone", &advice.phone, "Telephone for questions about an 835; empty = not sent");
}

void list(Section section, LogSettings& log) {
  section.add("level", choice(log.level, {"debug", "info", "warning", "error"}), "Least important events to write");
  section.add("format", choice(log.format, {"json", "text"}), "One JSON object or one readable line per event");
  section.add("file", &log.file, "Empty = standard error");
}

}  // namespace

std::vector<Field> fields_of(Settings& settings) {
  std::vector<Field> fields;
  Section top(fields, "");
  top.add("environment", choice(settings.environment, {"sandbox", "production"}), "Environment of this service");
  list(Section(fields, "node."), settings.node);
  list(Section(fields, "server."), settings.server);
  list(Section(fields, "ops."), settings.ops);
  list(Section(fields, "limits."), settings.limits);
  list(Section(fields, "rate_limits.client."), "client", settings.rate_limits.client);
  list(Section(fields, "rate_limits.tenant."), "tenant", settings.rate_limits.tenant);
  list(Section(fields, "store."), settings.store);
  list(Section(fields, "security."), settings.security);
  top.add("roles", &settings.roles,
          "Roles beside the shipped ones, or shipped ones with other scopes: name and scopes");
  list(Section(fields, "rules."), settings.rules);
  list(Section(fields, "learning."), settings.learning);
  top.add("plugins", &settings.plugins, "Plugins to load, in the order in which they are called");
  list(Section(fields, "webhooks."), settings.webhooks);
  list(Section(fields, "imports."), settings.imports);
  top.add("pickup.folders", &settings.pickup.folders, "Watched folders; their files are posted as over the API");
  list(Section(fields, "funding."), settings.funding);
  list(Section(fields, "ledger."), settings.ledger);
  list(Section(fields, "reconciliation."), settings.reconciliation);
  list(Section(fields, "remittance_advice."), settings.remittance_advice);
  list(Section(fields, "log."), settings.log);
  top.add("reason_codes_file", &settings.reason_codes_file, "Catalogue of reason codes");
  return fields;
}

std::vector<Field> fields_of(PluginSettings& plugin) {
  std::vector<Field> fields;
  Section entry(fields, "");
  entry.add("path", &plugin.path, "Path of the shared library", true);
  entry.add(
      "kind",
      choice(plugin.kind, {"payer_directory", "funding_rail", "import_format", "remittance_format", "deposit_format"}),
      "Interface that the plugin implements", true);
  entry.add("id", &plugin.id, "Name in messages and metrics, unique per kind; default: the plugin's own id");
  entry.add("config", &plugin.config,
            "Keys and values for the plugin; `path` and `*_path` are relative to the folder of this file");
  return fields;
}

std::vector<Field> fields_of(PickupFolderSettings& folder) {
  std::vector<Field> fields;
  Section entry(fields, "");
  entry.add("name", &folder.name, "Name in the log, in metrics and in the audit trail", true);
  entry.add("path", &folder.path, "Folder with inbox/, archive/, quarantine/ and answers/; created when missing", true);
  entry.add("tenant", &folder.tenant, "Name of the tenant of all files of the folder", true);
  entry.add("kind", choice(folder.kind, {"auto", "remittance", "deposit", "claims"}),
            "What the files are; auto: the first format that reads the file");
  entry.add("format", &folder.format, "Format of all files; empty = every loaded format of the kind");
  entry.add("is_own_inbox", &folder.is_own_inbox, "New files are in the folder itself, not in inbox/");
  entry.add("poll_ms", folder.poll_ms, kPollMs, "Interval between looks at the folder");
  entry.add("stable_ms", folder.stable_ms, {0, 3'600'000},
            "A file is complete when size and time did not change for so long");
  entry.add("temporary_suffixes", &folder.temporary_suffixes,
            "Ends of names that are left alone, separated by blanks; so are names that begin with a dot");
  entry.add("archive_days", folder.archive_days, {0, 36'500},
            "Archived files are removed after so many days; 0 = never");
  return fields;
}

}  // namespace tideover::settings
