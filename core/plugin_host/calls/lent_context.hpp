// The `ctx` of what a plugin is lent for one call (its sinks, its `report`, a byte source). It is no address but a
// number that is looked up here, and the structs themselves lie in memory that is never freed. So a plugin that keeps a
// sink and uses it after its call has ended reaches nothing: the use is ignored and counted. Thread-safe.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>

namespace tideover::plugin_host {

struct Plugin;

class LentContext {
 public:
  /// `target` is what the plugin's functions reach until close().
  LentContext(void* target, std::weak_ptr<const Plugin> plugin);
  ~LentContext() { close(); }
  LentContext(const LentContext&) = delete;
  LentContext& operator=(const LentContext&) = delete;

  void* ctx() const;
  /// Waits for a use that is under way; what comes later reaches nothing. From any thread, more than once.
  void close();
  /// Copies a struct to where it stays readable after the call.
  template <class Lent>
  const Lent* lend(const Lent& lent) {
    static_assert(std::is_trivially_copyable_v<Lent> && alignof(Lent) <= alignof(std::max_align_t));
    return new (room(sizeof lent)) Lent(lent);
  }

  /// One use by a plugin; holds the target until it ends.
  class Use {
   public:
    explicit Use(void* ctx);
    /// Null when the call has ended.
    template <class Target>
    Target* target() const {
      return static_cast<Target*>(target_);
    }

   private:
    std::unique_lock<std::mutex> held_;
    void* target_ = nullptr;
  };

 private:
  struct Slot;
  static Slot* slots();
  static Slot* free_slot();
  void* room(std::size_t size);

  Slot* const slot_;
  std::uint64_t generation_ = 0;
  std::size_t used_ = 0;
};

}  // namespace tideover::plugin_host
