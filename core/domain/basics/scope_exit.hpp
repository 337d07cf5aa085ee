// Runs its action where the scope ends, whichever way it ends: what resets a flag or a counter also does so behind an
// exception. The action must not throw.
#pragma once
#include <utility>

namespace tideover::domain {

template <class Action>
class ScopeExit {
 public:
  explicit ScopeExit(Action action) : action_(std::move(action)) {}
  ScopeExit(const ScopeExit&) = delete;
  ScopeExit& operator=(const ScopeExit&) = delete;
  ~ScopeExit() { action_(); }

 private:
  Action action_;
};

}  // namespace tideover::domain
