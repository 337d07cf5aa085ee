// Named points where a test may end this process like a power failure: at once, without unwinding or flushing. Inactive
// unless the environment enables it; start-up refuses the variables in production. Thread-safe.
//
//   TIDEOVER_TEST_CRASH_AT=disburse.claimed     SIGKILL where the process first passes that point
//   TIDEOVER_TEST_CRASH_AT=disburse.claimed:3   the third time
//   TIDEOVER_TEST_CRASH_AT=*:57                 at the 57th point passed, whichever it is
//   TIDEOVER_TEST_STOP_AT=...                   the same words; SIGSTOP, until a test sends SIGCONT
//   TIDEOVER_TEST_HOLD_AT=...                   the same words; this thread alone waits there, while the file named by
//                                               TIDEOVER_TEST_HOLD_FILE, which it creates, exists
//   TIDEOVER_TEST_CRASH_TRACE=file              appends the name of each point that is passed
#pragma once
#include <string_view>

namespace tideover::faults {

void crash_point(std::string_view name) noexcept;

/// True when a test variable is set in the environment of this process.
bool armed() noexcept;

}  // namespace tideover::faults
