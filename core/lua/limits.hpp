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
  std::chrono::milliseconds processor_time{50};   // of the calling thread; wide, because a busy host counts what it takes away as used
};

/// Running a file of the bundle once (its top level), when a state is built.
inline constexpr Limits kLoadLimits{1'000'000, 8 * 1024 * 1024, 32 * 1024 * 1024, std::chrono::milliseconds{90}};

inline constexpr std::size_t kLongestText = 4096;  // argument or result of a string function
inline constexpr std::size_t kLargestFile = 128 * 1024;
inline constexpr std::size_t kMostFiles = 4000;

}  // namespace tideover::lua
