// Creates from the settings the parts that every subcommand needs. Each function ends the command with a sentence on
// failure.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/clock/new_york_time.hpp"
#include "core/clock/system_clock.hpp"
#include "core/clock/ulid_source.hpp"
#include "core/crypto/key_ring.hpp"
#include "core/crypto/lasting_digest.hpp"
#include "core/crypto/ring_cipher.hpp"
#include "core/crypto/ring_credentials.hpp"
#include "core/domain/claims/reason_code.hpp"
#include "core/domain/funding/terms.hpp"
#include "core/http/wire/operations/event_json.hpp"
#include "core/journal/file_journal.hpp"
#include "core/lua/engine/engine.hpp"
#include "core/lua/ruleset/loader.hpp"
#include "core/ops/log.hpp"
#include "core/plugin_host/plugin_host.hpp"
#include "core/settings/settings.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/store/sql_store.hpp"
#include "core/usecases/funding/reconcile_rails.hpp"

namespace tideover::main {

/// A reason why the program does not start. It is printed as it is; exit code 1.
struct StartError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A condition that can pass without a change on this machine: `serve` waits for it, other commands end as with any
/// StartError.
struct NotYet : StartError {
  enum class Cause {
    in_use,      // another process, perhaps one that is ending, holds an exclusive resource
    unreachable  // the database does not answer, or has no space
  };
  NotYet(Cause why, const std::string& sentence) : StartError(sentence), cause(why) {}
  Cause cause;
};

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
                                                      plugin_host::CallBudgets budgets,
                                                      plugin_host::FileLimits limits = {});
/// The names of the rails that do not move money.
std::vector<std::string> simulated_rails(ports::FundingRails& rails);
/// Throws when a production service would use such rails without the operator's permission.
void refuse_simulated_rails(const settings::Settings& settings, ports::FundingRails& rails);
/// Default period for the comparison of payments with rail statements: longer than any return window.
inline constexpr int kReconcileDays = 7;
usecases::ReconcileRailsOptions reconcile_options(const settings::Settings& settings);

}  // namespace tideover::main
