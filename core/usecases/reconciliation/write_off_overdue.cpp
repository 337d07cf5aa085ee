#include "core/usecases/reconciliation/write_off_overdue.hpp"

#include <algorithm>

#include "core/usecases/allocation/book_payment.hpp"
#include "core/usecases/matching/find_proposals.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

/// About one settlement and of one kind: more than are ever opened.
constexpr std::size_t kMostTasks = 100;

bool is_open(const ports::Records& records, const domain::TenantId& tenant, const domain::Settlement& settlement) {
  return settlement.status == domain::SettlementStatus::funded &&
         !is_final(position_of(records.reconciliations().of(tenant, settlement.id)).split.status);
}

}  // namespace

domain::Result<OverdueReport> WriteOffOverdue::operator()(const ports::Overdue& after, std::size_t limit,
                                                          ports::Tenants of) {
  const auto policy = rules_.overdue_policy();
  // Rules set both limits: read every advance that one of them concerns.
  const auto latest = clock_.now().utc_date().plus(-std::min(policy.task_days, policy.write_off_days));
  const auto found =
      fetch(store_, [&](const ports::Records& records) { return records.settlements().overdue(latest, after, limit); });
  if (!found) return found.error();
  OverdueReport report;
  for (const auto& overdue : *found) {
    if (!is_among(of, clock_, overdue.tenant)) continue;
    if (const auto done = handle(overdue, policy, now_of(clock_, overdue.tenant), report);
        !done && done.error().code != ErrorCode::conflict && !report.failure)
      report.failure = done.error();
  }
  report.more = found->size() == limit;
  if (report.more) report.last = found->back();
  return report;
}

domain::Status write_off(const UnitOfWork& unit, const std::string& settlement_id) {
  const auto id = domain::SettlementId::parse(settlement_id);
  const auto stored = id ? unit.records.settlements().find(unit.tenant, *id) : std::nullopt;
  if (!stored || !is_open(unit.records, unit.tenant, stored->settlement))
    return Error::of(ErrorCode::invalid_state, "This receivable is not open. There is nothing to write off.")
        .with("settlement_id", settlement_id);
  // No payment comes: the open receivable becomes a loss of the funder. The provider keeps the advance.
  BookPayment(unit).payment({stored->settlement, {}}, {{}, domain::PaymentKind::written_off, {}}, nullptr, nullptr,
                            domain::kWriteOff);
  unit.records.audit().append(unit.tenant,
                              {unit.ids.next<domain::AuditId>(), {}, "", "write off", settlement_id, "ok", unit.now});
  return {};
}

domain::Result<domain::TaskId> undo_write_off(const UnitOfWork& unit, const domain::Task& task,
                                              const std::string& reason) {
  const auto id = domain::SettlementId::parse(task.object_id);
  BookPayment booking(unit);
  const auto standing = id ? booking.standing_of(*id) : std::vector<domain::ReconciliationRecord>();
  if (standing.empty() || standing.back().matched_by != domain::kWriteOff)
    return Error::of(ErrorCode::invalid_state,
                     "This write-off was undone, or a later payment was posted to the advance. It cannot be undone.")
        .with("decision", task.decision);
  if (auto undone = booking.undo(*id, standing.back().id, nullptr); !undone) return undone.error();
  return open_task(unit, {task.kind, task.object_id, "The decision of " + task.id.text() + " was undone: " + reason});
}

std::string WriteOffOverdue::question_about(const UnitOfWork& unit, const domain::Settlement& settlement) const {
  const auto& records = unit.records;
  const auto split = position_of(records.reconciliations().of(unit.tenant, settlement.id)).split;
  const auto open = advance_of(settlement) - split.recovered;
  const auto money = find_money_for(records, unit.tenant, settlement);
  const bool is_announced = !records.remittances().announced_to(unit.tenant, settlement.id, 1).empty();
  const bool is_large = approval_above_ && open > *approval_above_;
  if (money.empty() && !is_announced && !is_large) return "";
  std::string text = "Decide whether to write off " + format_money(open) + '.';
  if (is_large) text += " It is above " + format_money(*approval_above_) + '.';
  if (!money.empty()) text += " Unmatched money may pay it: see the proposals (" + std::to_string(money.size()) + ").";
  if (is_announced) text += " A remittance announces a payment whose deposit is missing.";
  return text;
}

