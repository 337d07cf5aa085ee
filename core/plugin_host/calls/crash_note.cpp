#include "core/plugin_host/calls/crash_note.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

// The code from here to the handlers runs in signal handlers: no allocation, no lock, no stdio.
namespace tideover::plugin_host {
namespace {

struct Signal {
  int number;
  const char* name;
};
constexpr std::array<Signal, 5> kSignals{
    {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}}};
std::array<struct sigaction, kSignals.size()> previous{};

struct Here {
  const char* plugin = nullptr;
  const char* phase = nullptr;
};
thread_local Here here;

struct Code {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::array<char, 160> label{};
};
constexpr std::size_t kMostCode = 256;
std::array<Code, kMostCode> code;
std::atomic<std::size_t> code_count = 0;

const char* plugin_at(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto count = code_count.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i)
    if (code[i].begin <= at && at < code[i].end) return code[i].label.data();
  return nullptr;
}

/// The plugin of this thread, by its note or by the code on its stack.
Here plugin_here() {
  if (here.plugin) return here;
  std::array<void*, 64> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i)
    if (const char* label = plugin_at(frames[static_cast<std::size_t>(i)])) return {label, "a thread of its own"};
  return {};
}

class Line {
 public:
  Line& operator<<(const char* text) {
    const auto length = std::min(std::strlen(text), text_.size() - used_);
    std::memcpy(text_.data() + used_, text, length);
    used_ += length;
    return *this;
  }
  void write() const { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text_.data(), used_); }

 private:
  std::array<char, 512> text_{};
  std::size_t used_ = 0;
};

[[noreturn]] void end(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

void on_crash(int number, siginfo_t*, void*) {
  const auto at = static_cast<std::size_t>(
      std::find_if(kSignals.begin(), kSignals.end(), [&](const Signal& s) { return s.number == number; }) -
      kSignals.begin());
  ::sigaction(number, &previous[at], nullptr);
  if (const Here found = plugin_here(); found.plugin) {
    Line line;
    line << "tideover: plugin " << found.plugin << " crashed with " << kSignals[at].name << " in " << found.phase
         << ". The process ends. Remove the plugin from the configuration or replace it.\n";
    line.write();
  }
  ::raise(number);  // pending until this handler returns
}

/// Returns when no plugin requested the exit.
void name_who_ends(const char* function) {
  const Here found = plugin_here();
  if (!found.plugin) return;
  Line line;
  line << "tideover: plugin " << found.plugin << " ended the process with " << function << " in " << found.phase
       << ", which plugins must not do. Remove it from the configuration or replace it.\n";
  line.write();
  end(kEndedByPlugin);
}

}  // namespace

CrashNote::CrashNote(const char* plugin, const char* phase) {
  here = {plugin, phase};
}
CrashNote::~CrashNote() {
  here = {};
}

CrashStack::CrashStack() : stack_(std::make_unique<std::array<std::byte, kSize>>()) {
  stack_t stack{};
  stack.ss_sp = stack_->data();
  stack.ss_size = stack_->size();
  ::sigaltstack(&stack, nullptr);
}

CrashStack::~CrashStack() {
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  ::sigaltstack(&stack, nullptr);
}

void name_plugins_on_crash() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::array<void*, 1> first{};
    ::backtrace(first.data(), 1);  // loads libraries that a handler cannot load
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction action {};
      action.sa_sigaction = &on_crash;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK;
      ::sigaction(kSignals[i].number, &action, &previous[i]);
    }
    std::atexit([] { name_who_ends("exit"); });
    std::at_quick_exit([] { name_who_ends("quick_exit"); });
  });
}

void note_code_of(const std::string& label, void* handle) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> guard(mutex);
  link_map* map = nullptr;
  if (code_count == kMostCode || ::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return;
  Code& added = code[code_count];
  std::strncpy(added.label.data(), label.c_str(), added.label.size() - 1);
  struct Search {
    const link_map* map;
    Code& code;
  } search{map, added};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* context) {
        auto& wanted = *static_cast<Search*>(context);
        if (info->dlpi_addr != wanted.map->l_addr || std::strcmp(info->dlpi_name, wanted.map->l_name) != 0) return 0;
        for (std::size_t i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            wanted.code.begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            wanted.code.end = wanted.code.begin + info->dlpi_phdr[i].p_memsz;
          }
        return 1;
      },
      &search);
  code_count.fetch_add(1, std::memory_order_release);
}

}  // namespace tideover::plugin_host

// The executable's _exit takes precedence over that of the C library, for plugins too: otherwise a static constructor
// that calls _exit(0) would end a start with success and without a message. That they do not return is declared by the
// C library; clang refuses to repeat it in another form.
extern "C" {
// NOLINTNEXTLINE(bugprone-reserved-identifier)
void _exit(int status) {
  tideover::plugin_host::name_who_ends("_exit");
  tideover::plugin_host::end(status);
}
// NOLINTNEXTLINE(bugprone-reserved-identifier)
void _Exit(int status) noexcept {
  tideover::plugin_host::name_who_ends("_Exit");
  tideover::plugin_host::end(status);
}
}
