#include "core/lua/vm/budget.hpp"

#include <time.h>

#include <cstdlib>

namespace tideover::lua {
namespace {

// Instructions between two checks of the meter. Small enough that the most expensive instructions (copying many
// arguments, comparing long strings) cannot hide much work between two checks.
constexpr int kInstructionsPerLook = 256;

std::int64_t processor_clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

[[noreturn]] void stop(lua_State* state, int level, const char* why) {
  luaL_where(state, level);
  lua_pushstring(state, why);
  lua_concat(state, 2);
  lua_error(state);
  std::abort();  // lua_error does not return
}

}  // namespace

Budget& Budget::of(lua_State* state) {
  return **static_cast<Budget**>(lua_getextraspace(state));
}

void Budget::begin(lua_State* state, const Limits& limits) {
  limits_ = limits;
  refused_ = false;
  spent_ = 0;
  allocated_before_ = allocated_;
  first_look_ns_ = processor_time_ns_ = 0;  // most calls end before the first check and need no clock
  limited_ = true;
  lua_sethook(state, on_event, LUA_MASKCOUNT | (ran_ != nullptr ? LUA_MASKLINE : 0), kInstructionsPerLook);
}

void Budget::end(lua_State* state) {
  limited_ = false;
  lua_sethook(state, nullptr, 0, 0);
  if (first_look_ns_ != 0) processor_time_ns_ = processor_clock_ns() - first_look_ns_;
}

void Budget::spend(lua_State* state, std::int64_t fuel) {
  spent_ += fuel;
  if (spent_ > limits_.instructions)
    stop(state, 0, "used more instructions than allowed for a rule; check for an endless loop");
}

void Budget::charge(lua_State* state, std::int64_t fuel) {
  Budget& budget = of(state);
  if (!budget.limited_) return;
  budget.spent_ += fuel;
  if (budget.spent_ > budget.limits_.instructions)
    stop(state, 1, "used more instructions than allowed for a rule: too much text or too large a table");
}

void Budget::on_event(lua_State* state, lua_Debug* activation) {
  Budget& budget = of(state);
  if (activation->event == LUA_HOOKLINE) {
    lua_getinfo(state, "S", activation);
    if (activation->source[0] == '@') (*budget.ran_)[activation->source + 1].insert(activation->currentline);
    return;
  }
  budget.spend(state, kInstructionsPerLook);
  const std::int64_t now = processor_clock_ns();
  if (budget.first_look_ns_ == 0) budget.first_look_ns_ = now;
  if (now - budget.first_look_ns_ > budget.limits_.processor_time.count())
    stop(state, 0, "used more processor time than allowed for a rule");
}

std::string Budget::memory_refusal() const {
  if (!refused_) return {};
  return "used more memory than allowed for a rule (" + std::to_string(limits_.allocated_bytes / 1024) + " KiB)";
}

void* Budget::allocate(void* self, void* block, std::size_t old_size, std::size_t wanted) {
  auto& budget = *static_cast<Budget*>(self);
  const std::size_t held = block == nullptr ? 0 : old_size;  // for a new block, old_size names its kind
  if (wanted == 0) {
    std::free(block);
    budget.live_ -= held;
    return nullptr;
  }
  if (wanted > held && budget.limited_) {
    const std::size_t in_call = budget.allocated_ - budget.allocated_before_;
    // Growing a block may copy it, so its full size is charged.
    if (in_call + wanted > budget.limits_.allocated_bytes || budget.live_ + wanted - held > budget.limits_.live_bytes) {
      budget.refused_ = true;
      return nullptr;
    }
  }
  void* const moved = std::realloc(block, wanted);
  if (moved == nullptr) return nullptr;
  if (wanted > held) budget.allocated_ += wanted;
  budget.live_ += wanted - held;
  return moved;
}

}  // namespace tideover::lua
