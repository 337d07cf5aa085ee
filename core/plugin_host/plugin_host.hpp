// Loads the configured plugins and provides them to the use cases as ports. A plugin that fails a check stops the start
// with a message. A plugin that fails later fails only that call, is counted and named. Thread-safe after load.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/result.hpp"
#include "core/plugin_host/calls/host_services.hpp"
#include "core/ports/plugins/deposit_format.hpp"
#include "core/ports/plugins/funding_rail.hpp"
#include "core/ports/plugins/import_format.hpp"
#include "core/ports/plugins/payer_directory.hpp"
#include "core/ports/plugins/remittance_format.hpp"

namespace tideover::plugin_host {

/// A row of `tideover plugin list`.
struct PluginListing {
  std::string id;
  std::string kind;
  std::string name;
  std::string version;
  std::string abi;  // "1.0"
  std::string path;
  std::string sha256;
  std::vector<std::string> config_keys;
  std::vector<std::string_view> calls;  // its functions that are called during service
};

class PluginHost {
 public:
  /// In the order of `specs`. Error validation_error with a sentence for every plugin that fails: the file, what is
  /// wrong and the remedy. `services` and everything it refers to must outlive the host.
  static domain::Result<std::unique_ptr<PluginHost>> load(const std::vector<PluginSpec>& specs, HostServices services,
                                                          CallBudgets budgets = {}, FileLimits limits = {});
  ~PluginHost();
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  /// All payer directories as one, called in configured order.
  ports::PayerDirectory& payers();
  ports::FundingRails& rails();
  ports::ImportFormats& imports();
  ports::RemittanceFormats& remittances();
  ports::DepositFormats& deposits();
  std::vector<PluginListing> list() const;
  /// In configured order. Cheap; calls no plugin.
  std::vector<PluginState> states() const;
  /// Refuses further calls, waits briefly for those in progress, and calls `destroy` of each plugin without running
  /// calls, in reverse order of creation. Reports the plugins that were not destroyed. Called once; the destructor does
  /// the same.
  std::vector<std::string> close();
  /// For all hosts of this process. When true, the process must not end by returning from main, because destructors may
  /// wait for such a call.
  static bool has_abandoned_calls();

 private:
  struct Registry;
  explicit PluginHost(std::unique_ptr<Registry> registry);
  std::unique_ptr<Registry> registry_;
};

}  // namespace tideover::plugin_host
