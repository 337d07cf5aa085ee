// Follows the rule folder: by inotify, and by periodic digests for file systems and renames that inotify misses.
// Changed files are read, compiled and tested, and the listener gets the result once.
//
// Threads: thread-safe; has its own thread, which the destructor ends.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "core/lua/ruleset/loader.hpp"

namespace tideover::lua {

struct WatcherOptions {
  std::filesystem::path folder;
  LoadOptions load;
  std::chrono::milliseconds quiet{100};  // pause after the last change, so that many saved files are one bundle
  std::chrono::milliseconds recheck{5000};
  /// The folder has changed since the last check, or was checked for the first time: a ruleset, or the faults that
  /// prevent one. Returning false repeats the call at the next check. On the watcher's thread.
  std::function<bool(const LoadResult&)> on_change;
  /// An exception of a check (no memory, for example); the next check follows. Must not throw.
  std::function<void(std::string_view problem)> on_trouble{};
};

class Watcher {
 public:
  /// Throws std::system_error when the system refuses the watch.
  explicit Watcher(WatcherOptions options);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Checks the folder now instead of at the next change (SIGHUP).
  void check_now();

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace tideover::lua
