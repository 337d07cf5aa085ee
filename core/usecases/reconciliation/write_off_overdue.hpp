// Advances that nobody pays back (core/docs/contract.md#overdue-payments; the days are rules/params.lua's): first a
// person is told, in the end the rest is written off - record, ledger entries, event and audit row in one transaction.
// A payment that comes later is posted like any other and takes the loss back.
#pragma once
#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

struct OverdueReport {
  int told = 0;  // tasks opened
  int written_off = 0;
  bool more = false;  // the round was full: others wait behind `last`
  ports::Overdue last;
  std::optional<domain::Error> failure;  // the first one; it did not hold up the others
};

class WriteOffOverdue {
 public:
  WriteOffOverdue(ports::Store& store, const ports::RulePolicy& rules, ports::IdSource& ids, const ports::Clock& clock)
      : store_(store), rules_(rules), ids_(ids), clock_(clock) {}
  /// One round of at most `limit` advances behind `after`.
  domain::Result<OverdueReport> operator()(const ports::Overdue& after, std::size_t limit);

 private:
  domain::Status look_at(const ports::Overdue& overdue, const domain::OverduePolicy& policy, domain::Timestamp now,
                         OverdueReport& report);

  ports::Store& store_;
  const ports::RulePolicy& rules_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
};

}  // namespace tideover::usecases
