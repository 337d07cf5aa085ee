// Creates from the settings the parts that every subcommand needs. Each function ends the command with a sentence on
// failure. The parts are declared only: a caller includes the headers of those that it uses.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/node/start_error.hpp"

namespace tideover::domain {
struct Error;
struct ReasonCode;
struct TermsLimits;
}  // namespace tideover::domain

namespace tideover::ports {
class Clock;
class EventEncoder;
class FieldCipher;
class FundingRails;
}  // namespace tideover::ports

namespace tideover::usecases {
struct ReconcileRailsOptions;
}

namespace tideover::crypto {
class KeyRing;
}

namespace tideover::journal {
class FileJournal;
}

namespace tideover::lua {
struct LoadOptions;
}

namespace tideover::ops {
class Logger;
}

namespace tideover::plugin_host {
class PluginHost;
struct CallBudgets;
struct FileLimits;
struct HostServices;
struct PluginSpec;
}  // namespace tideover::plugin_host

namespace tideover::settings {
struct LogSettings;
struct Settings;
}  // namespace tideover::settings

namespace tideover::store {
class CheckpointFile;
class SqlStore;
struct StoreOptions;
}  // namespace tideover::store

namespace tideover::node {

/// Ends the command with the error of a store or journal; as NotYet when the same may work later.
[[noreturn]] void refuse_start(const domain::Error& error);

/// The service's log. If its file cannot be opened, the log goes to standard error until it is reopened, and an error
/// line says so.
ops::Logger open_log(const settings::LogSettings& log);
settings::Settings load_settings(const std::optional<std::filesystem::path>& config_file);
/// Creates a missing key ring, unless the database has values that only the lost one decrypts.
crypto::KeyRing open_key_ring(const settings::Settings& settings);
/// Throws when the database needs a key ring that does not exist.
void refuse_lost_key_ring(const settings::Settings& settings);
/// For values encrypted earlier: a new key ring would be useless.
crypto::KeyRing open_existing_key_ring(const settings::Settings& settings);
/// The name of this process among those that share the database.
std::string node_name(const settings::Settings& settings);
store::StoreOptions store_options(const settings::Settings& settings);
/// Throws when an embedded store does not exist yet.
void refuse_absent_store(const settings::Settings& settings);
std::unique_ptr<store::SqlStore> open_store(const store::StoreOptions& options, const ports::EventEncoder& encoder,
                                            const ports::FieldCipher& cipher);
std::unique_ptr<journal::FileJournal> open_journal(const settings::Settings& settings, const ports::Clock& clock);
/// The name under which this node sends over rails; empty when no other process shares the database.
std::string sender_name(const settings::Settings& settings);
/// The file for the heads of the hash chains, signed with a key of the key ring.
std::unique_ptr<store::CheckpointFile> open_checkpoints(const settings::Settings& settings,
                                                        const crypto::KeyRing& keys);
std::vector<domain::ReasonCode> load_reason_codes(const settings::Settings& settings);
/// The reason codes of the file. If it has errors: those of the last successful start, from a copy next to the rail
/// journal; `problem` is then set.
std::vector<domain::ReasonCode> usable_reason_codes(const settings::Settings& settings, std::string& problem);
/// Copies the file that was just used. Throws std::filesystem::filesystem_error.
void keep_reason_codes(const settings::Settings& settings);
lua::LoadOptions rule_options(const settings::Settings& settings, const std::vector<domain::ReasonCode>& reason_codes);
/// The limits for every proposal of the rules.
domain::TermsLimits terms_limits(const settings::Settings& settings);
plugin_host::CallBudgets start_budgets(const settings::Settings& settings);
std::vector<plugin_host::PluginSpec> plugin_specs(const settings::Settings& settings);
std::unique_ptr<plugin_host::PluginHost> load_plugins(const settings::Settings& settings,
                                                      plugin_host::HostServices services);
std::unique_ptr<plugin_host::PluginHost> load_plugins(const settings::Settings& settings,
                                                      plugin_host::HostServices services,
                                                      plugin_host::CallBudgets budgets, plugin_host::FileLimits limits);
/// The names of the rails that do not move money.
std::vector<std::string> simulated_rails(ports::FundingRails& rails);
/// Throws when the database of a production service has clocks of sandbox tenants, which change when things are due.
void refuse_sandbox_clocks(const settings::Settings& settings, store::SqlStore& store);
/// Throws when a production service would use such rails without the operator's permission.
void refuse_simulated_rails(const settings::Settings& settings, ports::FundingRails& rails);
/// Default period for the comparison of payments with rail statements: longer than any return window.
inline constexpr int kReconcileDays = 7;
usecases::ReconcileRailsOptions reconcile_options(const settings::Settings& settings);

}  // namespace tideover::node
