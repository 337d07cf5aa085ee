// Pays out what a settlement owes of its residual (core/docs/contract.md#allocation), with the protocol of an advance:
// see disburse.hpp. A request pays one settlement and gets the rail's answer. When the operator wants residuals paid at
// once, rounds claim all due residuals and the resolver sends them. A refused or returned payout is paid again only on
// request.
//
// Threads: thread-safe.
#pragma once
#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

/// The refusal of a payout that lost against another one. A request without a key has none that could be in progress.
inline domain::Error refused_claim(const RequestContext& context, domain::Error refusal) {
  if (!context.idempotency && refusal.code == domain::ErrorCode::idempotency_in_progress)
    refusal.code = domain::ErrorCode::conflict;
  return refusal;
}

class PayResidual {
 public:
  /// `allowed`: the operator allows payouts of residuals.
  PayResidual(ports::Store& store, Disburse& disburse, ports::IdSource& ids, bool allowed)
      : store_(store), disburse_(disburse), ids_(ids), allowed_(allowed) {}
  /// Answers with the payout after the rail has taken it. The same key gets the same answer. Refuses as a confirm does.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& settlement_id,
                                            const Render<domain::DisbursementAttempt>& render,
                                            const Render<domain::Error>& render_refusal);

 private:
  ports::Store& store_;
  Disburse& disburse_;
  ports::IdSource& ids_;
  const bool allowed_;
};

class PayResiduals {
 public:
  /// `minimum`: a smaller residual waits until more is due for the same settlement.
  PayResiduals(ports::Store& store, Disburse& disburse, ports::IdSource& ids, domain::Money minimum)
      : store_(store), disburse_(disburse), ids_(ids), minimum_(minimum) {}
  /// Claims every residual that is due and returns how many. A settlement that fails does not stop the others.
  domain::Result<int> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  ports::Store& store_;
  Disburse& disburse_;
  ports::IdSource& ids_;
  const domain::Money minimum_;
};

/// Another worker was first, less is due by now, or there is no account.
inline bool is_overtaken(const domain::Error& refusal) {
  return refusal.code == domain::ErrorCode::idempotency_in_progress ||
         refusal.code == domain::ErrorCode::invalid_state || refusal.code == domain::ErrorCode::conflict;
}

/// Claims each payout that is due, page by page, and returns how many. A failure does not stop the others; the first
/// one is returned. `page(records, after, limit)`: what is due behind `after` (nullopt: from the start), in order.
/// `claim(due)` only claims the amount: the resolver sends it, on the node that sends over its rail.
template <class Due, class Page, class Claim>
domain::Result<int> claim_all_due(ports::Store& store, const std::function<bool()>& stopping, const Page& page,
                                  const Claim& claim) {
  constexpr std::size_t kPerPage = 100;
  std::optional<domain::Error> first_failure;
  int claimed = 0;
  std::optional<Due> after;
  for (bool more = true; more && !stopping();) {
    const auto due = fetch(store, [&](const ports::Records& records) { return page(records, after, kPerPage); });
    if (!due) return due.error();
    more = due->size() == kPerPage;
    if (more) after = due->back();
    for (const auto& one : *due) {
      if (stopping()) break;
      const auto payout = claim(one);
      claimed += bool(payout);
      if (!payout && !is_overtaken(payout.error()) && !first_failure) first_failure = payout.error();
    }
  }
  if (first_failure) return *first_failure;
  return claimed;
}

}  // namespace tideover::usecases
