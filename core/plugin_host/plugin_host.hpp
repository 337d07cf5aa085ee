// Loads the configured plugins and hands them to the use cases as ports. A plugin that fails a check stops start-up with
// a sentence; one that misbehaves later fails its one call, is counted and named. Thread-safe after load.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/result.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/deposit_format.hpp"
#include "core/ports/funding_rail.hpp"
#include "core/ports/import_format.hpp"
#include "core/ports/payer_directory.hpp"
#include "core/ports/remittance_format.hpp"

namespace tideover::plugin_host {

/// One entry of the configuration.
struct PluginSpec {
  std::string path;
  std::string kind;  // payer_directory | funding_rail | import_format | remittance_format | deposit_format
  /// Under which name it runs; empty = the id that the plugin gives itself. Formats are found by it, and it lets one file
  /// serve twice with different settings. Unique within a kind.
  std::string id;
  std::vector<std::pair<std::string, std::string>> config;
};

enum class LogLevel { debug, info, warning, error };

/// A plugin broke its contract. `what` is a stable word for a metric label.
struct PluginFault {
  std::string kind;
  std::string id;
  std::string function;
  std::string what;  // failed | nonsense | threw | late | unanswered | refused
  std::string message;
  std::string request_id;  // empty outside of requests
  /// Faults of one plugin are all counted, but not all written to the log.
  bool is_logged = true;
  std::uint64_t left_out = 0;  // that were not logged since the last one
};

struct CallCount {
  std::string_view function;
  std::uint64_t calls = 0;
  std::chrono::nanoseconds took{0};  // in all, as the callers waited
};

/// How one plugin does, for operators.
struct PluginState {
  std::string kind;
  std::string id;
  bool takes_calls = true;
  int unanswered = 0;         // calls that were given up and still run
  std::uint64_t failures = 0; // since start
  std::string recent_failure; // "search: nonsense" within the last minute, else empty
  std::vector<CallCount> calls;
};

struct HostServices {
  const ports::Clock& clock;
  const ports::BankTime& bank_time;
  /// From any thread; must not throw. Empty = dropped.
  std::function<void(LogLevel level, std::string_view plugin, std::string_view message)> log;
  /// From any thread; must not throw. Empty = not counted.
  std::function<void(const PluginFault&)> on_fault;
  /// Of the request that the calling thread works on; empty = there is none.
  std::function<std::string()> request_id = {};
};

/// How long a caller waits before it gives a call up. Rail calls bring their own.
struct CallBudgets {
  /// As good as none: for commands of operators, who can stop them.
  static constexpr std::chrono::milliseconds kNoDeadline = std::chrono::hours(24 * 365);

  std::chrono::milliseconds create{30'000};  // also of loading the library, `describe` and `systems`
  std::chrono::milliseconds destroy{5'000};
  std::chrono::milliseconds payer_lookup{1'000};
  /// For how long the answer of a lookup by id is used again; 0 = each lookup asks.
  std::chrono::milliseconds payer_fresh{1'000};
  std::chrono::milliseconds plan{1'000};
  std::chrono::milliseconds import_record{5'000};
  std::chrono::milliseconds remittance_file{30'000};
  std::chrono::milliseconds deposit_file{30'000};
  /// Files that all formats together may read at once: each holds its caller for long. Further files are refused at once.
  int files_at_once = 16;
};

/// What one remittance file may hold. A request has these bounds; a command that reads an operator's own file need not.
struct FileLimits {
  std::size_t remittance_claims = domain::kMaxRemittanceClaims;
  std::size_t remittance_details = domain::kMaxRemittanceDetails;
};

/// A line of `tideover plugin list`.
struct PluginListing {
  std::string id;
  std::string kind;
  std::string name;
  std::string version;
  std::string abi;  // "1.0"
  std::string path;
  std::string sha256;
  std::vector<std::string> config_keys;
  std::vector<std::string_view> calls;  // what it is asked for while it serves
};

class PluginHost {
 public:
  /// In the order of `specs`. Error validation_error with a sentence for every plugin that fails, which names the file,
  /// what is wrong and the remedy. `services` and what they refer to must outlive the host.
  static domain::Result<std::unique_ptr<PluginHost>> load(const std::vector<PluginSpec>& specs, HostServices services,
                                                          CallBudgets budgets = {}, FileLimits limits = {});
  ~PluginHost();
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  /// All payer directories as one, asked in configured order.
  ports::PayerDirectory& payers();
  ports::FundingRails& rails();
  ports::ImportFormats& imports();
  ports::RemittanceFormats& remittances();
  ports::DepositFormats& deposits();
  std::vector<PluginListing> list() const;
  /// In configured order. Cheap; asks no plugin.
  std::vector<PluginState> states() const;
  /// Takes no call any more, waits a moment for those under way, and calls `destroy` of each plugin that has none left, in reverse order
  /// of creation. Says which plugins were left as they are. Called once; the destructor does the same.
  std::vector<std::string> close();
  /// Of any host of this process: then it cannot end by returning from main, because destructors may wait for such a call.
  static bool has_abandoned_calls();

 private:
  struct Registry;
  explicit PluginHost(std::unique_ptr<Registry> registry);
  std::unique_ptr<Registry> registry_;
};

}  // namespace tideover::plugin_host
