// Money whose remittance does not come, and remittances whose money does not: after some days (rules/params.lua) a
// reviewer is told, once. Whoever carries a trace number waits without a task until then, because the other half
// usually follows.
#pragma once
#include <functional>

#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

class ReportWaiting {
 public:
  ReportWaiting(ports::Store& store, const ports::RulePolicy& rules, ports::IdSource& ids, const ports::Clock& clock)
      : store_(store), rules_(rules), ids_(ids), clock_(clock) {}
  /// One round; how many tasks were opened. Nothing is told of what a reviewer is asked about, or was and answered
  /// `resolved`.
  domain::Result<int> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  using Find = std::vector<ports::Waiting> (*)(const ports::Records& records, domain::Timestamp latest,
                                               const ports::Waiting& after, std::size_t limit);

  domain::Result<int> tell_of(Find find, const std::function<bool()>& stopping);
  domain::Result<bool> tell(const ports::Waiting& waiting);

  ports::Store& store_;
  const ports::RulePolicy& rules_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
};

}  // namespace tideover::usecases
