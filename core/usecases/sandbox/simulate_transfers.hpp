// What the bank of the sandbox says about a payment, by request: it settled, came back, or was refused
// (api/docs/sandbox.md). The statement of the simulated bank keeps its own state of the payment.
//
// Threads: thread-safe.
#pragma once
#include <string>

#include "core/usecases/funding/disburse.hpp"

namespace tideover::usecases {

struct TransferOrder {
  std::string transfer_id;
  ports::RailOutcome::Kind outcome = ports::RailOutcome::Kind::settled;  // settled, returned or rejected
  std::string code{};                                                    // of a return or refusal
};

class SimulateTransfers {
 public:
  SimulateTransfers(ports::Store& store, Disburse& disburse, ports::FundingRails& rails, ports::IdSource& ids)
      : store_(store), disburse_(disburse), rails_(rails), ids_(ids) {}

  /// Errors: not_found; invalid_state when the payment has no such step, its rail moves money, or a payment over an
  /// irrevocable rail should come back.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const TransferOrder& order,
                                            const Render<domain::DisbursementAttempt>& render);

 private:
  ports::Store& store_;
  Disburse& disburse_;
  ports::FundingRails& rails_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
