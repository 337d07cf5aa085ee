// Follows the rule folder: inotify for speed, a periodic digest check for file systems and renames that inotify does
// not tell. What is saved there is read, compiled and tried, and told once; what becomes of it is its listener's
// business. Thread-safe; one thread of its own, ended by the destructor.
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
  std::chrono::milliseconds quiet{100};  // after the last change, so that a save of many files is one bundle
  std::chrono::milliseconds recheck{5000};
  /// The folder holds something else than at the last look, and at the first look whatever it holds: a ruleset, or the
  /// faults that keep it from being one. False: it could not be dealt with now, and is told again at the next look. On
  /// the watcher's thread.
  std::function<bool(const LoadResult&)> on_change;
  /// What a look at the folder threw (no memory, say); the next look comes. Must not throw.
  std::function<void(std::string_view problem)> on_trouble{};
};

class Watcher {
 public:
  /// Throws std::system_error when the system refuses the watch.
  explicit Watcher(WatcherOptions options);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Looks at the folder now instead of at the next change (SIGHUP).
  void check_now();

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace tideover::lua
