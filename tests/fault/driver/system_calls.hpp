// Kills a child at its n-th system call from a mark on, counted over all its threads in the order in which the kernel
// takes them (strace counts each thread for itself, and would never reach the short-lived ones). Linux, x86-64 and
// AArch64.
#pragma once
#include <functional>
#include <string>

#include "tests/fault/driver/child.hpp"

namespace tideover::fault {

/// Called by the child: from here on its system calls count.
void mark_system_calls();

struct TracedEnd {
  ChildEnd end;
  long calls = 0;  // how many were seen
};

/// `work` has to call mark_system_calls(). `n` = 0 counts and does not kill.
TracedEnd run_until_system_call(long n, const std::function<std::string()>& work);

}  // namespace tideover::fault
