// Input of the plugin host (configured plugins, services, budgets and limits) and its reports about calls.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/clock.hpp"
#include "core/ports/plugins/remittance_format.hpp"

namespace tideover::plugin_host {

/// One entry of the configuration.
struct PluginSpec {
  std::string path;
  std::string kind;  // payer_directory | funding_rail | import_format | remittance_format | deposit_format
  /// The id of the running plugin; empty = the plugin's own id. Formats are found by it, and one file can run twice
  /// with different settings. Unique within a kind.
  std::string id;
  std::vector<std::pair<std::string, std::string>> config;
};

enum class LogLevel { debug, info, warning, error };

/// A plugin violated its contract. `what` is a stable word for a metric label.
struct PluginFault {
  std::string kind;
  std::string id;
  std::string function;
  std::string what;  // failed | nonsense | threw | late | unanswered | refused
  std::string message;
  std::string request_id;  // empty outside of requests
  /// All faults of a plugin are counted, but not all are logged.
  bool is_logged = true;
  std::uint64_t left_out = 0;  // faults not logged since the last one
};

struct CallCount {
  std::string_view function;
  std::uint64_t calls = 0;
  std::chrono::nanoseconds took{0};  // total, as measured by the callers
};

/// The state of one plugin, for operators.
struct PluginState {
  std::string kind;
  std::string id;
  bool takes_calls = true;
  int unanswered = 0;          // abandoned calls that still run
  std::uint64_t failures = 0;  // since start
  std::string recent_failure;  // "search: nonsense" within the last minute, else empty
  std::vector<CallCount> calls;
};

struct HostServices {
  const ports::Clock& clock;
  const ports::BankTime& bank_time;
  /// Called from any thread; must not throw. Empty = ignored.
  std::function<void(LogLevel level, std::string_view plugin, std::string_view message)> log;
  /// Called from any thread; must not throw. Empty = not counted.
  std::function<void(const PluginFault&)> on_fault;
  /// The id of the current thread's request; empty = none.
  std::function<std::string()> request_id = {};
};

/// How long a caller waits before it abandons a call. Rail calls have their own budgets.
struct CallBudgets {
  /// Practically no limit: for commands of operators, who can stop them.
  static constexpr std::chrono::milliseconds kNoDeadline = std::chrono::hours(24 * 365);

  std::chrono::milliseconds create{30'000};  // also for loading the library, `describe` and `systems`
  std::chrono::milliseconds destroy{5'000};
  std::chrono::milliseconds payer_lookup{1'000};
  /// How long the result of a lookup by id is cached; 0 = no cache.
  std::chrono::milliseconds payer_fresh{1'000};
  std::chrono::milliseconds plan{1'000};
  std::chrono::milliseconds import_record{5'000};
  std::chrono::milliseconds remittance_file{30'000};
  std::chrono::milliseconds deposit_file{30'000};
  /// Files that all formats together may read at the same time, because each blocks its caller for long. Further files
  /// are refused at once.
  int files_at_once = 16;
};

/// Limits of one remittance file. They apply to requests; a command for an operator's own file may have others.
struct FileLimits {
  std::size_t remittance_claims = domain::kMaxRemittanceClaims;
  std::size_t remittance_details = domain::kMaxRemittanceDetails;
};

}  // namespace tideover::plugin_host
