// From settings to the parts that every subcommand shares. Each function ends the command with a sentence when it
// fails.
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

/// Why the program does not start: printed as it stands, exit code 1.
struct StartError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What passes without a change on this machine: `serve` waits for it, other commands end with it like with any
/// StartError.
struct NotYet : StartError {
  enum class Cause {
    in_use,      // another process still holds what one process may hold; it may be ending
    unreachable  // the database does not answer, or has no space
  };
  NotYet(Cause why, const std::string& sentence) : StartError(sentence), cause(why) {}
  Cause cause;
};

/// Ends the command with the error of a store or journal; as NotYet where it says that the same works later.
[[noreturn]] void refuse_start(const domain::Error& error);

/// The service's log. Where its file cannot be opened it goes to standard error, with an error line that says so, until
/// it is reopened.
ops::Logger open_log(const settings::LogSettings& log);
settings::Settings load_settings(const std::optional<std::filesystem::path>& config_file);
/// Makes a key ring where there is none, unless the database has values that only a lost one opens.
crypto::KeyRing open_key_ring(const settings::Settings& settings);
/// Throws where the key ring is gone that the database needs.
void refuse_lost_key_ring(const settings::Settings& settings);
/// Of what was encrypted before: a new ring would be of no use.
crypto::KeyRing open_existing_key_ring(const settings::Settings& settings);
/// What this process is called among those that share the database.
std::string node_name(const settings::Settings& settings);
store::StoreOptions store_options(const settings::Settings& settings);
/// Throws where an embedded store has not been made yet.
void refuse_absent_store(const settings::Settings& settings);
std::unique_ptr<store::SqlStore> open_store(const store::StoreOptions& options, const ports::EventEncoder& encoder,
                                            const ports::FieldCipher& cipher);
std::unique_ptr<journal::FileJournal> open_journal(const settings::Settings& settings, const ports::Clock& clock);
/// As whom this node sends over rails: its name, or empty where the database is this process's own.
std::string sender_name(const settings::Settings& settings);
/// Where the heads of the hash chains are noted, under a key of the ring.
std::unique_ptr<store::CheckpointFile> open_checkpoints(const settings::Settings& settings,
                                                        const crypto::KeyRing& keys);
std::vector<domain::ReasonCode> load_reason_codes(const settings::Settings& settings);
/// The same, or, where the file has errors, those of the last start that could use it; `problem` is then set, and the
/// copy is kept beside the rail journal.
std::vector<domain::ReasonCode> usable_reason_codes(const settings::Settings& settings, std::string& problem);
/// Keeps a copy of the file that was just used. Throws std::filesystem::filesystem_error.
void keep_reason_codes(const settings::Settings& settings);
lua::LoadOptions rule_options(const settings::Settings& settings, const std::vector<domain::ReasonCode>& reason_codes);
/// What bounds every proposal of the rules.
domain::TermsLimits terms_limits(const settings::Settings& settings);
plugin_host::CallBudgets start_budgets(const settings::Settings& settings);
std::vector<plugin_host::PluginSpec> plugin_specs(const settings::Settings& settings);
std::unique_ptr<plugin_host::PluginHost> load_plugins(const settings::Settings& settings,
                                                      plugin_host::HostServices services);
std::unique_ptr<plugin_host::PluginHost> load_plugins(const settings::Settings& settings,
                                                      plugin_host::HostServices services,
                                                      plugin_host::CallBudgets budgets,
                                                      plugin_host::FileLimits limits = {});
/// The names of the rails that move no money.
std::vector<std::string> simulated_rails(ports::FundingRails& rails);
/// Throws where production would fund over such rails without the operator's permission.
void refuse_simulated_rails(const settings::Settings& settings, ports::FundingRails& rails);
/// How far back payments are compared with the rails' statements unless somebody says otherwise: longer than any return
/// window.
inline constexpr int kReconcileDays = 7;
usecases::ReconcileRailsOptions reconcile_options(const settings::Settings& settings);

}  // namespace tideover::main
