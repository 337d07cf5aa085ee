// Payments of payers that the sandbox makes from a settlement: by request, and by the cents of the charge once the
// expected payment date has come (api/docs/sandbox.md).
//
// Threads: thread-safe.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/operations/simulated_payment.hpp"
#include "core/ports/clock.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"

namespace tideover::usecases {

struct PaymentOrder {
  std::string settlement_id;
  domain::PaymentOutcome outcome = domain::PaymentOutcome::paid;
};

class SimulatePayments {
 public:
  SimulatePayments(ports::Store& store, PostRemittance& post_remittance, PostDeposit& post_deposit,
                   const ports::Clock& clock)
      : store_(store), post_remittance_(post_remittance), post_deposit_(post_deposit), clock_(clock) {}

  /// A repeat has the date of the first time, on whatever day it comes, and so has the other half. Error
  /// settlement_not_found, else as PostRemittance.
  domain::Result<StoredResponse> remittance(const RequestContext& context, const PaymentOrder& order,
                                            const Render<std::vector<PostedRemittance>>& render);
  /// Error settlement_not_found; validation_error for an outcome without money; else as PostDeposit.
  domain::Result<StoredResponse> deposit(const RequestContext& context, const PaymentOrder& order,
                                         const Render<PostedDeposit>& render);
  /// Sends remittance and deposit of each funded settlement whose charge selects an outcome and whose payment is
  /// expected by now, and takebacks of those that were paid. What a failure left out follows in the next call. Returns
  /// for how many something was missing.
  domain::Result<int> send_due(const std::function<bool()>& stopping);

 private:
  /// A payment, and what of it came before.
  struct Payment {
    domain::SimulatedPayment made;
    std::optional<domain::Remittance> remittance;  // without its claims
    std::optional<domain::Deposit> deposit;
  };

  domain::Result<domain::Settlement> settlement_of(const domain::TenantId& tenant, const std::string& id) const;
  domain::Result<Payment> payment_of(const domain::TenantId& tenant, const domain::Settlement& settlement,
                                     domain::PaymentOutcome outcome, domain::Date today) const;
  /// Whether anything was missing.
  domain::Result<bool> send(const domain::TenantId& tenant, const domain::Settlement& settlement,
                            domain::PaymentOutcome outcome);
  /// The same, once the payment is expected by the time of the tenant. `outcome`: nullopt for what the charge selects.
  domain::Result<bool> send_if_expected(const domain::TenantId& tenant, const domain::SettlementId& id,
                                        std::optional<domain::PaymentOutcome> outcome);

  ports::Store& store_;
  PostRemittance& post_remittance_;
  PostDeposit& post_deposit_;
  const ports::Clock& clock_;
};

}  // namespace tideover::usecases
