// Confirms a settlement, which funds it (openapi.yaml: POST /v1/settlements/{settlement_id}/confirm). The one use case
// that moves money out. Where another request, the resolver or another node has the attempt, it waits a while and
// answers with what became of it.
#pragma once
#include <atomic>

#include "core/ports/rules/rule_policy.hpp"
#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

/// The confirmation result of openapi.yaml, and what is known of the transfer.
struct Confirmation {
  domain::Settlement settlement;
  domain::TransferId transfer;
};

struct ConfirmOptions {
  /// How long a confirm waits for whoever has the attempt.
  std::chrono::milliseconds wait{5'000};
  /// Of them at once: each holds a worker thread. The others are told to ask again.
  int most_waiting = 16;
};

class ConfirmSettlement {
 public:
  ConfirmSettlement(ports::Store& store, ports::RulePolicy& rules, Disburse& disburse, ports::IdSource& ids,
                    ConfirmOptions options)
      : store_(store), rules_(rules), disburse_(disburse), ids_(ids), options_(options) {}
  /// `render_refusal` writes the body of a refusal that is final and therefore kept under the key (rail_rejected).
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& settlement_id,
                                            const Render<Confirmation>& render,
                                            const Render<domain::Error>& render_refusal);

 private:
  struct Snapshot {
    ports::StoredSettlement stored;
    std::optional<domain::DisbursementAttempt> last;
  };
  domain::Result<Snapshot> look(const domain::TenantId& tenant, const domain::SettlementId& id) const;
  /// The last attempt once nobody has it any more; as it is when the time is up.
  domain::Result<Snapshot> wait(const domain::TenantId& tenant, const domain::SettlementId& id);

  /// Terms that rules approved wait up to their expiry, and what is out grows meanwhile: nullopt, or the refusal where
  /// the portfolio of now would send them to an operator, or the error where it cannot be read. What an operator
  /// approved is left alone.
  std::optional<domain::Error> refusal_of_portfolio(const RequestContext& context,
                                                    const domain::Settlement& settlement);

  ports::Store& store_;
  ports::RulePolicy& rules_;
  Disburse& disburse_;
  ports::IdSource& ids_;
  const ConfirmOptions options_;
  std::atomic<int> waiting_{0};
};

}  // namespace tideover::usecases
