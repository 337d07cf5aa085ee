// What the host of plugins is given - the configured plugins, services, budgets and limits - and what it reports of
// their calls.
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
  /// Under which name it runs; empty = the id that the plugin gives itself. Formats are found by it, and it lets one
  /// file serve twice with different settings. Unique within a kind.
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
  int unanswered = 0;          // calls that were given up and still run
  std::uint64_t failures = 0;  // since start
  std::string recent_failure;  // "search: nonsense" within the last minute, else empty
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
  /// Files that all formats together may read at once: each holds its caller for long. Further files are refused at
  /// once.
  int files_at_once = 16;
};

/// What one remittance file may hold. A request has these bounds; a command that reads an operator's own file need not.
struct FileLimits {
  std::size_t remittance_claims = domain::kMaxRemittanceClaims;
  std::size_t remittance_details = domain::kMaxRemittanceDetails;
};

}  // namespace tideover::plugin_host
