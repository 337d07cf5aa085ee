// One loaded plugin, and one call into it: what it reported, what it returned, how long it took, and whether any of that
// is nonsense. A call belongs to one thread; plugins are shared.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/plugin/tideover/plugin.h"
#include "core/domain/result.hpp"
#include "core/plugin_host/host_table.hpp"
#include "core/plugin_host/plugin_host.hpp"

namespace tideover::plugin_host {

/// An instance and what is known about it. Shared with calls that were abandoned, so that it outlives them.
struct Plugin {
  Plugin(const HostServices& given, const std::string& kind_name, const std::string& running_id);
  ~Plugin();
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  /// "payer_directory 'file'"
  std::string label() const { return kind + " '" + id + "'"; }
  void count(const std::string& function, const std::string& what, const std::string& message) const;
  template <class Table>
  const Table& functions() const {
    return *static_cast<const Table*>(descriptor->functions);
  }

  std::shared_ptr<const HostServices> services;
  std::string kind;
  std::string id;
  std::string path;
  std::string sha256;
  HostTable host;
  const tideover_plugin_descriptor* descriptor = nullptr;
  void* instance = nullptr;
};

/// What the plugin said about its failure.
struct ReportedFault {
  tideover_fault_code code = TIDEOVER_FAULT_INTERNAL;
  std::string message;
  std::int64_t line = 0;
  std::int64_t segment = 0;
  std::int64_t byte = -1;
  std::vector<std::pair<std::string, std::string>> details;
};

class PluginCall {
 public:
  /// `asked_at` is when the caller began to wait: lateness counts from there, wherever the call runs.
  PluginCall(const Plugin& plugin, const char* function, std::chrono::milliseconds budget,
             std::chrono::steady_clock::time_point asked_at = std::chrono::steady_clock::now());
  PluginCall(const PluginCall&) = delete;  // the plugin holds a pointer to it
  PluginCall& operator=(const PluginCall&) = delete;

  /// Runs `body(const tideover_call*)`; whatever happens is in the other functions afterwards. Returns a known status, or
  /// TIDEOVER_FAILED when anything about the call was wrong.
  tideover_status run(const std::function<tideover_status(const tideover_call*)>& body);

  /// For sinks: what came over is not what the contract promises. Only the first counts.
  void nonsense(const std::string& what) noexcept;
  /// Set when the plugin failed in the way that it may.
  const std::optional<ReportedFault>& reported() const { return reported_; }
  /// After FAILED: the client's error. `codes` maps fault codes; anything else, and nonsense, becomes `otherwise`.
  domain::Error error(const std::vector<std::pair<tideover_fault_code, domain::ErrorCode>>& codes,
                      domain::ErrorCode otherwise) const;
  /// Why it failed, in one sentence.
  std::string reason() const;

 private:
  static void report(void* ctx, const tideover_fault* fault) noexcept;

  const Plugin& plugin_;
  const char* function_;
  std::chrono::milliseconds budget_;
  std::chrono::steady_clock::time_point asked_at_;
  std::optional<ReportedFault> reported_;
  std::string nonsense_;
};

/// Runs the body of a sink: nothing is thrown into the plugin.
template <class Body>
void guard_sink(PluginCall& call, Body&& body) noexcept {
  try {
    body();
  } catch (const std::exception& error) {
    call.nonsense(error.what());
  }
}

}  // namespace tideover::plugin_host
