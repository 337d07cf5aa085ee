#include "core/domain/operations/simulated_payment.hpp"

#include <array>

#include "core/domain/basics/enum_names.hpp"

namespace tideover::domain {
namespace {

constexpr std::array<std::string_view, 6> kNames{"paid", "short", "denied", "overpaid", "reversed", "taken_back"};
constexpr const char* kContractual = "45";
constexpr const char* kNoAuthorization = "197";
constexpr int kShortPercent = 60;
constexpr int kOverpaidPercent = 120;

Money percent_of(Money amount, int percent) {
  return Money::cents(amount.cents() * percent / 100);  // cut off: a payer that pays a part may pay any
}

bool takes_back(PaymentOutcome outcome) {
  return outcome == PaymentOutcome::reversed || outcome == PaymentOutcome::taken_back;
}

Money paid_amount(const Settlement& settlement, PaymentOutcome outcome) {
  const Money expected = settlement.expected_reimbursement;
  switch (outcome) {
    case PaymentOutcome::paid:
      return expected;
    case PaymentOutcome::shortfall:
      return percent_of(expected, kShortPercent);
    case PaymentOutcome::overpaid:
      return percent_of(expected, kOverpaidPercent);
    case PaymentOutcome::denied:
      return Money{};
    case PaymentOutcome::reversed:
    case PaymentOutcome::taken_back:
      return -expected;
  }
  return Money{};
}

RemittanceClaim claim_of(const Settlement& settlement, PaymentOutcome outcome) {
  RemittanceClaim claim;
  const bool is_denied = outcome == PaymentOutcome::denied;
  claim.claim_identifier = settlement.claim_identifier;
  claim.status = takes_back(outcome) ? "22" : is_denied ? "4" : "1";
  claim.charge_amount = takes_back(outcome) ? -settlement.billed.charge : settlement.billed.charge;
  claim.paid_amount = paid_amount(settlement, outcome);
  claim.date_of_service = settlement.billed.date_of_service;
  claim.billing_npi = settlement.billed.billing_npi;
  if (const auto rest = claim.charge_amount - claim.paid_amount; !rest.is_zero())
    claim.adjustments.push_back({"CO", is_denied ? kNoAuthorization : kContractual, rest});
  return claim;
}

}  // namespace

std::string_view name_of(PaymentOutcome outcome) {
  return kNames[static_cast<std::size_t>(outcome)];
}

std::optional<PaymentOutcome> payment_outcome_named(std::string_view name) {
  return enum_named<PaymentOutcome>(kNames, name);
}

std::optional<PaymentOutcome> magic_outcome(Money charge) {
  switch (charge.cents() % 100) {
    case 1:
    case kTakenBackCents:
      return PaymentOutcome::paid;
    case 2:
      return PaymentOutcome::shortfall;
    case 3:
      return PaymentOutcome::denied;
    case 4:
      return PaymentOutcome::overpaid;
    default:
      return std::nullopt;
  }
}

std::string simulated_trace_prefix(PaymentOutcome outcome) {
  return "SANDBOX-" + std::string(name_of(outcome)) + '-';
}

SimulatedPayment simulated_payment(const Settlement& settlement, PaymentOutcome outcome, Date today) {
  SimulatedPayment made;
  auto& remittance = made.remittance;
  remittance.payer_id = settlement.payer_id;
  remittance.trace_number = simulated_trace_prefix(outcome) + settlement.id.text();
  remittance.payment_date = today;
  remittance.payment_method = "ACH";
  remittance.payee_npi = settlement.billed.billing_npi;
  remittance.claims.push_back(claim_of(settlement, outcome));
  remittance.payment_amount = remittance.claims.front().paid_amount;
  if (outcome == PaymentOutcome::taken_back) {
    remittance.provider_adjustments.push_back(
        {"FB", settlement.claim_identifier, remittance.payment_amount, settlement.billed.billing_npi});
    remittance.payment_amount = Money{};
  }
  if (remittance.payment_amount <= Money{}) return made;
  Deposit& deposit = made.deposit.emplace();
  deposit.payer_id = settlement.payer_id;
  deposit.amount = remittance.payment_amount;
  deposit.received_date = today;
  deposit.trace_number = remittance.trace_number;
  deposit.external_id = remittance.trace_number;
  deposit.channel = "api";
  return made;
}

}  // namespace tideover::domain
