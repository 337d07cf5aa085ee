#include "core/node/start.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <system_error>

#include "core/clock/system_clock.hpp"
#include "core/crypto/key_ring.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/journal/file_journal.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/ops/log.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/settings/load.hpp"
#include "core/settings/reason_codes.hpp"
#include "core/settings/secret_file.hpp"
#include "core/settings/settings.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/store/private_folder.hpp"
#include "core/store/sql_store.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"

namespace tideover::node {
namespace {

std::string lines_of(const std::string& opening, const std::vector<settings::SettingsError>& errors) {
  std::string text = opening;
  for (const auto& error : errors) text += "\n  " + error.text();
  return text;
}

std::string name_of(settings::PluginKind kind) {
  switch (kind) {
    case settings::PluginKind::payer_directory:
      return "payer_directory";
    case settings::PluginKind::funding_rail:
      return "funding_rail";
    case settings::PluginKind::import_format:
      return "import_format";
    case settings::PluginKind::remittance_format:
      return "remittance_format";
    case settings::PluginKind::deposit_format:
      return "deposit_format";
  }
  return "";
}

crypto::KeyRing usable(std::variant<crypto::KeyRing, crypto::KeyRingError> ring) {
  if (const auto* error = std::get_if<crypto::KeyRingError>(&ring)) throw StartError(error->message);
  return std::get<crypto::KeyRing>(std::move(ring));
}

sql::MySqlOptions mysql_options(const settings::MysqlSettings& given) {
  sql::MySqlOptions options;
  options.host = given.host;
  options.port = static_cast<std::uint16_t>(given.port);
  options.user = given.user;
  options.database = given.database;
  options.tls.required = given.tls.enforce;
  options.tls.verify_server = given.tls.enforce;  // without a ca_file the system's certificate authorities are used
  options.tls.ca_file = given.tls.ca_file.string();
  const auto password = settings::read_secret_file(given.password_file);
  if (const auto* error = std::get_if<settings::SettingsError>(&password)) throw StartError(error->text());
  options.password = std::get<std::string>(password);
  return options;
}

/// Falls back to standard error when the file cannot be opened; `problem` is then set.
ops::LogOutput log_output(const settings::LogSettings& log, std::string& problem) {
  if (log.file.empty()) return ops::LogOutput::standard_error();
  auto output = ops::LogOutput::to_file(log.file);
  const auto* why = std::get_if<std::string>(&output);
  if (why == nullptr) return std::get<ops::LogOutput>(std::move(output));
  problem = *why;
  return ops::LogOutput::in_place_of(log.file);
}

std::filesystem::path last_reason_codes(const settings::Settings& settings) {
  return settings.funding.journal_path.parent_path() / "last-reason-codes.yaml";
}

}  // namespace

void refuse_start(const domain::Error& error) {
  if (error.code == domain::ErrorCode::conflict) throw NotYet(NotYet::Cause::in_use, error.message);
  if (error.retry_after_s) throw NotYet(NotYet::Cause::unreachable, error.message);
  throw StartError(error.message);
}

ops::Logger open_log(const settings::LogSettings& log) {
  std::string problem;
  auto output = log_output(log, problem);
  ops::Logger opened(std::move(output), static_cast<ops::LogLevel>(log.level), static_cast<ops::LogFormat>(log.format));
  if (!problem.empty())
    opened.error(
        "log_file_unusable",
        {{"problem", problem},
         {"hint", "standard error is used instead; correct the problem, then send SIGHUP (systemctl reload)"}});
  return opened;
}

settings::Settings load_settings(const std::optional<std::filesystem::path>& config_file) {
  auto loaded = settings::load({config_file, settings::process_environment()});
  if (const auto* errors = std::get_if<std::vector<settings::SettingsError>>(&loaded))
    throw StartError(lines_of(config_file || std::getenv("TIDEOVER_CONFIG") != nullptr
                                  ? "The configuration has errors:"
                                  : "No configuration was given (--config FILE), and the defaults are not sufficient:",
                              *errors));
  return std::get<settings::Settings>(std::move(loaded));
}

void refuse_lost_key_ring(const settings::Settings& settings) {
  const auto& ring = settings.security.key_ring_file;
  if (std::filesystem::exists(ring)) return;
  const auto needed = store::needs_keys(store_options(settings));
  if (!needed) refuse_start(needed.error());
  if (*needed)
    throw StartError(
        "Key ring " + ring.string() +
        " not found, but the database has values that are encrypted under it. Restore it from a copy; a new "
        "key ring cannot decrypt them.");
}

crypto::KeyRing open_key_ring(const settings::Settings& settings) {
  refuse_lost_key_ring(settings);
  return usable(crypto::KeyRing::open_or_create(settings.security.key_ring_file));
}

crypto::KeyRing open_existing_key_ring(const settings::Settings& settings) {
  return usable(crypto::KeyRing::open(settings.security.key_ring_file));
}

std::string node_name(const settings::Settings& settings) {
  if (!settings.node.name.empty()) return settings.node.name;
  std::string host(256, '\0');
  if (::gethostname(host.data(), host.size() - 1) != 0) return "node";
  host.resize(host.find('\0'));
  return host;
}

store::StoreOptions store_options(const settings::Settings& settings) {
  const auto& given = settings.store;
  store::StoreOptions options;
  options.node = node_name(settings);
  options.migrate_at_start = given.migrate_at_start;
  options.committer.queue_capacity = static_cast<std::size_t>(given.committer.queue);
  options.committer.max_batch_units = static_cast<std::size_t>(given.committer.max_batch);
  if (given.driver == settings::StoreDriver::sqlite) {
    options.sqlite_path = given.sqlite.path;
  } else {
    options.driver = store::StoreOptions::Driver::mysql;
    options.mysql = mysql_options(given.mysql);
    options.max_readers = static_cast<std::size_t>(given.mysql.pool);
    options.committer.lanes = given.mysql.lanes;
  }
  return options;
}

void refuse_absent_store(const settings::Settings& settings) {
  const auto& given = settings.store;
  if (given.driver == settings::StoreDriver::sqlite && !std::filesystem::exists(given.sqlite.path))
    throw StartError("Database " + given.sqlite.path.string() +
                     " not found. serve, `tideover client create` or `tideover db migrate` creates it. Check that the "
                     "configuration is the right one.");
}

std::unique_ptr<store::SqlStore> open_store(const store::StoreOptions& options, const ports::EventEncoder& encoder,
                                            const ports::FieldCipher& cipher) {
  auto opened = store::SqlStore::open(options, encoder, cipher);
  if (!opened) refuse_start(opened.error());
  return std::move(*opened);
}

std::unique_ptr<journal::FileJournal> open_journal(const settings::Settings& settings, const ports::Clock& clock) {
  journal::JournalOptions options;
  options.path = settings.funding.journal_path;
  auto opened = journal::FileJournal::open(std::move(options), clock);
  if (!opened) refuse_start(opened.error());
  return std::move(*opened);
}

std::string sender_name(const settings::Settings& settings) {
  return settings.store.driver == settings::StoreDriver::sqlite ? "" : node_name(settings);
}

std::unique_ptr<store::CheckpointFile> open_checkpoints(const settings::Settings& settings,
                                                        const crypto::KeyRing& keys) {
  const auto& file = settings.security.checkpoint_file;
  try {
    if (file.has_parent_path()) store::create_private_folder(file.parent_path());
  } catch (const std::system_error& error) {
    throw StartError("security.checkpoint_file " + file.string() + ": " + error.what());
  }
  constexpr std::size_t kSeedBytes = 32;
  return std::make_unique<store::CheckpointFile>(
      file, crypto::SigningKey(keys.lasting().derive("checkpoint-v1", kSeedBytes).view()));
}

std::vector<domain::ReasonCode> load_reason_codes(const settings::Settings& settings) {
  std::error_code unknown;
  if (!std::filesystem::exists(settings.reason_codes_file, unknown))
    throw StartError("reason_codes_file " + settings.reason_codes_file.string() +
                     " not found. Check that the configuration (--config FILE) is the right one.");
  auto loaded = settings::load_reason_codes(settings.reason_codes_file);
  if (const auto* errors = std::get_if<std::vector<settings::SettingsError>>(&loaded))
    throw StartError(lines_of("The reason-code catalogue has errors:", *errors));
  return std::get<std::vector<domain::ReasonCode>>(std::move(loaded));
}

std::vector<domain::ReasonCode> usable_reason_codes(const settings::Settings& settings, std::string& problem) {
  try {
    return load_reason_codes(settings);
  } catch (const StartError& error) {
    auto kept = settings::load_reason_codes(last_reason_codes(settings));
    if (!std::holds_alternative<std::vector<domain::ReasonCode>>(kept)) throw;
    problem = error.what();
    return std::get<std::vector<domain::ReasonCode>>(std::move(kept));
  }
}

void keep_reason_codes(const settings::Settings& settings) {
  const auto kept = last_reason_codes(settings);
  auto aside = kept;
  aside += ".new";
  std::filesystem::copy_file(settings.reason_codes_file, aside, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::permissions(aside, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::rename(aside, kept);
}

lua::LoadOptions rule_options(const settings::Settings& settings, const std::vector<domain::ReasonCode>& reason_codes) {
  lua::LoadOptions options;
  for (const auto& code : reason_codes) options.codes.insert(code.code);
  options.limits.instructions = settings.rules.instruction_budget;
  options.limits.live_bytes = static_cast<std::size_t>(settings.rules.memory_budget_bytes);
  options.tables.folder = settings.rules.tables_folder;
  return options;
}

domain::TermsLimits terms_limits(const settings::Settings& settings) {
  return {settings.funding.max_advance_bps, settings.funding.max_fee_bps,
          domain::Money::cents(settings.funding.max_advance_cents)};
}

plugin_host::CallBudgets start_budgets(const settings::Settings& settings) {
  plugin_host::CallBudgets budgets;
  budgets.create = std::chrono::milliseconds(settings.limits.plugin_start_ms);
  return budgets;
}

std::vector<plugin_host::PluginSpec> plugin_specs(const settings::Settings& settings) {
  std::vector<plugin_host::PluginSpec> specs;
  for (const auto& plugin : settings.plugins)
    specs.push_back(
        {plugin.path.string(), name_of(plugin.kind), plugin.id, {plugin.config.begin(), plugin.config.end()}});
  return specs;
}

std::unique_ptr<plugin_host::PluginHost> load_plugins(const settings::Settings& settings,
                                                      plugin_host::HostServices services) {
  return load_plugins(settings, std::move(services), start_budgets(settings), {});
}

std::unique_ptr<plugin_host::PluginHost> load_plugins(const settings::Settings& settings,
                                                      plugin_host::HostServices services,
                                                      plugin_host::CallBudgets budgets,
                                                      plugin_host::FileLimits limits) {
  auto loaded = plugin_host::PluginHost::load(plugin_specs(settings), std::move(services), budgets, limits);
  if (!loaded) throw StartError(loaded.error().message);
  return std::move(*loaded);
}

std::vector<std::string> simulated_rails(ports::FundingRails& rails) {
  std::vector<std::string> names;
  for (const auto* rail : rails.all())
    if (rail->describe().simulated) names.push_back(rail->describe().rail);
  return names;
}

void refuse_sandbox_clocks(const settings::Settings& settings, store::SqlStore& store) {
  if (settings.environment != domain::Environment::production) return;
  const auto shifts = fetch_one(store, [](const ports::Records& records) { return records.clients().clock_shifts(); });
  if (!shifts) refuse_start(shifts.error());
  if (shifts->empty()) return;
  throw StartError(
      "store: the database has clocks of sandbox tenants (table sandbox_clocks). It served a sandbox, and its data is "
      "not "
      "real. Name a database for production in store.sqlite.path or store.mysql.database.");
}

void refuse_simulated_rails(const settings::Settings& settings, ports::FundingRails& rails) {
  if (settings.environment != domain::Environment::production || settings.funding.allow_simulated_rails) return;
  const auto names = simulated_rails(rails);
  if (names.empty()) return;
  throw StartError(
      fmt::format("plugins: {} {} simulated: settlements would count as funded although no money moves. Configure your "
                  "bank's rails in production, or set "
                  "funding.allow_simulated_rails: true for a trial.",
                  fmt::join(names, ", "), names.size() == 1 ? "is" : "are"));
}

usecases::ReconcileRailsOptions reconcile_options(const settings::Settings& settings) {
  usecases::ReconcileRailsOptions options;
  options.node = sender_name(settings);
  return options;
}

}  // namespace tideover::node
