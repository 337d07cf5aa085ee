// Confirms a settlement, which funds it (openapi.yaml: POST /v1/settlements/{settlement_id}/confirm). Moves money out.
// When another request, the resolver or another node has the attempt, the call waits for a limited time and answers
// with the result.
//
// Threads: thread-safe. A call may block for ConfirmOptions::wait.
#pragma once
#include <atomic>

#include "core/ports/rules/rule_policy.hpp"
#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

/// The confirmation result of openapi.yaml, and the transfer as far as it is known.
struct Confirmation {
  domain::Settlement settlement;
  domain::TransferId transfer;
};

struct ConfirmOptions {
  /// How long a confirm waits for the worker that has the attempt.
  std::chrono::milliseconds wait{5'000};
  /// How many may wait at the same time: each occupies a worker thread. Other requests get `idempotency_in_progress`.
  int most_waiting = 16;
};

class ConfirmSettlement {
 public:
  ConfirmSettlement(ports::Store& store, ports::RulePolicy& rules, Disburse& disburse, ports::IdSource& ids,
                    ConfirmOptions options)
      : store_(store), rules_(rules), disburse_(disburse), ids_(ids), options_(options) {}
  /// `render_refusal` writes the body of a final refusal (rail_rejected), which is stored under the idempotency key.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& settlement_id,
                                            const Render<Confirmation>& render,
                                            const Render<domain::Error>& render_refusal);

 private:
  struct Snapshot {
    ports::StoredSettlement stored;
    std::optional<domain::DisbursementAttempt> last;
  };
  domain::Result<Snapshot> read(const domain::TenantId& tenant, const domain::SettlementId& id) const;
  /// The settlement when no worker has its last attempt any more, or as it is when the time is up.
  domain::Result<Snapshot> wait(const domain::TenantId& tenant, const domain::SettlementId& id);

  /// Checks terms that rules approved against today's portfolio, because the exposure may have grown since. Returns
  /// nullopt, the refusal when the rules would ask for a manual review now, or the error when the portfolio cannot be
  /// read. Terms that a reviewer approved are not checked.
  std::optional<domain::Error> refusal_of_portfolio(const RequestContext& context,
                                                    const domain::Settlement& settlement);
  bool may_have_lost_fallback(const domain::TenantId& tenant, const domain::DisbursementAttempt& refused) const;
  /// Stores the response and its audit row together with the outcome. The arguments must outlive the result; `body`
  /// gets the response of a payment that was made.
  OnOutcome response_stored(const RequestContext& context, const domain::SettlementId& id,
                            const Render<Confirmation>& render, const Render<domain::Error>& render_refusal,
                            std::string& body);

  ports::Store& store_;
  ports::RulePolicy& rules_;
  Disburse& disburse_;
  ports::IdSource& ids_;
  const ConfirmOptions options_;
  std::atomic<int> waiting_{0};
};

}  // namespace tideover::usecases
