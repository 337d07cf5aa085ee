#include "core/usecases/funding/cancel_settlement.hpp"

#include "core/usecases/matching/match_payments.hpp"
#include "core/usecases/request/tasks.hpp"

namespace tideover::usecases {

using domain::Error;
using domain::ErrorCode;
using domain::SettlementEvent;

bool cancel(const UnitOfWork& unit, ports::StoredSettlement& stored, std::string_view reason) {
  auto& settlement = stored.settlement;
  settlement.status = domain::SettlementStatus::canceled;
  settlement.cancel_reason = reason;
  if (!unit.records.settlements().update(unit.tenant, stored)) return false;
  unit.records.audit().append(unit.tenant, {unit.ids.next<domain::AuditId>(),
                                            {},
                                            "",
                                            "cancel settlement",
                                            settlement.id.text(),
                                            settlement.cancel_reason,
                                            unit.now});
  close_tasks(unit, domain::kManualReview, settlement.id.text(), domain::kSettlementEnded);
  unit.records.events().append(
      unit.tenant, {unit.ids.next<domain::EventId>(), unit.now,
                    domain::SettlementCanceled{settlement.id, settlement.cancel_reason, settlement.version + 1}});
  // Payments may wait for this advance: re-evaluate them without it.
  MatchPayments(unit).settlement_ended(settlement.id);
  return true;
}

domain::Result<StoredResponse> CancelSettlement::operator()(const RequestContext& context,
                                                            const std::string& settlement_id,
                                                            const Render<SettlementView>& render) {
  const auto& tenant = context.caller.tenant;
  const Error missing = Error::of(ErrorCode::settlement_not_found, "Settlement not found.");
  const auto id = domain::SettlementId::parse(settlement_id);
  if (!id) return missing;
  std::string body;
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    // Before any other row: all matchings take their locks in this order, and remittances that wait for it are
    // released.
    records.clients().guard_matching(tenant);
    auto stored = records.settlements().find(tenant, *id);
    if (!stored) return missing;
    auto& settlement = stored->settlement;
    records.claims().guard(tenant, settlement.claim_id);
    // An attempt at the rail could still pay the advance, so the settlement ends only at rest.
    if (!next_status(settlement.status, settlement.decision, SettlementEvent::cancel) || !is_at_rest(settlement))
      return Error::of(ErrorCode::invalid_state,
                       is_at_rest(settlement)
                           ? "A settlement that is " + std::string(name_of(settlement.status)) + " cannot be canceled."
                           : "The payment of this settlement is at the rail, or may be there. It cannot be canceled.")
          .with("status", std::string(name_of(settlement.status)))
          .with("funding_status", std::string(name_of(settlement.funding_status)))
          .with_list("allowed", is_at_rest(settlement) ? allowed_events(settlement.status, settlement.decision)
                                                       : std::vector<std::string>{});
    if (!cancel({records, tenant, context.now, ids_, rules_}, *stored, "requested"))
      return Error::of(ErrorCode::conflict, "The settlement changed at the same time. Send the request again.");
    body = render(view_of(records, tenant, settlement));
    leave_trace(records, context, ids_, id->text(), body);
    return {};
  });
  if (!done) return done.error();
  return StoredResponse{body};
}

domain::Result<int> ExpireSettlements::operator()(std::size_t limit, ports::Tenants of) {
  // One transaction per settlement, so that a conflict with a confirm costs only that one.
  const auto lapsed =
      fetch(store_, [&](const ports::Records& records) { return records.settlements().lapsed(clock_.now(), limit); });
  if (!lapsed) return lapsed.error();
  std::optional<Error> first_failure;
  int canceled = 0;
  for (const auto& [tenant, id] : *lapsed) {
    if (!is_among(of, clock_, tenant)) continue;
    bool ended = false;
    const auto now = now_of(clock_, tenant);
    const auto done = store_.commit(
        [&, &tenant = tenant, &id = id](ports::Records& records) -> domain::Status {
          records.clients().guard_matching(tenant);
          auto stored = records.settlements().find(tenant, id);
          if (!stored) return {};
          records.claims().guard(tenant, stored->settlement.claim_id);
          // Read again under the guard: the settlement may have been confirmed since the list was read.
          ended =
              has_lapsed(stored->settlement, now) && cancel({records, tenant, now, ids_, rules_}, *stored, "expired");
          return {};
        },
        ports::Priority::background);
    if (!done && done.error().code != ErrorCode::conflict && !first_failure) first_failure = done.error();
    canceled += done && ended;
  }
  if (first_failure) return *first_failure;
  return canceled;
}

}  // namespace tideover::usecases
