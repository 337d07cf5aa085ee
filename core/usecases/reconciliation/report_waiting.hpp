// Reports deposits whose remittance is missing, and remittances whose deposit is missing: opens one task for each after
// some days (rules/params.lua). Until then a record with a trace number waits without a task, because the other half
// usually follows.
//
// Threads: thread-safe. Each step reads again under the guard of the tenant, so two rounds at once take it once.
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
  /// One round. Returns how many tasks were opened. Skips records with an open task, or with one that a reviewer closed
  /// with `resolved`.
  domain::Result<int> operator()(
      const std::function<bool()>& stopping = [] { return false; }, ports::Tenants of = ports::Tenants::all);

 private:
  using Find = std::vector<ports::Waiting> (*)(const ports::Records& records, domain::Timestamp latest,
                                               const ports::Waiting& after, std::size_t limit);

  domain::Result<int> report_all(Find find, const std::function<bool()>& stopping, ports::Tenants of);
  domain::Result<bool> report(const ports::Waiting& waiting);

  ports::Store& store_;
  const ports::RulePolicy& rules_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
};

}  // namespace tideover::usecases
