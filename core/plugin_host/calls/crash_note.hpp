// Records which plugin a thread executes, so that a crash or an exit names it: one line on standard error before the
// process ends. A plugin that ends the process itself (exit, _exit, quick_exit) ends it with status 70, never with 0.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace tideover::plugin_host {

/// The exit status of a process that was ended by a plugin.
inline constexpr int kEndedByPlugin = 70;

/// During its lifetime, its thread executes `phase` of `plugin`. Both texts must outlive it.
class CrashNote {
 public:
  CrashNote(const char* plugin, const char* phase);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
};

/// Stack for the handler when the thread's own stack is exhausted. One per call thread.
class CrashStack {
 public:
  CrashStack();
  ~CrashStack();
  CrashStack(const CrashStack&) = delete;
  CrashStack& operator=(const CrashStack&) = delete;

 private:
  static constexpr std::size_t kSize = std::size_t{64} * 1024;
  std::unique_ptr<std::array<std::byte, kSize>> stack_;
};

/// Once per process; further calls have no effect.
void name_plugins_on_crash();
/// Registers the code of a loaded library by its dlopen handle, to identify the plugin on its own threads.
void note_code_of(const std::string& label, void* handle);

}  // namespace tideover::plugin_host
