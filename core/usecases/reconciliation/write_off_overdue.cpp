#include "core/usecases/reconciliation/write_off_overdue.hpp"

#include <algorithm>

#include "core/usecases/allocation/book_payment.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {
namespace {

using domain::ErrorCode;

bool is_open(const ports::Records& records, const domain::TenantId& tenant, const domain::Settlement& settlement) {
  return settlement.status == domain::SettlementStatus::funded &&
         !is_final(position_of(records.reconciliations().of(tenant, settlement.id)).split.status);
}

}  // namespace

domain::Result<OverdueReport> WriteOffOverdue::operator()(const ports::Overdue& after, std::size_t limit) {
  const auto policy = rules_.overdue_policy();
  const auto now = clock_.now();
  // Rules set both limits: read every advance that one of them concerns.
  const auto latest = now.utc_date().plus(-std::min(policy.task_days, policy.write_off_days));
  const auto found =
      fetch(store_, [&](const ports::Records& records) { return records.settlements().overdue(latest, after, limit); });
  if (!found) return found.error();
  OverdueReport report;
  for (const auto& overdue : *found)
    if (const auto done = handle(overdue, policy, now, report);
        !done && done.error().code != ErrorCode::conflict && !report.failure)
      report.failure = done.error();
  report.more = found->size() == limit;
  if (report.more) report.last = found->back();
  return report;
}

domain::Status WriteOffOverdue::handle(const ports::Overdue& overdue, const domain::OverduePolicy& policy,
                                       domain::Timestamp now, OverdueReport& report) {
  const auto& tenant = overdue.tenant;
  const auto& object = overdue.settlement.text();
  const int days = days_between(overdue.expected, now.utc_date());
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
  bool opened = false, written_off = false;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        opened = written_off = false;
        records.clients().guard_matching(tenant);
        // Read again under the guard: a payment may have settled the advance since the list was read.
        const auto stored = records.settlements().find(tenant, overdue.settlement);
        if (!stored || !is_open(records, tenant, stored->settlement)) return {};
        // Money that is held for this advance is decided first. After a write-off it would only reverse the loss.
        const bool is_held =
            days >= policy.write_off_days && (!records.remittances().waiting_for(tenant, overdue.settlement).empty() ||
                                              records.remittances().is_payment_in_question(tenant, overdue.settlement));
        if (days < policy.write_off_days || is_held) {
          if (is_known(records)) return {};
          opened = true;
          open_task({records, tenant, now, ids_},
                    {domain::kOverduePayment, object,
                     "No payment settled this advance. It was expected on " + format_date(overdue.expected) +
                         ". Ask the payer, or resolve the task to wait for the write-off."});
        } else {
          written_off = true;
          // No payment comes: the open receivable becomes a loss of the funder. The provider keeps the advance.
          close_tasks({records, tenant, now, ids_}, domain::kOverduePayment, object, "written_off");
          BookPayment({records, tenant, now, ids_})
              .payment({stored->settlement, {}}, {{}, domain::PaymentKind::written_off, {}}, nullptr, nullptr,
                       domain::kWriteOff);
          records.audit().append(tenant, {ids_.next<domain::AuditId>(), {}, "", "write off", object, "ok", now});
        }
        return {};
      },
      ports::Priority::background);
  if (done) {
    report.tasks += opened;
    report.written_off += written_off;
  }
  return done;
}

}  // namespace tideover::usecases
