// Watches the rule folder: inotify for speed, a periodic digest check for file systems and renames that inotify does
// not report. A change is read, compiled and tested, and reported once; the listener decides what to do with it.
// Thread-safe; has its own thread, which the destructor ends.
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
  std::chrono::milliseconds quiet{100};  // after the last change, so that saving many files gives one bundle
  std::chrono::milliseconds recheck{5000};
  /// Called when the content of the folder has changed, and for the first content: a ruleset, or the faults of the
  /// folder. Returning false means that it could not be handled; it is reported again at the next check. Runs on the
  /// watcher's thread.
  std::function<bool(const LoadResult&)> on_change;
  /// Reports an exception of a check (such as out of memory); the next check follows. Must not throw.
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
