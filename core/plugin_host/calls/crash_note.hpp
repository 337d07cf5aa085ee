// Which plugin a thread is in, so that a crash and an exit name it: one line on standard error before the process ends
// as it would have. A plugin that ends the process itself (exit, _exit, quick_exit) ends it with status 70, never with
// 0.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace tideover::plugin_host {

/// The exit status of a process that one of its plugins ended.
inline constexpr int kEndedByPlugin = 70;

/// While it lives, its thread is in `plugin`, doing `phase`. Both texts must outlive it.
class CrashNote {
 public:
  CrashNote(const char* plugin, const char* phase);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
};

/// Room on which the handler runs where the thread's own stack is used up. One per thread of calls.
class CrashStack {
 public:
  CrashStack();
  ~CrashStack();
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;

 private:
  static constexpr std::size_t kSize = 64 * 1024;
  std::unique_ptr<std::array<std::byte, kSize>> room_;
};

/// Once per process; further calls do nothing.
void name_plugins_on_crash();
/// The code of a loaded library, by its handle of dlopen: names the plugin on threads that it started itself.
void note_code_of(const std::string& label, void* handle);

}  // namespace tideover::plugin_host
