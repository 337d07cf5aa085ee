// Handles advances that stay unpaid (core/docs/contract.md#overdue-payments; rules/params.lua sets the days). First it
// opens a task. After `write_off_days` it writes off the rest: record, ledger entries, event and audit row in one
// transaction. A payment that comes later is posted like any other and reverses the loss.
//
// Threads: use from one thread at a time.
#pragma once
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct OverdueReport {
  int tasks = 0;  // tasks opened
  int written_off = 0;
  bool more = false;  // the round was full: continue after `last`
  ports::Overdue last;
  std::optional<domain::Error> failure;  // the first one; it did not stop the others
};

class WriteOffOverdue {
 public:
  WriteOffOverdue(ports::Store& store, const ports::RulePolicy& rules, ports::IdSource& ids, const ports::Clock& clock)
      : store_(store), rules_(rules), ids_(ids), clock_(clock) {}
  /// One round with at most `limit` advances after the position `after`.
  domain::Result<OverdueReport> operator()(const ports::Overdue& after, std::size_t limit);

 private:
  domain::Status handle(const ports::Overdue& overdue, const domain::OverduePolicy& policy, domain::Timestamp now,
                        OverdueReport& report);

  ports::Store& store_;
  const ports::RulePolicy& rules_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
};

}  // namespace tideover::usecases
