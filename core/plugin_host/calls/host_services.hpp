// Input of the plugin host - configured plugins, services, budgets and limits - and its reports about calls. Values.
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
  /// Name under which the plugin runs; empty = its own id. Formats are found by it, and one file can serve twice with
  /// different settings. Unique within a kind.
  std::string id;
  std::vector<std::pair<std::string, std::string>> config;
};

enum class LogLevel { debug, info, warning, error };

/// A plugin broke its contract. `what` is a fixed word for a metric label.
struct PluginFault {
  std::string kind;
  std::string id;
  std::string function;
  std::string what;  // failed | nonsense | threw | late | unanswered | refused
  std::string message;
  std::string request_id;  // empty outside of a request
  /// All faults of a plugin are counted, but not all are logged.
  bool is_logged = true;
  std::uint64_t left_out = 0;  // faults not logged since the last log line
};

struct CallCount {
  std::string_view function;
  std::uint64_t calls = 0;
  std::chrono::nanoseconds took{0};  // total waiting time of the callers
};

/// The state of one plugin, for operators.
struct PluginState {
  std::string kind;
  std::string id;
  bool takes_calls = true;
  int unanswered = 0;          // calls that exceeded their budget and still run
  std::uint64_t failures = 0;  // since start
  std::string recent_failure;  // "search: nonsense" within the last minute, else empty
  std::vector<CallCount> calls;
};

struct HostServices {
  const ports::Clock& clock;
  const ports::BankTime& bank_time;
  /// From any thread; must not throw. If empty, faults are not reported.
  std::function<void(LogLevel level, std::string_view plugin, std::string_view message)> log;
  /// From any thread; must not throw. If empty, calls are not counted.
  std::function<void(const PluginFault&)> on_fault;
  /// The request id of the calling thread; empty = none.
  std::function<std::string()> request_id = {};
};

/// How long a caller waits for a call. Calls of rails have their own budgets.
struct CallBudgets {
  /// Practically unlimited: for commands of operators, who can stop them.
  static constexpr std::chrono::milliseconds kNoDeadline = std::chrono::hours(24 * 365);

  std::chrono::milliseconds create{30'000};  // also for loading the library, `describe` and `systems`
  std::chrono::milliseconds destroy{5'000};
  std::chrono::milliseconds payer_lookup{1'000};
  /// How long the result of a lookup by id is reused; 0 = never.
  std::chrono::milliseconds payer_fresh{1'000};
  std::chrono::milliseconds plan{1'000};
  std::chrono::milliseconds import_record{5'000};
  std::chrono::milliseconds remittance_file{30'000};
  std::chrono::milliseconds deposit_file{30'000};
  /// Number of files that all formats together may read at once; each blocks its caller. Further files are refused at
  /// once.
  int files_at_once = 16;
};

/// Bounds of one remittance file. They apply to requests; a command that reads an operator's file may exceed them.
struct FileLimits {
  std::size_t remittance_claims = domain::kMaxRemittanceClaims;
  std::size_t remittance_details = domain::kMaxRemittanceDetails;
};

}  // namespace tideover::plugin_host
