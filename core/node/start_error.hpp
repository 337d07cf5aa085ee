// The errors that end a command, or the start of the service.
#pragma once
#include <stdexcept>
#include <string>

namespace tideover::node {

/// A reason why the program does not start. It is printed as it is; exit code 1.
struct StartError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A condition that can pass without a change on this machine: `serve` waits for it, other commands end as with any
/// StartError.
struct NotYet : StartError {
  enum class Cause {
    in_use,      // another process, perhaps one that is ending, holds an exclusive resource
    unreachable  // the database does not answer, or has no space
  };
  NotYet(Cause why, const std::string& sentence) : StartError(sentence), cause(why) {}
  Cause cause;
};

}  // namespace tideover::node
