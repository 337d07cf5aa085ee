// The `ctx` of data that a plugin is lent for one call (its sinks, its `report`, a byte source). It is not an address
// but a number that is looked up here, and the structs are in memory that is never freed. A plugin that uses a sink
// after its call has ended therefore reaches no data: the use is ignored and counted. Thread-safe.
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
  /// The functions of the plugin reach `target` until close().
  LentContext(void* target, std::weak_ptr<const Plugin> plugin);
  ~LentContext() { close(); }
  LentContext(const LentContext&) = delete;
  LentContext& operator=(const LentContext&) = delete;

  void* ctx() const;
  /// Waits for a use in progress; later uses reach no data. From any thread, may be repeated.
  void close();
  /// Copies a struct to memory that stays readable after the call.
  template <class Lent>
  const Lent* lend(const Lent& lent) {
    static_assert(std::is_trivially_copyable_v<Lent> && alignof(Lent) <= alignof(std::max_align_t));
    return new (memory(sizeof lent)) Lent(lent);
  }

  /// One use by a plugin; keeps the target alive until it ends.
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
  void* memory(std::size_t size);

  Slot* const slot_;
  std::uint64_t generation_ = 0;
  std::size_t used_ = 0;
};

}  // namespace tideover::plugin_host
