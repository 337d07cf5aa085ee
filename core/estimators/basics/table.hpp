// A bounded map from keys to small values: open addressing, no allocation per entry. When it is full, the eighth with
// the least weight is removed at once, so that the cost per insertion is small. The order of slots depends only on the
// order of operations. References end with the next insertion.
//
// Threads: one writer; any number of readers while there is no write.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/estimators/basics/key.hpp"
#include "core/estimators/basics/slots.hpp"

namespace tideover::estimators {

template <class Value>
class Table {
 public:
  /// `fullest`: eighths of the slots that it fills before it grows. More saves memory and lengthens the search.
  explicit Table(std::size_t most, std::size_t fullest = 4)
      : most_(std::max<std::size_t>(most, 8)), fullest_(fullest), mask_(kFewest - 1), slots_(kFewest) {}

  std::size_t size() const { return size_; }
  /// Its memory.
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

  const Value* find(Key key) const {
    for (std::size_t at = slot_of(key);; at = (at + 1) & mask_) {
      if (slots_[at].first == real(key)) return &slots_[at].second;
      if (slots_[at].first == kFree) return nullptr;
    }
  }
  /// Prefetches the entry for a following find().
  void prefetch(Key key) const { __builtin_prefetch(&slots_[slot_of(key)]); }
  Value* find(Key key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

  /// The entry of `key`, created if needed. `weight(value)`: entries with the least weight are removed first.
  template <class Weight>
  Value& at(Key key, const Weight& weight) {
    if (Value* known = find(key)) return *known;
    if (size_ >= most_) evict(weight);
    if (8 * (size_ + 1) > fullest_ * slots_.size()) grow();
    ++size_;
    return place(real(key), Value{});
  }

  template <class Predicate>
  void erase_if(const Predicate& unwanted) {
    std::vector<Key> leaving;
    each([&](Key key, const Value& value) {
      if (unwanted(value)) leaving.push_back(key);
    });
    for (const Key key : leaving) erase(key);
  }

  void erase(Key key) {
    std::size_t hole = slot_of(key);
    for (; slots_[hole].first != real(key); hole = (hole + 1) & mask_)
      if (slots_[hole].first == kFree) return;
    --size_;
    for (std::size_t next = (hole + 1) & mask_; slots_[next].first != kFree; next = (next + 1) & mask_) {
      const std::size_t home = mixed(slots_[next].first) & mask_;
      if (((next - home) & mask_) < ((next - hole) & mask_)) continue;
      slots_[hole] = slots_[next];
      hole = next;
    }
    slots_[hole].first = kFree;
  }

  /// In the order of the slots.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t at = 0; at < slots_.size(); ++at)
      if (slots_[at].first != kFree) visit(slots_[at].first, slots_[at].second);
  }

 private:
  static constexpr Key kFree = 0;
  static constexpr std::size_t kFewest = 16;
  /// One that fills a cache line lies in one.
  struct alignas(sizeof(std::pair<Key, Value>) == 64 ? 64 : alignof(std::pair<Key, Value>)) Slot {
    Key first;
    Value second;
  };
  static Key real(Key key) { return key == kFree ? ~Key{0} : key; }
  std::size_t slot_of(Key key) const { return mixed(real(key)) & mask_; }

  Value& place(Key key, const Value& value) {
    std::size_t at = mixed(key) & mask_;
    while (slots_[at].first != kFree) at = (at + 1) & mask_;
    slots_[at] = {key, value};
    return slots_[at].second;
  }

  /// An entry's new place is near its old one, or as far behind the old end: what is moved fills the new slots from two
  /// fronts.
  void grow() {
    Slots<Slot> old(2 * slots_.size());
    std::swap(old, slots_);
    mask_ = slots_.size() - 1;
    for (std::size_t at = 0; at < old.size(); ++at) {
      if (old[at].first != kFree) place(old[at].first, old[at].second);
      old.leave_before(at + 1);
    }
  }

  template <class Weight>
  void evict(const Weight& weight) {
    std::vector<std::pair<std::uint64_t, Key>> order;
    order.reserve(size_);
    each([&](Key key, const Value& value) { order.emplace_back(weight(value), key); });
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 8);  // at least one: most_ >= 8
    std::nth_element(order.begin(), last, order.end());
    for (auto leaving = order.begin(); leaving != last; ++leaving) erase(leaving->second);
  }

  std::size_t most_, fullest_, size_ = 0, mask_ = 0;
  Slots<Slot> slots_;
};

}  // namespace tideover::estimators
