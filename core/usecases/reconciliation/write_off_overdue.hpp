// Handles advances that stay unpaid (core/docs/contract.md#overdue-payments; rules/params.lua sets the days). First it
// opens a task. After `write_off_days` it writes off the rest: record, ledger entries, event and audit row in one
// transaction. A payment that comes later is posted like any other and reverses the loss. A receivable above the bound,
// or one that unmatched money may pay, is proposed to a reviewer instead (task `write_off`).
//
// Threads: thread-safe. Each step reads again under the guard of the tenant, so two rounds at once take it once.
#pragma once
#include <optional>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/rules/rule_policy.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

struct OverdueReport {
  int tasks = 0;  // tasks opened
  int written_off = 0;
  int proposed = 0;   // write-offs that a reviewer decides
  bool more = false;  // the round was full: continue after `last`
  ports::Overdue last;
  std::optional<domain::Error> failure;  // the first one; it did not stop the others
};

/// Writes off the open receivable of a settlement. Error invalid_state when it is not open.
domain::Status write_off(const UnitOfWork& unit, const std::string& settlement_id);
/// Undoes the write-off that a reviewer approved, and proposes it again. Error invalid_state when a later payment was
/// posted.
domain::Result<domain::TaskId> undo_write_off(const UnitOfWork& unit, const domain::Task& task,
                                              const std::string& reason);

class WriteOffOverdue {
 public:
  /// `approval_above`: the largest receivable that is written off without a reviewer; nullopt: no bound.
  WriteOffOverdue(ports::Store& store, ports::RulePolicy& rules, ports::IdSource& ids, const ports::Clock& clock,
                  std::optional<domain::Money> approval_above = std::nullopt)
      : store_(store), rules_(rules), ids_(ids), clock_(clock), approval_above_(approval_above) {}
  /// One round with at most `limit` advances after the position `after`.
  domain::Result<OverdueReport> operator()(const ports::Overdue& after, std::size_t limit,
                                           ports::Tenants of = ports::Tenants::all);

 private:
  domain::Status handle(const ports::Overdue& overdue, const domain::OverduePolicy& policy, domain::Timestamp now,
                        OverdueReport& report);
  /// Under the guard, after `write_off_days`.
  domain::Status end(const UnitOfWork& unit, const domain::Settlement& settlement, const domain::OverduePolicy& policy,
                     OverdueReport& step) const;
  /// The text of the task that asks a reviewer; empty: none is needed.
  std::string question_about(const UnitOfWork& unit, const domain::Settlement& settlement) const;

  ports::Store& store_;
  ports::RulePolicy& rules_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
  const std::optional<domain::Money> approval_above_;
};

}  // namespace tideover::usecases
