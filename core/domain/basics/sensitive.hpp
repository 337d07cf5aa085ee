// Wraps protected health information and payout tokens. The wrapper has no stream operator, conversion or JSON form, so
// a log call with one does not compile. Code that needs the value calls reveal().
#pragma once
#include <utility>

namespace tideover::domain {

template <class T>
class Sensitive {
 public:
  Sensitive() = default;
  explicit Sensitive(T value) : value_(std::move(value)) {}
  const T& reveal() const { return value_; }
  friend bool operator==(const Sensitive&, const Sensitive&) = default;

 private:
  T value_{};
};

}  // namespace tideover::domain
