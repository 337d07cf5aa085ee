// Work that one of the nodes with a common database does per period. Only the distribution of work depends on it, never
// money: two runs at once do no harm.
//
// Threads: thread-safe.
#pragma once
#include <chrono>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

class SharedWork {
 public:
  /// `lease`: after this time without a result, the work of a node counts as abandoned.
  SharedWork(ports::Store& store, const ports::Clock& clock, std::string name, std::string node,
             std::chrono::milliseconds lease)
      : store_(store), clock_(clock), name_(std::move(name)), node_(std::move(node)), lease_(lease) {}

  /// True when the work is due and this node has taken it.
  domain::Result<bool> take();
  /// The work is done: it is not due again for `period`.
  domain::Status done(std::chrono::milliseconds period);

 private:
  ports::Store& store_;
  const ports::Clock& clock_;
  const std::string name_;
  const std::string node_;
  const std::chrono::milliseconds lease_;
};

}  // namespace tideover::usecases
