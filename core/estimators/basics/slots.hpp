// An array of zero-initialised slots. A long one takes memory as it is written and frees it from the front as it is
// read: a table that moves into a larger one never holds both.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace tideover::estimators {

template <class Slot>
class Slots {
  static_assert(std::is_trivially_copyable_v<Slot>);

 public:
  /// std::bad_alloc when there is no memory.
  explicit Slots(std::size_t count)
      : count_(count), memory_(taken(count * sizeof(Slot)), Release{count * sizeof(Slot)}) {}
  Slots(const Slots& other) : Slots(other.count_) {
    std::memcpy(memory_.get(), other.memory_.get(), count_ * sizeof(Slot));
  }
  Slots(Slots&&) noexcept = default;
  Slots& operator=(const Slots& other) {
    *this = Slots(other);
    return *this;
  }
  Slots& operator=(Slots&&) noexcept = default;
  ~Slots() = default;

  std::size_t size() const { return count_; }
  Slot& operator[](std::size_t at) { return static_cast<Slot*>(memory_.get())[at]; }
  const Slot& operator[](std::size_t at) const { return static_cast<const Slot*>(memory_.get())[at]; }

  /// A reader that goes through them from the front has reached `at`: slots before it become undefined.
  void leave_before(std::size_t at) {
    const std::size_t bytes = at * sizeof(Slot);
    if (bytes % kPiece >= sizeof(Slot) || bytes < kPiece || !is_mapped(count_ * sizeof(Slot))) return;
    ::madvise(static_cast<char*>(memory_.get()) + (bytes / kPiece - 1) * kPiece, kPiece, MADV_DONTNEED);
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  static constexpr std::align_val_t kLine{64};
  static bool is_mapped(std::size_t bytes) { return bytes >= kPiece; }

  static void* taken(std::size_t bytes) {
    if (!is_mapped(bytes)) return std::memset(::operator new(bytes, kLine), 0, bytes);
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return memory;
  }
  struct Release {
    std::size_t bytes;
    void operator()(void* memory) const {
      if (is_mapped(bytes))
        ::munmap(memory, bytes);
      else
        ::operator delete(memory, kLine);
    }
  };

  std::size_t count_;
  std::unique_ptr<void, Release> memory_;
};

}  // namespace tideover::estimators
