// What one piece of rule code may cost. Instructions and bytes are the limits that count, because they give the same
// answer on every machine; processor time is the backstop behind them.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tideover::lua {

struct Limits {
  std::int64_t instructions = 200'000;            // virtual-machine instructions and the fuel of C functions
  std::size_t allocated_bytes = 2 * 1024 * 1024;  // handed out in all during the call, freed or not
  std::size_t live_bytes = 16 * 1024 * 1024;      // held by the whole state at any moment
  std::chrono::nanoseconds processor_time = std::chrono::milliseconds(
      50);  // of the calling thread; wide, because a busy host counts what it takes away as used
};

inline constexpr std::int64_t kInstructionsPerLine = 5'000;
/// A rule that is called for each line has little more for all of them than one that is called for the claim: shared
/// out beforehand, so that no call's limit depends on which others were made. What is left of the processor's time is
/// the caller's to say.
inline Limits for_line_of(std::size_t lines, Limits limits) {
  limits.instructions = limits.instructions / static_cast<std::int64_t>(lines) + kInstructionsPerLine;
  return limits;
}

/// Running a file of the bundle once (its top level), when a state is built.
inline constexpr Limits kLoadLimits{1'000'000, 8 * 1024 * 1024, 32 * 1024 * 1024, std::chrono::milliseconds{90}};

inline constexpr std::size_t kLongestText = 4096;  // argument or result of a string function
inline constexpr std::size_t kLargestFile = 128 * 1024;
inline constexpr std::size_t kMostFiles = 4000;

}  // namespace tideover::lua
