#include "tests/fault/driver/system_calls.hpp"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>

namespace tideover::fault {
namespace {

constexpr int kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
constexpr int kSystemCallStop = SIGTRAP | 0x80;

long trace(__ptrace_request request, pid_t thread, int data) {
  return ::ptrace(request, thread, nullptr, static_cast<std::intptr_t>(data));
}

bool enters_a_call(pid_t thread) {
  __ptrace_syscall_info info{};
  return ::ptrace(PTRACE_GET_SYSCALL_INFO, thread, reinterpret_cast<void*>(sizeof info), &info) > 0 &&
         info.op == PTRACE_SYSCALL_INFO_ENTRY;
}

/// Every thread of a process that is stopped as a whole.
void seize_all(pid_t process) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    const pid_t thread = std::stoi(entry.path().filename().string());
    if (trace(PTRACE_SEIZE, thread, kOptions) != 0)
      throw std::runtime_error(std::string("cannot trace a child: ") + std::strerror(errno));
  }
}

}  // namespace

void mark_system_calls() {
  ::raise(SIGSTOP);
}

TracedEnd run_until_system_call(long n, const std::function<std::string()>& work) {
  Child child({}, work);
  if (!child.wait_until_stopped()) throw std::runtime_error("the child ended before its mark");
  seize_all(child.pid());
  ::kill(child.pid(), SIGCONT);
  TracedEnd traced;
  bool killed = false;
  for (;;) {
    int status = 0;
    const pid_t thread = ::waitpid(-1, &status, __WALL);
    if (thread < 0) throw std::runtime_error("waitpid() failed for a traced child");
    if (thread == child.pid() && (WIFEXITED(status) || WIFSIGNALED(status))) {
      traced.end = child.end_with(status);
      return traced;
    }
    if (!WIFSTOPPED(status)) continue;  // one of its threads is gone
    const int signal = WSTOPSIG(status), event = status >> 16;
    if (signal == kSystemCallStop) {
      if (!killed && enters_a_call(thread) && ++traced.calls == n) {
        ::kill(child.pid(), SIGKILL);
        killed = true;
      }
      trace(PTRACE_SYSCALL, thread, 0);
    } else {
      // Stops of the tracing itself are no signals for the thread.
      trace(PTRACE_SYSCALL, thread, event != 0 || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
    }
  }
}

}  // namespace tideover::fault