domain::Status WriteOffOverdue::end(const UnitOfWork& unit, const domain::Settlement& settlement,
                                    const domain::OverduePolicy& policy, OverdueReport& step) const {
  const auto& object = settlement.id.text();
  for (const auto& task :
       unit.records.tasks().list(unit.tenant, {std::nullopt, domain::kWriteOffProposed, object}, {"", kMostTasks})) {
    if (task.status == domain::TaskStatus::open) return {};
    // A reviewer who keeps a receivable is asked again after the time in which an overdue payment is asked about.
    if (task.decision == domain::kKeep && task.closed_at && unit.now < task.closed_at->plus_days(policy.task_days))
      return {};
  }
  if (auto question = question_about(unit, settlement); !question.empty()) {
    step.proposed = 1;
    close_tasks(unit, domain::kOverduePayment, object, "write_off_proposed");
    open_task(unit, {domain::kWriteOffProposed, object, std::move(question)});
    return {};
  }
  step.written_off = 1;
  close_tasks(unit, domain::kOverduePayment, object, "written_off");
  return write_off(unit, object);
}

domain::Status WriteOffOverdue::handle(const ports::Overdue& overdue, const domain::OverduePolicy& policy,
                                       domain::Timestamp now, OverdueReport& report) {
  const auto& tenant = overdue.tenant;
  const auto& object = overdue.settlement.text();
  const int days = days_between(overdue.expected, now.utc_date());
  if (days < std::min(policy.task_days, policy.write_off_days)) return {};
  // A task that a reviewer resolved counts as well: the question is not asked twice.
  const auto is_known = [&](const ports::Records& records) {
    return is_known_to_reviewers(records, tenant, object,
                                 [](std::string_view kind) { return kind == domain::kOverduePayment; });
  };
  if (days < policy.write_off_days) {
    // Before the write-off, read first: most overdue advances have their task already.
    const auto known = fetch_one(store_, is_known);
    if (!known) return known.error();
    if (*known) return {};
  }
  OverdueReport step;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        step = {};
        const UnitOfWork unit{records, tenant, now, ids_, &rules_};
        records.clients().guard_matching(tenant);
        // Read again under the guard: a payment may have settled the advance since the list was read.
        const auto stored = records.settlements().find(tenant, overdue.settlement);
        if (!stored || !is_open(records, tenant, stored->settlement)) return {};
        // Its payment may be among the claims of a remittance that is being posted: the next run decides.
        if (records.postings().is_payer_open(tenant, stored->settlement.payer_id)) return {};
        // Money that is held for this advance is decided first. After a write-off it would only reverse the loss.
        const bool is_held =
            days >= policy.write_off_days && (!records.remittances().waiting_for(tenant, overdue.settlement).empty() ||
                                              records.remittances().is_payment_in_question(tenant, overdue.settlement));
        if (days >= policy.write_off_days && !is_held) return end(unit, stored->settlement, policy, step);
        if (is_known(records)) return {};
        step.tasks = 1;
        open_task(unit, {domain::kOverduePayment, object,
                         "No payment settled this advance. It was expected on " + format_date(overdue.expected) +
                             ". Ask the payer, or resolve the task to wait for the write-off."});
        return {};
      },
      ports::Priority::background);
  if (done) {
    report.tasks += step.tasks;
    report.written_off += step.written_off;
    report.proposed += step.proposed;
  }
  return done;
}

}  // namespace tideover::usecases
