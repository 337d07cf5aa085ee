// The meter of one Lua state: allocator, instruction hook and cost of C functions. Between calls there is no limit, so
// that the host can push values safely. One thread at a time.
#pragma once
#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/lua/vm/coverage.hpp"
#include "core/lua/vm/limits.hpp"

namespace tideover::lua {

class Budget {
 public:
  Budget() = default;
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  void begin(lua_State* state, const Limits& limits);
  void end(lua_State* state);

  /// Charges the work of a C function before it starts, in instructions. Raises a Lua error when the budget is
  /// exceeded.
  static void charge(lua_State* state, std::int64_t fuel);
  /// The meter of a state, stored in the state's extra space.
  static Budget& of(lua_State* state);

  /// Why the allocator refused during the last call; "" when it did not.
  std::string memory_refusal() const;
  /// Records the lines that run from here on.
  void note_lines_in(FileLines* ran) { ran_ = ran; }
  /// Instructions of the last call, as counted at the last check.
  std::int64_t spent() const { return spent_; }
  /// Processor time of the last call; zero when it ended before the first check.
  std::chrono::nanoseconds processor_time() const { return std::chrono::nanoseconds(processor_time_ns_); }
  std::size_t live_bytes() const { return live_; }
  std::size_t allocated_bytes() const { return allocated_; }  // since the state was created

  /// Suspends the limits while host code works inside a call.
  class Pause {
   public:
    explicit Pause(Budget& budget) : budget_(budget), was_limited_(std::exchange(budget.limited_, false)) {}
    ~Pause() { budget_.limited_ = was_limited_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Budget& budget_;
    bool was_limited_;
  };

  static void* allocate(void* budget, void* block, std::size_t old_size, std::size_t wanted);

 private:
  static void on_event(lua_State* state, lua_Debug* activation);
  void spend(lua_State* state, std::int64_t fuel);

  Limits limits_;
  FileLines* ran_ = nullptr;
  bool limited_ = false;
  bool refused_ = false;
  std::int64_t spent_ = 0;
  std::int64_t first_look_ns_ = 0;
  std::int64_t processor_time_ns_ = 0;
  std::size_t live_ = 0;
  std::size_t allocated_ = 0;
  std::size_t allocated_before_ = 0;
};

}  // namespace tideover::lua
