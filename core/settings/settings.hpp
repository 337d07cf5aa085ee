// All settings as plain structs; the member initialisers are the defaults. fields.cpp lists the same members with their
// keys, limits and help: a member that is missing there cannot be set.
// Units end the name: _ms, _seconds, _bytes, _bps, _cents, _days.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/domain/basics/tenant.hpp"

namespace tideover::settings {

enum class StoreDriver { sqlite, mysql };
enum class PluginKind { payer_directory, funding_rail, import_format, remittance_format, deposit_format };
/// Whether two clients must agree before a payment with unknown outcome counts as paid or not paid, and whether a
/// client is barred from deciding a review that it requested.
enum class TwoPersonDecisions { in_production, always, never };
/// When the residual of a claim is paid to the provider: never by this service, on request, or when the payment is
/// posted.
enum class ResidualPayouts { never, by_request, at_once, daily };
/// Whether valid rules become live when they are saved in the folder, or by command.
enum class RulePromotion { automatic, by_command };
enum class RuleApproval { none, second_person };
enum class LogLevel { debug, info, warning, error };
enum class LogFormat { json, text };

/// Names this process among those that share a database.
struct NodeSettings {
  std::string name;  // empty = the host name
};

struct ServerSettings {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0 = any free port
  int worker_threads = 32;
  int queue = 256;
  int idle_timeout_ms = 15'000;
  int request_timeout_ms = 30'000;
  int drain_timeout_ms = 10'000;
  std::vector<std::string> cors_origins;  // of web pages that may call the API from a browser; none by default
  bool allow_plain_http_beyond_loopback = false;
};

struct OpsSettings {
  std::string host = "127.0.0.1";
  int port = 8081;  // 0 = any free port
};

struct LimitsSettings {
  std::int64_t json_body_bytes = 1 << 20;
  std::int64_t import_body_bytes = 32 << 20;
  std::int64_t uri_bytes = 8 << 10;
  std::int64_t header_bytes = 16 << 10;
  std::int64_t import_inflated_bytes = 256 << 20;
  int import_ratio = 200;
  int import_rows = 500'000;
  int plugin_start_ms = 30'000;
};

/// 0 per second: no limit. Burst 0: the requests of one second.
struct RateSettings {
  int per_second = 0;
  int burst = 0;
};

/// Of each client, or of each tenant. `token` counts per client only.
struct RateLimitSettings {
  RateSettings read;
  RateSettings write;
  RateSettings confirm;
  RateSettings token;
  int in_flight = 0;  // 0 = no limit
};

struct RateLimitsSettings {
  RateLimitSettings client;
  RateLimitSettings tenant;
};

struct SqliteSettings {
  std::filesystem::path path = "./data/tideover.db";
};

struct MysqlTlsSettings {
  bool enforce = true;
  std::filesystem::path ca_file;  // empty = the authorities of the system
};

struct MysqlSettings {
  std::string host;
  int port = 3306;
  std::string user;
  std::filesystem::path password_file;
  std::string database;
  MysqlTlsSettings tls;
  int pool = 8;
  int lanes = 2;
};

struct CommitterSettings {
  int queue = 4096;
  int max_batch = 256;
};

struct StoreSettings {
  StoreDriver driver = StoreDriver::sqlite;
  bool migrate_at_start = true;
  SqliteSettings sqlite;
  MysqlSettings mysql;
  CommitterSettings committer;
};

struct SecuritySettings {
  std::filesystem::path key_ring_file = "./data/keys";
  int access_token_seconds = 3600;
  int token_failures = 10;  // 0 = failed token requests never wait
  int token_failure_wait_seconds = 60;
  std::filesystem::path checkpoint_file = "./data/checkpoints";
};

struct LearningSettings {
  bool enabled = true;
};

struct RulesSettings {
  std::filesystem::path folder = "./rules";
  std::filesystem::path tables_folder;  // empty = none
  int instruction_budget = 200'000;
  std::int64_t memory_budget_bytes = 32 << 20;
  int reload_debounce_ms = 100;
  int reload_check_ms = 2000;
  RulePromotion promotion = RulePromotion::automatic;
  RuleApproval approval = RuleApproval::none;
  std::string operator_tenant;  // empty = none
};

struct PluginSettings {
  std::filesystem::path path;
  PluginKind kind = PluginKind::payer_directory;
  std::string id;
  std::map<std::string, std::string> config;  // passed to the plugin unchanged
};

struct WebhooksSettings {
  int timeout_ms = 15'000;
  std::vector<int> retry_seconds = {0, 5, 300, 1800, 7200, 18'000, 36'000, 50'400, 72'000, 86'400};
  std::vector<int> sandbox_retry_seconds = {0, 60, 540};  // in place of retry_seconds in the sandbox
  int disable_after_seconds = 432'000;
  int endpoints_per_tenant = 20;
  bool allow_loopback_http_in_sandbox = true;  // always false in production
  int parallel = 512;
  int parallel_per_endpoint = 5;
  int poll_ms = 200;
};

struct ImportsSettings {
  int workers = 1;
  int chunk_rows = 200;
  int lease_seconds = 60;
  int poll_ms = 200;
};

enum class PickupKind { automatic, remittance, deposit, claims };

/// A watched folder with files for one tenant.
struct PickupFolderSettings {
  std::string name;
  std::filesystem::path path;
  std::string tenant;
  PickupKind kind = PickupKind::automatic;
  std::string format;         // empty = every format of the kind
  bool is_own_inbox = false;  // new files are in the folder itself, not in inbox/
  int poll_ms = 5000;
  int stable_ms = 10'000;
  std::string temporary_suffixes = ".part .tmp .filepart .crdownload .partial";  // separated by blanks
  int archive_days = 0;                                                          // 0 = archived files stay
};

struct PickupSettings {
  std::vector<PickupFolderSettings> folders;
};

struct FundingSettings {
  std::filesystem::path journal_path = "./data/rail-journal";
  int submit_timeout_ms = 10'000;
  int wait_ms = 5'000;
  std::vector<int> resolve_seconds = {1, 5, 30, 120, 600, 900};
  int max_advance_bps = 9000;
  int max_fee_bps = 1000;
  std::int64_t max_advance_cents = 100'000'000;
  int authorization_days = 7;
  int confirmation_days = 7;
  TwoPersonDecisions two_person_decisions = TwoPersonDecisions::in_production;
  int rail_reconcile_hours = 24;
  ResidualPayouts residual_payouts = ResidualPayouts::by_request;
  std::int64_t residual_minimum_cents = 100;
  std::string payout_rail = "SAME_DAY";
  int payout_hold_days = 0;
  bool allow_simulated_rails = false;  // for production; not needed in a sandbox
};

struct LedgerSettings {
  std::map<std::string, std::string> accounts;  // of this ledger -> code and name of the general ledger
};

struct ReconciliationSettings {
  std::int64_t write_off_approval_above = -1;  // cents; -1 = no write-off needs an approval because of its amount
};

/// The payer that remittance advices of payouts name.
struct RemittanceAdviceSettings {
  std::string payer_name = "Tideover";
  std::string originator_id = "9999999999";  // BPR10, TRN03: 1 and the EIN
  std::string street;
  std::string city;
  std::string state;
  std::string postal_code;
  std::string phone;
};

struct LogSettings {
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::json;
  std::filesystem::path file;  // empty = standard error
};

struct Settings {
  domain::Environment environment = domain::Environment::sandbox;
  NodeSettings node;
  ServerSettings server;
  OpsSettings ops;
  LimitsSettings limits;
  RateLimitsSettings rate_limits;
  StoreSettings store;
  SecuritySettings security;
  std::map<std::string, std::string> roles;  // of names to blank-separated scopes
  RulesSettings rules;
  LearningSettings learning;
  std::vector<PluginSettings> plugins;  // in order of precedence
  WebhooksSettings webhooks;
  ImportsSettings imports;
  PickupSettings pickup;
  FundingSettings funding;
  LedgerSettings ledger;
  ReconciliationSettings reconciliation;
  RemittanceAdviceSettings remittance_advice;
  LogSettings log;
  std::filesystem::path reason_codes_file = "./reason_codes.yaml";
};

}  // namespace tideover::settings
