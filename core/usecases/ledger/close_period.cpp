#include "core/usecases/ledger/close_period.hpp"

#include <algorithm>

#include "core/faults/crash_point.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::LedgerPeriod;

Error no_month() {
  auto error = Error::of(ErrorCode::invalid_parameter, "The period is not valid. Use a month, YYYY-MM.");
  error.fields.push_back({"period", "must be a month, YYYY-MM"});
  return error;
}

/// The digest of the closing balances goes into the audit trail, which no one can rewrite unnoticed.
void note_balances(ports::Records& records, const RequestContext& context, ports::IdSource& ids,
                   const LedgerPeriod& period) {
  records.audit().append(context.caller.tenant,
                         {ids.next<domain::AuditId>(), context.caller.client, context.request_id, "closing balances",
                          period.month.text(), period.balances_sha256, context.now});
}

}  // namespace

domain::Result<StoredResponse> ClosePeriod::close(const RequestContext& context, const std::string& period,
                                                  const Render<LedgerPeriod>& render) {
  const auto month = domain::Month::parse(period);
  if (!month) return no_month();
  const auto& tenant = context.caller.tenant;
  StoredResponse answer;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // Before any other row, as every transaction that posts to the ledger: none is between the sums and the close.
    records.clients().guard_matching(tenant);
    auto& ledger = records.ledger();
    const auto closed = ledger.periods(tenant);
    const auto known =
        std::find_if(closed.begin(), closed.end(), [&](const LedgerPeriod& one) { return one.month == *month; });
    if (known != closed.end()) {
      answer = {render(*known), true};
      return {};
    }
    const domain::LedgerDays days{context.now.utc_date(), ledger.closed_through(tenant), ledger.first_day(tenant)};
    if (auto refusal = refusal_of_close(*month, days)) return *refusal;
    LedgerPeriod closing;
    closing.month = *month;
    closing.closed_before = days.closed_through;
    closing.closed_at = context.now;
    closing.closed_by = context.caller.client;
    const auto made = ledger.close(tenant, closing);
    faults::crash_point("ledger.period.closed");
    note_balances(records, context, ids_, made);
    answer = {render(made)};
    leave_trace(records, context, ids_, month->text(), answer.body);
    return {};
  });
  if (!done) return done.error();
  return answer;
}

domain::Result<StoredResponse> ClosePeriod::reopen(const RequestContext& context, const std::string& period,
                                                   const Render<LedgerPeriod>& render) {
  const auto month = domain::Month::parse(period);
  if (!month) return no_month();
  const auto& tenant = context.caller.tenant;
  StoredResponse answer;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    records.clients().guard_matching(tenant);
    const auto closed = records.ledger().periods(tenant);
    if (closed.empty() || closed.back().month != *month)
      return Error::of(ErrorCode::invalid_state,
                       closed.empty()
                           ? "No period is closed. There is nothing to reopen."
                           : "Only the latest closed period can be reopened: " + closed.back().month.text() + ".")
          .with("period", month->text());
    records.ledger().reopen(tenant, closed.back());
    answer = {render(closed.back())};
    leave_trace(records, context, ids_, month->text(), answer.body);
    return {};
  });
  if (!done) return done.error();
  return answer;
}

domain::Result<std::vector<LedgerPeriod>> ClosePeriod::list(const domain::TenantId& tenant) const {
  return fetch(store_, [&](const ports::Records& records) {
    auto periods = records.ledger().periods(tenant);
    std::reverse(periods.begin(), periods.end());
    return periods;
  });
}

}  // namespace tideover::usecases
