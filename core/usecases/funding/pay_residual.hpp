// Pays out what a settlement owes of its residual (core/docs/contract.md#allocation), with the protocol of an advance:
// see disburse.hpp. A request pays one settlement and gets the rail's answer. When the operator wants residuals paid at
// once, rounds claim all due residuals and the resolver sends them. A refused or returned payout is paid again only on
// request.
//
// Threads: thread-safe.
#pragma once
#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

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

}  // namespace tideover::usecases
