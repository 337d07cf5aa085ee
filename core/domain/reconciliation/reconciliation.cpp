#include "core/domain/reconciliation/reconciliation.hpp"

#include <algorithm>
#include <array>

#include "core/domain/basics/enum_names.hpp"

namespace tideover::domain {
namespace {
constexpr std::array<std::string_view, 8> kNames{"pending",      "partial", "settled",  "settled_short",
                                                 "settled_over", "denied",  "reversed", "written_off"};
}

std::string_view name_of(FinalStatus status) {
  return kNames[static_cast<std::size_t>(status)];
}

std::optional<FinalStatus> final_status_named(std::string_view name) {
  return enum_named<FinalStatus>(kNames, name);
}

namespace {

bool ends_it(const Position& before, const Payment& payment, const AdvanceTerms& terms) {
  switch (payment.kind) {
    case PaymentKind::none:
      // Without a remittance no charge is decided, so only the expected amount can end it.
      return is_final(before.split.status) || before.paid + payment.amount >= terms.expected;
    case PaymentKind::processed:
    case PaymentKind::denied:
      // Payers decide a claim in parts. It ends when the decided charges reach the billed charge.
      return before.charge + payment.charge >= terms.billed;
    // A correction usually follows a takeback, so a takeback ends nothing by itself.
    case PaymentKind::taken_back:
      return is_final(before.split.status);
    case PaymentKind::money_returned:
      // What other payments decided is still decided.
      return before.charge + payment.charge >= terms.billed ||
             ((before.charge + payment.charge).is_zero() && before.paid + payment.amount >= terms.expected);
    case PaymentKind::written_off:
    case PaymentKind::advance_returned:
      return true;
  }
  return false;
}

FinalStatus status_of(const Allocation& whole, Money paid, PaymentKind kind, Money expected) {
  // A takeback or a denial names the reason of the status, whatever the amounts are.
  if (kind == PaymentKind::taken_back) return FinalStatus::reversed;
  if (kind == PaymentKind::denied && paid.is_zero()) return FinalStatus::denied;
  if (!whole.absorbed.is_zero())
    return kind == PaymentKind::written_off ? FinalStatus::written_off : FinalStatus::settled_short;
  // Nothing of advance and fee is missing.
  return paid > expected ? FinalStatus::settled_over : FinalStatus::settled;
}

Allocation operator-(Allocation whole, const Allocation& before) {
  whole.recovered -= before.recovered;
  whole.fee -= before.fee;
  whole.residual -= before.residual;
  whole.absorbed -= before.absorbed;
  whole.principal_loss -= before.principal_loss;
  whole.residual_loss -= before.residual_loss;
  return whole;
}

void add_to(Allocation& whole, const Allocation& part) {
  whole.recovered += part.recovered;
  whole.fee += part.fee;
  whole.residual += part.residual;
  whole.absorbed += part.absorbed;
  whole.principal_loss += part.principal_loss;
  whole.residual_loss += part.residual_loss;
  whole.status = part.status;
}

}  // namespace

Allocation continue_allocation(const Position& position, const Payment& payment, const AdvanceTerms& terms) {
  // Split the sum of all payments, then subtract the earlier split: the order of payments does not matter.
  const Money paid = position.paid + payment.amount;
  Allocation whole;
  // Principal first, then the fee; only the rest is credited to the provider.
  whole.recovered = std::min(paid, terms.advance);
  whole.fee = std::min(paid - whole.recovered, terms.fee);
  const Money rest = paid - whole.recovered - whole.fee;
  // A loss that an earlier version posted for a residual shrinks as soon as the payer pays again.
  whole.residual_loss = std::max(Money{}, position.split.residual_loss - rest);
  whole.residual = rest + whole.residual_loss;
  whole.absorbed = whole.residual_loss;
  whole.status = FinalStatus::partial;
  if (ends_it(position, payment, terms)) {
    // Final: what is missing of the advance is lost. The unpaid fee was never income, so only `absorbed` counts it.
    whole.principal_loss = terms.advance - whole.recovered;
    whole.absorbed += whole.principal_loss + (terms.fee - whole.fee);
    whole.status = status_of(whole, paid, payment.kind, terms.expected);
    // Without an advance, a payment of nothing changes nothing: keep the status.
    if (payment.kind == PaymentKind::advance_returned && paid.is_zero() && is_final(position.split.status))
      whole.status = position.split.status;
  }
  const bool is_open_again = payment.kind == PaymentKind::money_returned && !is_final(whole.status);
  if (is_open_again && paid.is_zero() && (position.charge + payment.charge).is_zero())
    whole.status = FinalStatus::pending;
  return whole - position.split;
}

Position continued(const Position& position, const Payment& payment, const AdvanceTerms& terms) {
  Position after = position;
  after.paid += payment.amount;
  after.charge += payment.charge;
  add_to(after.split, continue_allocation(position, payment, terms));
  return after;
}

bool continues(const Position& position, Money amount, Money expected) {
  return !is_final(position.split.status) || position.paid <= Money{} || position.paid + amount <= expected;
}

bool may_take_back(const Position& position, Money amount) {
  // The bound keeps a takeback from creating a loss of money that was never received.
  return position.paid >= amount;
}

Money above_charge(const Position& position, Money amount, Money billed) {
  return position.paid + amount - billed;
}

Money overpaid_by(const Position& before, Money amount, const AdvanceTerms& terms) {
  const auto beyond = [&](Money limit) {
    return std::max(before.paid + amount - limit, Money{}) - std::max(before.paid - limit, Money{});
  };
  if (amount <= Money{}) return {};
  const bool is_paid_twice = !continues(before, amount, terms.expected);
  return is_paid_twice ? beyond(terms.expected) : beyond(terms.billed);
}

std::vector<ReconciliationRecord> standing(const std::vector<ReconciliationRecord>& records) {
  std::vector<ReconciliationRecord> left;
  for (const auto& record : records)
    if (record.matched_by == kUndone)
      left.pop_back();  // only the last standing record can be undone
    else
      left.push_back(record);
  return left;
}

int next_number(const std::vector<ReconciliationRecord>& records) {
  return records.empty() ? 1 : records.back().number + 1;
}

Position position_of(const std::vector<ReconciliationRecord>& records) {
  Position position;
  // Takebacks and undos are records as well, so the plain sum is the position.
  for (const auto& record : records) {
    position.paid += record.payer_payment;
    position.charge += record.charge;
    add_to(position.split, record.split);
  }
  return position;
}

Allocation operator-(const Allocation& split) {
  // An undo adds the opposite amounts, so that the sum of all records is as before. Nothing is deleted.
  Allocation opposite = split;
  for (Money* amount : {&opposite.recovered, &opposite.fee, &opposite.residual, &opposite.absorbed,
                        &opposite.principal_loss, &opposite.residual_loss})
    *amount = -*amount;
  return opposite;
}

Money claimed_by(const std::vector<DisbursementAttempt>& payouts) {
  Money claimed;
  for (const auto& payout : payouts)
    // A payout with an unknown outcome counts as claimed: the money may be gone.
    if (!is_undone(payout.state)) claimed += payout.amount;
  return claimed;
}

Reconciliation summarise(const SettlementId& settlement, Money expected, Money fee_estimate, Timestamp since,
                         std::vector<ReconciliationRecord> records, std::vector<DisbursementAttempt> payouts,
                         Money covered) {
  Reconciliation whole;
  whole.settlement = settlement;
  whole.expected_payment = expected;
  whole.fee_estimated = fee_estimate;
  whole.updated_at = since;
  const auto position = position_of(records);
  whole.payer_payment = position.paid;
  whole.advance_recovered = position.split.recovered;
  whole.fee_collected = position.split.fee;
  whole.residual_released = position.split.residual;
  whole.shortfall_absorbed = position.split.absorbed;
  whole.status = position.split.status;
  if (!records.empty()) {
    whole.matched_by = records.back().matched_by;
    whole.updated_at = records.back().posted_at;
    whole.variance = whole.payer_payment - expected;
  }
  // Only what the rail took was paid out.
  for (const auto& payout : payouts) {
    if (is_paid(payout.state)) whole.residual_paid_out += payout.amount;
    whole.updated_at = std::max(whole.updated_at, payout.updated_at);
  }
  // claimed_by() also counts payouts with an unknown outcome: their money may be gone.
  whole.residual_due = whole.residual_released - claimed_by(payouts) - covered;
  whole.residual_paid_out += covered;
  whole.records = std::move(records);
  whole.payouts = std::move(payouts);
  return whole;
}

}  // namespace tideover::domain
