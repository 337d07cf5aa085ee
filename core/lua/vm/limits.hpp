// The limits of one piece of rule code. Instructions and bytes decide, because they give the same result on every
// machine. Processor time is a second line of defence.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tideover::lua {

struct Limits {
  std::int64_t instructions = 200'000;            // virtual-machine instructions and the fuel of C functions
  std::size_t allocated_bytes = 2 * 1024 * 1024;  // allocated in total during the call, freed or not
  std::size_t live_bytes = 16 * 1024 * 1024;      // in use by the whole state at any time
  std::chrono::nanoseconds processor_time =
      std::chrono::milliseconds(50);  // of the calling thread; generous, because a busy host counts stolen time as used
};

inline constexpr std::int64_t kInstructionsPerLine = 5'000;
/// A line rule gets little more for all lines than a rule that is called once per claim. The share is fixed in advance,
/// so that no call's limit depends on other calls. The caller sets what is left of the processor time.
inline Limits for_line_of(std::size_t lines, Limits limits) {
  limits.instructions = limits.instructions / static_cast<std::int64_t>(lines) + kInstructionsPerLine;
  return limits;
}

/// For running a file of the bundle once (its top level), when a state is built.
inline constexpr Limits kLoadLimits{1'000'000, 8 * 1024 * 1024, 32 * 1024 * 1024, std::chrono::milliseconds{90}};

inline constexpr std::size_t kLongestText = 4096;  // argument or result of a string function
inline constexpr std::size_t kLargestFile = 128 * 1024;
inline constexpr std::size_t kMostFiles = 4000;

}  // namespace tideover::lua
