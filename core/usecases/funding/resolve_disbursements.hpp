// Finishes what crashes and lost answers left behind: asks the rail about every attempt whose time has come.
#pragma once
#include <functional>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

class ResolveDisbursements {
 public:
  /// `node` as in DisburseOptions: what another node has to send is left to it. `turn`: how long one rail may hold up
  /// the others in a round.
  ResolveDisbursements(ports::Store& store, Disburse& disburse, const ports::Clock& clock, std::string node,
                       std::chrono::milliseconds turn = std::chrono::seconds(5))
      : store_(store), disburse_(disburse), clock_(clock), node_(std::move(node)), turn_(turn) {}
  /// One round; how many attempts were looked at. An attempt that fails does not hold up the others. `stopping` is
  /// asked before each: the rail may take its time with every one of them.
  domain::Result<int> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  ports::Store& store_;
  Disburse& disburse_;
  const ports::Clock& clock_;
  const std::string node_;
  const std::chrono::milliseconds turn_;
};

}  // namespace tideover::usecases
