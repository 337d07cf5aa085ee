// What a payer of the sandbox sends for a settlement: a remittance and the deposit with its money. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/funding/settlement.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// paid: as expected. short: 60 % of it. overpaid: 120 % of it. denied: nothing. reversed: the payer takes a payment as
/// expected back and debits the account. taken_back: the same as a forward balance.
enum class PaymentOutcome { paid, shortfall, denied, overpaid, reversed, taken_back };
std::string_view name_of(PaymentOutcome outcome);
std::optional<PaymentOutcome> payment_outcome_named(std::string_view name);

/// The outcome that the cents of a charge select in the sandbox: .01 paid, .02 short, .03 denied, .04 overpaid, .05
/// paid and then taken back (here: paid).
std::optional<PaymentOutcome> magic_outcome(Money charge);
/// The cents of a charge whose payment the payer takes back later.
inline constexpr int kTakenBackCents = 5;

/// The trace number of each such payment begins with it and ends with the id of the settlement.
std::string simulated_trace_prefix(PaymentOutcome outcome);

struct SimulatedPayment {
  RemittanceDraft remittance;
  std::optional<Deposit> deposit;  // without id and creation time; nullopt when no money arrives
};

/// The same settlement and outcome have the same trace number, so that remittance and deposit match, and a repeat is
/// recognized.
SimulatedPayment simulated_payment(const Settlement& settlement, PaymentOutcome outcome, Date today);

}  // namespace tideover::domain
