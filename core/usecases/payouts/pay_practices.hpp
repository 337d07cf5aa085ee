// Pays practices what they are owed (core/docs/waterfall.md#payouts-to-practices), with the protocol of an advance: see
// usecases/funding/disburse.hpp. A request pays one practice everything that is due now and gets the rail's answer.
// When the operator wants daily payouts, a round claims for each practice what was due at the last midnight (UTC), and
// the resolver sends it. After a refused or returned payout a practice is paid again on request, or when it gets
// another account.
//
// Threads: thread-safe.
#pragma once
#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

class PayPractice {
 public:
  /// `allowed`: the operator allows payouts.
  PayPractice(ports::Store& store, Disburse& disburse, ports::IdSource& ids, bool allowed)
      : store_(store), disburse_(disburse), ids_(ids), allowed_(allowed) {}
  /// Answers with the payout after the rail has taken it. The same key gets the same answer. Error not_found when
  /// nothing was ever owed to the practice; otherwise refuses as PayResidual does.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const std::string& npi,
                                            const Render<domain::DisbursementAttempt>& render,
                                            const Render<domain::Error>& render_refusal);

 private:
  ports::Store& store_;
  Disburse& disburse_;
  ports::IdSource& ids_;
  const bool allowed_;
};

class PayPractices {
 public:
  /// `minimum`: a smaller amount waits until more is due. `hold_days`: an amount is paid this many days after the day
  /// on which it was posted, at the earliest.
  PayPractices(ports::Store& store, Disburse& disburse, ports::IdSource& ids, const ports::Clock& clock,
               domain::Money minimum, int hold_days)
      : store_(store), disburse_(disburse), ids_(ids), clock_(clock), minimum_(minimum), hold_days_(hold_days) {}
  /// Claims one payout for each practice with an amount due and returns how many. A practice that fails does not stop
  /// the others.
  domain::Result<int> operator()(const std::function<bool()>& stopping = [] { return false; });

 private:
  ports::Store& store_;
  Disburse& disburse_;
  ports::IdSource& ids_;
  const ports::Clock& clock_;
  const domain::Money minimum_;
  const int hold_days_;
};

}  // namespace tideover::usecases
