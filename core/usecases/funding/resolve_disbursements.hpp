// Ends attempts that crashes or lost answers left open: asks the rail about every attempt that is due.
//
// Threads: thread-safe; several nodes may run it.
#pragma once
#include <functional>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

class ResolveDisbursements {
 public:
  /// `node`: as in DisburseOptions; payments of other nodes are left to them. `turn`: the longest time for one rail per
  /// round.
  ResolveDisbursements(ports::Store& store, Disburse& disburse, const ports::Clock& clock, std::string node,
                       std::chrono::milliseconds turn = std::chrono::seconds(5))
      : store_(store), disburse_(disburse), clock_(clock), node_(std::move(node)), turn_(turn) {}
  /// One round. Returns how many attempts were checked. An attempt that fails does not stop the others. `stopping` is
  /// checked before each attempt, because a rail may answer slowly.
  domain::Result<int> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  ports::Store& store_;
  Disburse& disburse_;
  const ports::Clock& clock_;
  const std::string node_;
  const std::chrono::milliseconds turn_;
};

}  // namespace tideover::usecases
