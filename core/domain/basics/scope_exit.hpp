// Runs an action at the end of the scope, also after an exception, for example to reset a flag or counter. The action
// must not throw.
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
