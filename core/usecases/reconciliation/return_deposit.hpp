// A deposit that the bank took back: a returned check, a reversed transfer (POST /v1/deposits/{deposit_id}/return;
// core/docs/contract.md#returned-deposits).
//
// Threads: thread-safe.
#pragma once
#include "core/usecases/reconciliation/read_deposits.hpp"
#include "core/usecases/request/request_context.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

struct DepositReturn {
  std::string deposit_id;
  domain::Date returned_date;
  std::string reason;  // of the bank
};

class ReturnDeposit {
 public:
  ReturnDeposit(ports::Store& store, ports::IdSource& ids, ports::RulePolicy* rules = nullptr)
      : store_(store), ids_(ids), rules_(rules) {}
  /// Undoes what the deposit paid and books it back. Errors: not_found; validation_error for a date before the receipt
  /// or in the future; invalid_state when it was returned before, was never posted, or a later posting builds on it.
  domain::Result<StoredResponse> operator()(const RequestContext& context, const DepositReturn& returned,
                                            const Render<DepositView>& render);

 private:
  ports::Store& store_;
  ports::IdSource& ids_;
  ports::RulePolicy* const rules_;
};

}  // namespace tideover::usecases
