// Whether this process should receive traffic. Each part reports changes of its own state. A request checks nothing, so
// that a health check is fast and cannot hang. Thread-safe.
#pragma once
#include <array>
#include <mutex>
#include <string>
#include <string_view>

namespace tideover::ops {

enum class Check { store, rules, rails, webhooks, plugins };
inline constexpr std::size_t kCheckCount = 5;
std::string_view name_of(Check check);

struct CheckState {
  bool ok = false;
  std::string detail = "starting";  // for operators; may be set while ok, e.g. "serving the last valid rules: ..."
};

class Readiness {
 public:
  struct Snapshot {
    std::array<CheckState, kCheckCount> checks;  // indexed by Check
    bool draining = false;

    const CheckState& of(Check check) const { return checks[static_cast<std::size_t>(check)]; }
    bool ready() const;
  };

  void report(Check check, bool ok, std::string detail = "");
  /// Not ready from now on, independent of later reports: the process is stopping.
  void start_draining();
  Snapshot snapshot() const;

 private:
  mutable std::mutex mutex_;
  Snapshot state_;
};

}  // namespace tideover::ops
