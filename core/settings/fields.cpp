// The one list of all settings. To add one: a member with its default in settings.hpp and a line here.
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
  section.add("name", &node.name, "This process among those that share a database; the host name when empty");
}

void list(Section section, ServerSettings& server) {
  section.add("host", &server.host, "Address that the API listens on");
  section.add("port", server.port, kPort, "Port of the API; 0 takes any free one");
  section.add("worker_threads", server.worker_threads, kThreads, "Requests handled at the same time");
  section.add("queue", server.queue, {1, 100'000}, "Requests that may wait for a worker; more are answered 503");
  section.add("idle_timeout_ms", server.idle_timeout_ms, kTimeoutMs, "An idle connection is closed after this");
  section.add("request_timeout_ms", server.request_timeout_ms, kTimeoutMs,
              "A request must have arrived whole within this");
  section.add("drain_timeout_ms", server.drain_timeout_ms, kTimeoutMs, "Time that running requests get when stopping");
  section.add("allow_plain_http_beyond_loopback", &server.allow_plain_http_beyond_loopback,
              "Listen without TLS where others can connect; only behind a proxy that ends TLS");
}

void list(Section section, OpsSettings& ops) {
  section.add("host", &ops.host, "Address of /livez /readyz /metrics /version, which ask for no token");
  section.add("port", ops.port, kPort, "Port of the same; 0 takes any free one");
}

void list(Section section, LimitsSettings& limits) {
  section.add("json_body_bytes", limits.json_body_bytes, {1024, 64 * kMebibyte}, "Largest JSON body, imports apart");
  section.add("import_body_bytes", limits.import_body_bytes, {1024, 256 * kMebibyte},
              "Largest body of an import request");
  section.add("uri_bytes", limits.uri_bytes, {256, 65'536}, "Longest request target");
  section.add("header_bytes", limits.header_bytes, {1024, kMebibyte}, "All headers of a request together");
  section.add("import_inflated_bytes", limits.import_inflated_bytes, {1024, 4096 * kMebibyte},
              "Largest import after decompression");
  section.add("import_ratio", limits.import_ratio, {1, 1000}, "Largest inflated : compressed ratio of an import");
  section.add("import_rows", limits.import_rows, {1, 10'000'000}, "Most rows of one import");
  section.add("plugin_start_ms", limits.plugin_start_ms, kTimeoutMs,
              "Time that loading a plugin, and creating it, may each take");
}

void list(Section section, StoreSettings& store) {
  section.add("driver", choice(store.driver, {"sqlite", "mysql"}), "Embedded database, or MariaDB / MySQL");
  section.add("migrate_at_start", &store.migrate_at_start,
              "Bring the schema up to date when starting; else `tideover db migrate` does");
  section.add("sqlite.path", &store.sqlite.path, "Database file; on a local disk, used by one process only");
  section.add("mysql.host", &store.mysql.host, "Database server; required with driver mysql");
  section.add("mysql.port", store.mysql.port, {1, 65'535}, "Its port");
  section.add("mysql.user", &store.mysql.user, "Database user; required with driver mysql");
  section.add("mysql.password_file", &store.mysql.password_file,
              "File (mode 600) with the password; required with driver mysql");
  section.add("mysql.database", &store.mysql.database, "Database name; required with driver mysql");
  section.add("mysql.tls.enforce", &store.mysql.tls.enforce,
              "Refuse a database connection without TLS, or to a server whose certificate or host name does not hold");
  section.add("mysql.tls.ca_file", &store.mysql.tls.ca_file,
              "Authority of the server's certificate; empty = the system's");
  section.add("mysql.pool", store.mysql.pool, {1, 256}, "Connections for reading");
  section.add("mysql.lanes", store.mysql.lanes, {1, 16}, "Connections that commit");
  section.add("committer.queue", store.committer.queue, {1, 1'000'000}, "Commits that may wait; more are answered 503");
  section.add("committer.max_batch", store.committer.max_batch, {1, 10'000}, "Most requests in one transaction");
}

void list(Section section, SecuritySettings& security) {
  section.add("key_ring_file", &security.key_ring_file, "Master keys (mode 600); created when absent");
  section.add("access_token_seconds", security.access_token_seconds, {300, 86'400}, "Life of an access token");
  section.add("checkpoint_file", &security.checkpoint_file,
              "Signed notes of how far the hash chains of ledger and audit trail go; ship them elsewhere");
}

void list(Section section, LearningSettings& learning) {
  section.add("enabled", &learning.enabled,
              "Whether this node learns from remittances; without it reviews use published rates and rules only");
}

void list(Section section, RulesSettings& rules) {
  section.add("folder", &rules.folder, "Folder with ruleset.lua; watched for changes");
  section.add(
      "tables_folder", &rules.tables_folder,
      "Folder with official tables (mue.csv, pfs@2026a.csv ...), which take the place of the samples; empty for none");
  section.add("instruction_budget", rules.instruction_budget, {1000, 100'000'000},
              "Lua instructions of one evaluation");
  section.add("memory_budget_bytes", rules.memory_budget_bytes, {kMebibyte, 1024 * kMebibyte},
              "Memory of one Lua state");
  section.add("reload_debounce_ms", rules.reload_debounce_ms, {0, 60'000},
              "Quiet time after a change before reloading");
  section.add("reload_check_ms", rules.reload_check_ms, {100, 3'600'000}, "How often digests are checked besides");
  section.add("promotion", choice(rules.promotion, {"automatic", "by_command"}),
              "Whether sound rules are live as soon as they are saved");
  section.add("approval", choice(rules.approval, {"none", "second_person"}),
              "Whether a second operator must approve what `tideover rules promote` filed");
  section.add("operator_tenant", &rules.operator_tenant,
              "Tenant whose clients may release rules over HTTP, for all tenants; empty for none: by command only");
}

void list(Section section, WebhooksSettings& webhooks) {
  section.add("timeout_ms", webhooks.timeout_ms, kTimeoutMs, "A receiver must answer within this");
  section.add("retry_seconds", BoundSchedule{&webhooks.retry_seconds, kScheduleSeconds}, "Waits before each try");
  section.add("allow_loopback_http_in_sandbox", &webhooks.allow_loopback_http_in_sandbox,
              "Sandbox clients may name plain-HTTP loopback receivers; never in production");
  section.add("parallel", webhooks.parallel, {1, 1024}, "Deliveries at the same time, each a socket");
  section.add("parallel_per_endpoint", webhooks.parallel_per_endpoint, {1, 64},
              "Of these to one endpoint: the most that a lost node can send twice");
  section.add("poll_ms", webhooks.poll_ms, kPollMs, "How often due deliveries are looked for");
}

void list(Section section, ImportsSettings& imports) {
  section.add("workers", imports.workers, {1, 64}, "Imports at the same time");
  section.add("chunk_rows", imports.chunk_rows, {1, 10'000}, "Rows per transaction");
  section.add("lease_seconds", imports.lease_seconds, {1, 3600},
              "A job whose worker has been silent this long goes to another");
  section.add("poll_ms", imports.poll_ms, kPollMs, "How often queued imports are looked for");
}

void list(Section section, FundingSettings& funding) {
  section.add("journal_path", &funding.journal_path,
              "What was shown to a rail, outside the database; on a disk of this node, one per node");
  section.add("wait_ms", funding.wait_ms, {0, 60'000},
              "How long a confirm waits for another worker or node that has its payment");
  section.add("submit_timeout_ms", funding.submit_timeout_ms, kTimeoutMs,
              "A rail must answer within this, else the outcome is unknown");
  section.add("resolve_seconds", BoundSchedule{&funding.resolve_seconds, {1, 7 * 86'400}},
              "Waits before asking the rail about an unknown outcome; the last one repeats");
  section.add("max_advance_bps", funding.max_advance_bps, {0, 10'000},
              "Most that rules may advance, of the expected payment");
  section.add("max_fee_bps", funding.max_fee_bps, {0, 10'000}, "Most that rules may charge, of the advance");
  section.add("max_advance_cents", funding.max_advance_cents, {0, 9'999'999'999}, "Largest single advance");
  section.add("authorization_days", funding.authorization_days, kDays, "Life of an authorization");
  section.add("confirmation_days", funding.confirmation_days, kDays,
              "An unconfirmed settlement is canceled after this");
  section.add("two_person_decisions", choice(funding.two_person_decisions, {"in_production", "always", "never"}),
              "Two clients must agree before a payment whose outcome is unknown counts as paid or not, and nobody "
              "decides a review that "
              "they brought up");
  section.add("rail_reconcile_hours", funding.rail_reconcile_hours, {1, 168},
              "How often the rails' statements are compared with database and journal");
  section.add("residual_payouts", choice(funding.residual_payouts, {"never", "by_request", "at_once"}),
              "When what a payer's payment leaves of a claim is paid out to its provider: not by this service, when a "
              "request asks for it, or as "
              "soon as the payment is posted");
  section.add("residual_minimum_cents", funding.residual_minimum_cents, {1, 9'999'999'999},
              "Of payouts at once: what is less waits until more is owed of the same settlement");
  section.add("allow_simulated_rails", &funding.allow_simulated_rails,
              "Production starts with rails that move no money, such as the shipped ones: for a trial; a sandbox needs "
              "no permission");
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
  top.add("environment", choice(settings.environment, {"sandbox", "production"}),
          "Which world this service belongs to");
  list(Section(fields, "node."), settings.node);
  list(Section(fields, "server."), settings.server);
  list(Section(fields, "ops."), settings.ops);
  list(Section(fields, "limits."), settings.limits);
  list(Section(fields, "store."), settings.store);
  list(Section(fields, "security."), settings.security);
  list(Section(fields, "rules."), settings.rules);
  list(Section(fields, "learning."), settings.learning);
  top.add("plugins", &settings.plugins, "Plugins to load, in the order in which they are asked");
  list(Section(fields, "webhooks."), settings.webhooks);
  list(Section(fields, "imports."), settings.imports);
  list(Section(fields, "funding."), settings.funding);
  list(Section(fields, "log."), settings.log);
  top.add("reason_codes_file", &settings.reason_codes_file, "Catalogue of reason codes");
  return fields;
}

std::vector<Field> fields_of(PluginSettings& plugin) {
  std::vector<Field> fields;
  Section entry(fields, "");
  entry.add("path", &plugin.path, "The shared library", true);
  entry.add(
      "kind",
      choice(plugin.kind, {"payer_directory", "funding_rail", "import_format", "remittance_format", "deposit_format"}),
      "What it implements", true);
  entry.add("id", &plugin.id, "Its name in messages and metrics, once per kind; the plugin's own when left out");
  entry.add("config", &plugin.config,
            "Keys and values handed to the plugin; `path` and `*_path` count from the file's folder");
  return fields;
}

}  // namespace tideover::settings
