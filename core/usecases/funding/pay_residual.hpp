// Pays out what a settlement owes of its residual (core/docs/contract.md#allocation), by the protocol of the advance:
// see disburse.hpp. A request pays one settlement's and hears what the rail says; where the operator wants residuals
// paid at once, rounds claim all that are due and the resolver carries them out. What the rail refused or sent back is
// paid again only when a request asks for it.
#pragma once
#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

class PayResidual {
 public:
  /// `allowed`: the operator wants residuals paid out at all.
  PayResidual(ports::Store& store, Disburse& disburse, ports::IdSource& ids, bool allowed)
      : store_(store), disburse_(disburse), ids_(ids), allowed_(allowed) {}
  /// Answers with the payout once the rail has taken it; asked again under its key, with the same. Refusals as of a
  /// confirm.
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
  /// `minimum`: what is less waits until more is owed of the same settlement.
  PayResiduals(ports::Store& store, Disburse& disburse, ports::IdSource& ids, domain::Money minimum)
      : store_(store), disburse_(disburse), ids_(ids), minimum_(minimum) {}
  /// Claims every residual that is due; how many. One that cannot be claimed does not hold up the others.
  domain::Result<int> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  ports::Store& store_;
  Disburse& disburse_;
  ports::IdSource& ids_;
  const domain::Money minimum_;
};

}  // namespace tideover::usecases
