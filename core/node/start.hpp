// Opens the parts that every subcommand shares, from the settings. Each function throws a StartError with a sentence.
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

/// Why the program does not start: printed unchanged, exit code 1.
struct StartError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A StartError that may pass without a change on this machine: `serve` waits for it, other commands end with it.
struct NotYet : StartError {
  enum class Cause {
    in_use,      // another process has a resource that only one process may have; it may be ending
    unreachable  // the database does not answer, or its disk is full
  };
  NotYet(Cause why, const std::string& sentence) : StartError(sentence), cause(why) {}
  Cause cause;
};

/// Ends the command with the error of a store or journal; as NotYet if a later start may succeed.
[[noreturn]] void refuse_start(const domain::Error& error);

/// The log of the service. If its file cannot be opened, it writes to standard error, with an error line about it,
/// until it is reopened.
ops::Logger open_log(const settings::LogSettings& log);
settings::Settings load_settings(const std::optional<std::filesystem::path>& config_file);
/// Creates a missing key ring, unless the database has values that only the lost ring can decrypt.
crypto::KeyRing open_key_ring(const settings::Settings& settings);
/// Throws if the key ring that the database needs is missing.
void refuse_lost_key_ring(const settings::Settings& settings);
/// For existing encrypted data; never creates a ring.
crypto::KeyRing open_existing_key_ring(const settings::Settings& settings);
/// The name of this process among those that share the database.
std::string node_name(const settings::Settings& settings);
store::StoreOptions store_options(const settings::Settings& settings);
/// Throws if an embedded store does not exist yet.
void refuse_absent_store(const settings::Settings& settings);
std::unique_ptr<store::SqlStore> open_store(const store::StoreOptions& options, const ports::EventEncoder& encoder,
                                            const ports::FieldCipher& cipher);
std::unique_ptr<journal::FileJournal> open_journal(const settings::Settings& settings, const ports::Clock& clock);
/// The node name under which this process sends over rails; empty if the database belongs to this process only.
std::string sender_name(const settings::Settings& settings);
/// The file for the heads of the hash chains, signed with a key of the ring.
std::unique_ptr<store::CheckpointFile> open_checkpoints(const settings::Settings& settings,
                                                        const crypto::KeyRing& keys);
std::vector<domain::ReasonCode> load_reason_codes(const settings::Settings& settings);
/// As load_reason_codes(). If the file has errors, the codes of the last successful start; `problem` is then set.
/// Their copy is stored next to the rail journal.
std::vector<domain::ReasonCode> usable_reason_codes(const settings::Settings& settings, std::string& problem);
/// Stores a copy of the file after it was used. Throws std::filesystem::filesystem_error.
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
/// The names of the rails that move no money.
std::vector<std::string> simulated_rails(ports::FundingRails& rails);
/// Throws if production would fund over such rails without the operator's permission.
void refuse_simulated_rails(const settings::Settings& settings, ports::FundingRails& rails);
/// Default period for comparing payments with the rails' statements, in days: longer than any return period.
inline constexpr int kReconcileDays = 7;
usecases::ReconcileRailsOptions reconcile_options(const settings::Settings& settings);

}  // namespace tideover::main
