#include "core/plugin_host/calls/lent_context.hpp"

#include <array>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "core/plugin_host/calls/plugin_call.hpp"

namespace tideover::plugin_host {
namespace {

/// A slot is reused only after all others, so a context that a plugin kept is recognized for that long.
constexpr std::size_t kSlots = 4096;
constexpr std::size_t kLentBytes = 256;  // bytes for the structs that one call lends

}  // namespace

struct LentContext::Slot {
  std::mutex mutex;
  std::uint64_t generation = 0;        // guarded by mutex; 0 = never used
  void* target = nullptr;              // guarded by mutex; null = closed
  bool is_late_use_counted = false;    // guarded by mutex
  std::weak_ptr<const Plugin> plugin;  // guarded by mutex
  std::atomic<bool> is_taken = false;
  alignas(std::max_align_t) std::array<std::byte, kLentBytes> memory{};
};

LentContext::Slot* LentContext::slots() {
  static auto* const all = new std::array<Slot, kSlots>;  // never freed: plugins may have addresses in it
  return all->data();
}

LentContext::LentContext(void* target, std::weak_ptr<const Plugin> plugin) : slot_(free_slot()) {
  const std::lock_guard<std::mutex> guard(slot_->mutex);
  generation_ = ++slot_->generation;
  slot_->target = target;
  slot_->is_late_use_counted = false;
  slot_->plugin = std::move(plugin);
}

LentContext::Slot* LentContext::free_slot() {
  static std::atomic<std::uint64_t> next = 0;
  for (std::size_t tries = 0; tries < kSlots; ++tries) {
    Slot& slot = slots()[next.fetch_add(1, std::memory_order_relaxed) % kSlots];
    if (!slot.is_taken.exchange(true)) return &slot;
  }
  throw std::runtime_error("too many plugin calls are in progress");
}

void* LentContext::ctx() const {
  const auto index = static_cast<std::uint64_t>(slot_ - slots());
  // A number and no address, so that a plugin that keeps it reaches nothing.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(generation_ * kSlots + index));
}

void LentContext::close() {
  {
    const std::lock_guard<std::mutex> guard(slot_->mutex);
    if (slot_->generation != generation_ || !slot_->target)
      return;  // the caller and the thread of the call may both close it
    slot_->target = nullptr;
  }
  slot_->is_taken = false;
}

void* LentContext::memory(std::size_t size) {
  constexpr std::size_t kStep = alignof(std::max_align_t);
  const auto at = used_;
  used_ += (size + kStep - 1) / kStep * kStep;
  if (used_ > kLentBytes) throw std::logic_error("a call lends more data than its limit");
  return slot_->memory.data() + at;
}

LentContext::Use::Use(void* ctx) {
  const auto number = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(ctx));
  Slot& slot = slots()[number % kSlots];
  held_ = std::unique_lock(slot.mutex);
  // If the slot already serves another call, its plugin is not at fault.
  if (slot.generation != number / kSlots) {
    held_.unlock();
    return;
  }
  target_ = slot.target;
  if (target_) return;
  // Once per call: a plugin may continue for millions of records.
  const auto plugin = std::exchange(slot.is_late_use_counted, true) ? nullptr : slot.plugin.lock();
  held_.unlock();
  if (plugin) plugin->count("late_use", "late", plugin->label() + " used data of a call after that call had ended");
}

}  // namespace tideover::plugin_host
