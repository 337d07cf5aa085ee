// One value on the heap, copied together with its owner.
#pragma once
#include <memory>
#include <utility>

namespace tideover::estimators {

template <class Value>
class Box {
 public:
  explicit Box(Value value) : value_(std::make_unique<Value>(std::move(value))) {}
  Box(const Box& other) : value_(std::make_unique<Value>(*other.value_)) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    *this = Box(other);
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  Value& operator*() { return *value_; }
  const Value& operator*() const { return *value_; }
  Value* operator->() { return value_.get(); }
  const Value* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<Value> value_;
};

}  // namespace tideover::estimators
