// Follows the rule folder and publishes what is saved there: inotify for speed, a periodic digest check for file
// systems and renames that inotify does not tell. A bundle with any fault changes nothing: the last good one keeps
// serving and the faults can be read here. Thread-safe; one thread of its own, ended by the destructor.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/lua/engine.hpp"
#include "core/lua/loader.hpp"
#include "core/ports/clock.hpp"

namespace tideover::lua {

struct RulesStatus {
  domain::RulesStamp live;
  domain::Timestamp loaded_at;             // when the live bundle was published
  std::string candidate_sha256;            // of the bundle that was refused; "" when the folder holds the live one
  std::vector<RuleFileError> last_errors;  // why it was refused
};

/// One attempt to follow a change; `errors` is empty when it was published.
struct ReloadResult {
  bool published = false;
  RulesStatus status;
};

struct WatcherOptions {
  std::filesystem::path folder;
  LoadOptions load;
  std::chrono::milliseconds quiet{100};  // after the last change, so that a save of many files is one bundle
  std::chrono::milliseconds recheck{5000};
  std::function<void(const ReloadResult&)> on_reload;  // on the watcher's thread
  /// What a look at the folder threw (no memory, say); the rules stay and the next look comes. Must not throw.
  std::function<void(std::string_view problem)> on_trouble{};
};

class Watcher {
 public:
  /// `engine` and `clock` must outlive the watcher. Throws std::system_error when the system refuses the watch.
  Watcher(Engine& engine, ports::Clock& clock, WatcherOptions options);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  RulesStatus status() const;
  /// Looks at the folder now instead of at the next change (SIGHUP).
  void check_now();

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace tideover::lua
