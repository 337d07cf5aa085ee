// The limits of a piece of rule code. Instructions and bytes are the main limits, because they give the same result on
// every machine; processor time is an additional safeguard.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tideover::lua {

struct Limits {
  std::int64_t instructions = 200'000;  // instructions of the virtual machine and cost of C functions
  std::size_t allocated_bytes = std::size_t{2} * std::size_t{1024} * 1024;  // allocated during the call, freed or not
  std::size_t live_bytes = std::size_t{16} * std::size_t{1024} * 1024;      // used by the whole state at any time
  std::chrono::nanoseconds processor_time = std::chrono::milliseconds(
      50);  // of the calling thread; generous, because time that a busy host takes away is counted too
};

inline constexpr std::int64_t kInstructionsPerLine = 5'000;
/// A per-line rule has little more for all lines together than a rule for the claim. The budget is divided in advance,
/// so that the limit of a call does not depend on other calls. The caller sets the rest of the processor time.
inline Limits for_line_of(std::size_t lines, Limits limits) {
  limits.instructions = limits.instructions / static_cast<std::int64_t>(lines) + kInstructionsPerLine;
  return limits;
}

/// For one run of a bundle file (its top level) when a state is built.
inline constexpr Limits kLoadLimits{1'000'000, std::size_t{8} * std::size_t{1024} * 1024,
                                    std::size_t{32} * std::size_t{1024} * 1024, std::chrono::milliseconds{90}};

inline constexpr std::size_t kLongestText = 4096;  // argument or result of a string function
inline constexpr std::size_t kLargestFile = std::size_t{128} * 1024;
inline constexpr std::size_t kMostFiles = 4000;

}  // namespace tideover::lua
