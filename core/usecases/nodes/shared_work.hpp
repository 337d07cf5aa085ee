// Work of which the nodes that share a database need one run in a period, whoever does it. Only order depends on it,
// never money: two runs at once do no harm. Thread-safe.
#pragma once
#include <chrono>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

class SharedWork {
 public:
  /// `lease`: a node that began and was not heard of for so long is given up.
  SharedWork(ports::Store& store, const ports::Clock& clock, std::string name, std::string node,
             std::chrono::milliseconds lease)
      : store_(store), clock_(clock), name_(std::move(name)), node_(std::move(node)), lease_(lease) {}

  /// True when it is due and this node has it now.
  domain::Result<bool> take();
  /// It was done: nobody needs to for `period`.
  domain::Status done(std::chrono::milliseconds period);

 private:
  ports::Store& store_;
  const ports::Clock& clock_;
  const std::string name_;
  const std::string node_;
  const std::chrono::milliseconds lease_;
};

}  // namespace tideover::usecases
