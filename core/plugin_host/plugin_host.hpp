// Loads the configured plugins and hands them to the use cases as ports. A plugin that fails a check stops start-up with
// a sentence; one that misbehaves later fails its one call, is counted and named. Thread-safe after load.
#pragma once
#include <chrono>
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
  std::string what;  // failed | nonsense | threw | late | unanswered
  std::string message;
};

struct HostServices {
  const ports::Clock& clock;
  const ports::BankTime& bank_time;
  /// From any thread; must not throw. Empty = dropped.
  std::function<void(LogLevel level, std::string_view plugin, std::string_view message)> log;
  /// From any thread; must not throw. Empty = not counted.
  std::function<void(const PluginFault&)> on_fault;
};

/// How long a call may take before it counts as a fault. Rail calls bring their own.
struct CallBudgets {
  std::chrono::milliseconds create{30'000};
  std::chrono::milliseconds payer_lookup{250};
  std::chrono::milliseconds plan{250};
  std::chrono::milliseconds import_record{5'000};
  std::chrono::milliseconds remittance_file{30'000};
  std::chrono::milliseconds deposit_file{30'000};
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

 private:
  struct Registry;
  explicit PluginHost(std::unique_ptr<Registry> registry);
  std::unique_ptr<Registry> registry_;
};

}  // namespace tideover::plugin_host
