// A loaded plugin, and one call of it. A call runs on a thread of a pool, so that its caller continues when the budget
// is spent: the call is then abandoned, never repeated, and its late answer is dropped. The call owns all data that the
// plugin reads or writes, and lives until the plugin has returned. A plugin with too many unanswered calls is not
// called any more.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "api/plugin/tideover/plugin.h"
#include "core/domain/basics/result.hpp"
#include "core/plugin_host/calls/call_threads.hpp"
#include "core/plugin_host/calls/host_services.hpp"
#include "core/plugin_host/calls/host_table.hpp"
#include "core/plugin_host/calls/lent_context.hpp"
#include "core/plugin_host/calls/rate_limit.hpp"

namespace tideover::plugin_host {

/// Number of calls of a function, and their total time.
class CallCounts {
 public:
  void add(const char* function, std::chrono::nanoseconds took);
  std::vector<CallCount> all() const;

 private:
  struct Count {
    std::atomic<const char*> function = nullptr;
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::int64_t> nanoseconds = 0;
  };
  std::array<Count, 8> counts_;  // no kind has more functions
};

/// An instance and its metadata. Shared with abandoned calls, so that it outlives them.
struct Plugin {
  Plugin(const HostServices& given, const PluginSpec& spec, const std::string& kind_name,
         const std::string& running_id);
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  /// "payer_directory 'file'"
  std::string label() const { return kind + " '" + id + "'"; }
  void count(const std::string& function, const std::string& what, const std::string& message,
             const std::string& request_id = "") const;
  /// False when it has too many unanswered calls, or the host is closing.
  bool takes_calls() const { return unanswered < most_unanswered && !is_closing; }
  /// The services may end: no more counting from here on.
  void retire() const;
  PluginState state() const;
  template <class Table>
  const Table& functions() const {
    return *static_cast<const Table*>(descriptor->functions);
  }

  std::shared_ptr<const HostServices> services;
  const std::string kind;
  const std::string id;
  const std::string path;
  const std::string crash_label;  // label and path
  std::string sha256;
  const int most_unanswered;
  HostTable host;
  const tideover_plugin_descriptor* descriptor = nullptr;
  void* instance = nullptr;

  mutable std::atomic<int> running = 0;     // calls that have not returned
  mutable std::atomic<int> unanswered = 0;  // calls among `running` whose caller has left
  mutable std::atomic<bool> is_closing = false;
  mutable CallCounts counts;

 private:
  mutable std::shared_mutex services_mutex_;
  mutable bool is_retired_ = false;  // guarded by services_mutex_
  mutable RateLimit fault_lines_;
  mutable std::mutex failure_mutex_;
  mutable std::uint64_t failures_ = 0;  // guarded by failure_mutex_, as the following members
  mutable std::string last_failure_;
  mutable std::chrono::steady_clock::time_point failed_at_{};
};

/// The reason that the plugin reported.
struct ReportedFault {
  tideover_fault_code code = TIDEOVER_FAULT_INTERNAL;
  std::string message;
  std::int64_t line = 0;
  std::int64_t segment = 0;
  std::int64_t byte = -1;
  std::vector<std::pair<std::string, std::string>> details;
};

/// The allowed answers of an ABI function, and how its faults appear to the client.
struct CallTerms {
  struct Fault {
    tideover_fault_code code = 0;
    domain::ErrorCode error{};
  };
  const char* function;
  bool may_not_find = false;  // TIDEOVER_NOT_FOUND is allowed
  bool may_end = false;       // TIDEOVER_END is allowed
  domain::ErrorCode otherwise = domain::ErrorCode::service_unavailable;
  /// Faults whose text the client sees, and faults of which it sees only the code (UNAVAILABLE, DEADLINE).
  std::array<Fault, 5> faults{};

  std::optional<domain::ErrorCode> error_of(tideover_fault_code code) const;
};

class PluginCall : public CallThreads::Job, public std::enable_shared_from_this<PluginCall> {
 public:
  PluginCall(std::shared_ptr<const Plugin> plugin, const CallTerms& terms, std::chrono::milliseconds budget);

  using Body = std::function<tideover_status(const tideover_call*)>;
  using Check = std::function<void(tideover_status)>;
  /// Runs `body`, which must own everything it uses. `check` then validates the output on the caller's thread, only if
  /// the plugin returned in time. Returns a status allowed by `terms`, or TIDEOVER_FAILED when any part of the call was
  /// wrong.
  tideover_status run(Body body, const Check& check = {});

  /// For sinks: `state` receives their data; it must live as long as `body`.
  void* context(void* state) {
    state_ = state;
    return context_.ctx();
  }
  template <class State>
  State& state() {
    return *static_cast<State*>(state_);
  }
  /// Copies lent data to memory where a plugin that keeps it does no harm.
  template <class Lent>
  const Lent* lend(const Lent& lent) {
    return context_.lend(lent);
  }

  /// The output violates the contract. Only the first report counts.
  void nonsense(const std::string& what) noexcept;
  /// Set when the plugin failed in an allowed way.
  const std::optional<ReportedFault>& reported() const { return reported_; }
  /// False if the call was refused or abandoned.
  bool returned() const { return lost_.empty(); }
  /// After FAILED: the error for the client.
  domain::Error error() const;
  /// The reason in one sentence, for operators.
  std::string reason() const;

 private:
  static void report(void* ctx, const tideover_fault* fault) noexcept;
  void work() override;
  void end(tideover_status status, std::string threw);
  tideover_status judge(const Check& check);
  tideover_status fail(const char* what);

  const std::shared_ptr<const Plugin> plugin_;
  const CallTerms& terms_;
  const std::chrono::milliseconds budget_;
  const std::string request_id_;
  const std::int64_t shift_ms_ = ports::TimeShift::current_ms();  // of the caller
  LentContext context_;
  void* state_ = nullptr;
  const tideover_call* lent_call_ = nullptr;
  Body body_;
  std::chrono::steady_clock::time_point asked_at_;
  std::optional<ReportedFault> reported_;
  std::string nonsense_;
  std::string lost_;  // why there is no answer

  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;  // guarded by mutex_, as the following members
  bool is_abandoned_ = false;
  tideover_status status_ = TIDEOVER_FAILED;
  std::string threw_;
  std::chrono::steady_clock::time_point over_at_;
};

/// The body of a function that a plugin is lent: runs `body(call)`, unless the call has ended. Never throws into the
/// plugin.
template <class Body>
void with_call(void* ctx, Body&& body) noexcept {
  try {
    const LentContext::Use use(ctx);
    auto* call = use.target<PluginCall>();
    if (!call) return;
    try {
      body(*call);
    } catch (const std::exception& error) {
      call->nonsense(error.what());
    }
  } catch (const std::exception&) {
    // Out of memory: the fault cannot even be counted.
  }
}

/// The same for a sink: `body(state, call)`.
template <class State, class Body>
void in_call(void* ctx, Body&& body) noexcept {
  with_call(ctx, [&](PluginCall& call) { body(call.state<State>(), call); });
}

}  // namespace tideover::plugin_host
