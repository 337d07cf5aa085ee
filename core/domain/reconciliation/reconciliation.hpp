// Allocation (core/docs/contract.md#allocation): principal first, then the fee, then the residual to the provider.
// Advances are non-recourse: a shortfall is the funder's loss and never a debit of the provider. The loss is limited to
// advance and fee. The residual follows what the payer pays and takes back. If more of it was paid out than is left,
// the provider owes the difference: it stands in `provider_payable`, and no debit collects it.
//
// A settlement may be paid in any number of payments. Each continues the allocation. The settlement is final when the
// payer has decided on everything that was billed, that is, when the charges of its remittances (CLP03) add up to the
// claim's charge. For money without a remittance it is final when the expected amount is there. Until then it is
// `partial`, and nothing is lost yet. A payment or takeback after that is one more record and changes the loss.
//
// Threads: pure functions.
// Units: cents.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/funding/disbursement.hpp"
#include "core/domain/funding/recourse.hpp"

namespace tideover::domain {

enum class FinalStatus { pending, partial, settled, settled_short, settled_over, denied, reversed, written_off };
std::string_view name_of(FinalStatus status);
std::optional<FinalStatus> final_status_named(std::string_view name);

/// No further payment is expected, although one may come.
constexpr bool is_final(FinalStatus status) {
  return status != FinalStatus::pending && status != FinalStatus::partial;
}

/// The change by one payment. Every amount may be negative after the settlement is final.
/// Invariant: recovered + fee + residual - residual_loss = payment.
struct Allocation {
  Money recovered;  // principal returned to the funder
  Money fee;
  Money residual;        // credited to the provider
  Money absorbed;        // unpaid principal and fee, and residual_loss
  Money principal_loss;  // the posted part of `absorbed`, besides residual_loss
  Money residual_loss;   // a reversed residual that was posted as a loss, by earlier versions only; it becomes
                         // smaller, never larger
  FinalStatus status = FinalStatus::pending;  // after this payment
};

/// What the payer decided with a payment.
enum class PaymentKind {
  none,              // money without a remittance
  processed,         // CLP02 1 to 3, 19 to 21
  denied,            // CLP02 4
  taken_back,        // CLP02 22: the payment is negative
  written_off,       // nothing was paid for too long
  advance_returned,  // the provider never got the advance; payments are credited to the provider
  money_returned,    // the bank took the payment back: the payer has yet to pay
};

struct Payment {
  Money amount;
  PaymentKind kind = PaymentKind::none;
  Money charge;  // decided by this remittance (CLP03); negative: a reversal; zero: no remittance
};

/// The amounts that a settlement's payments are compared with.
struct AdvanceTerms {
  Money advance;
  Money fee;
  Money expected;
  Money billed;
};

/// What was paid on a settlement and how it was allocated: the sum of its records.
struct Position {
  Money paid;
  Money charge;  // decided so far
  Allocation split;
};

/// The change that a payment makes to a settlement at `position`. Principal, fee and residual of all payments together
/// equal the split of one payment of their sum. A takeback takes back at most what was paid: see may_take_back().
Allocation continue_allocation(const Position& position, const Payment& payment, const AdvanceTerms& terms);

/// The position after the payment.
Position continued(const Position& position, const Payment& payment, const AdvanceTerms& terms);

/// Whether a further payment needs no reviewer: the settlement waits for it, everything paid before was taken back, or
/// all payments together are at most what is expected. Otherwise the payer may have paid the same claim twice.
bool continues(const Position& position, Money amount, Money expected);
/// A takeback needs a payment to reverse. If it was not paid yet, the payment has yet to come.
bool may_take_back(const Position& position, Money amount);
/// The amount by which all payments of the settlement, with this one, exceed the billed charge; zero or less: they do
/// not. A reviewer decides on an excess.
Money above_charge(const Position& position, Money amount, Money billed);

/// The part of the payment that the payer did not owe: above the charge, or above the expected amount where the
/// settlement is final.
Money overpaid_by(const Position& before, Money amount, const AdvanceTerms& terms);

Allocation operator-(const Allocation& split);

/// `matched_by` of a record that undoes an earlier one, of a write-off, and of one after the advance was returned.
inline constexpr const char* kUndone = "undone";
inline constexpr const char* kWriteOff = "write_off";
inline constexpr const char* kFundingReturned = "funding_returned";
/// `matched_by` of a record that takes the payment of a returned deposit back.
inline constexpr const char* kDepositReturned = "deposit_returned";

/// The Reconciliation record of openapi.yaml with our additions.
struct ReconciliationRecord {
  ReconciliationId id;
  SettlementId settlement;
  int number = 1;  // per settlement, without gaps; gives the order, independent of clocks
  Money payer_payment;
  Money charge;  // Payment::charge
  Allocation split;
  std::string matched_by;  // a matching step, kUndone or kWriteOff
  std::optional<DepositId> deposit;
  std::optional<RemittanceId> remittance;
  std::string trace_number;
  Timestamp posted_at;
};

/// The records that no later one undoes, in order.
std::vector<ReconciliationRecord> standing(const std::vector<ReconciliationRecord>& records);
/// The number after these records, which belong to one settlement and are in order.
int next_number(const std::vector<ReconciliationRecord>& records);
Position position_of(const std::vector<ReconciliationRecord>& records);

/// The reconciliation of a settlement (GET .../reconciliation).
/// A payment that a remittance announces for an advance and that is not posted: the money is missing or held for a
/// reviewer.
struct AnnouncedPayment {
  RemittanceId remittance;
  int claim = 0;       // position in the remittance
  std::string status;  // CLP02
  Money payer_payment;
  Money charge;
  std::string trace_number;
  std::optional<Date> payment_date;
  std::optional<DepositId> deposit;  // received, but held
  Timestamp received_at;
};

struct Reconciliation {
  SettlementId settlement;
  FinalStatus status = FinalStatus::pending;
  bool is_funded = true;  // false: the settlement ended without an advance, and no payment is expected
  Money expected_payment;
  Money payer_payment;
  Money advance_recovered;
  Money fee_estimated;
  Money fee_collected;
  Money residual_released;
  Money residual_paid_out;  // of the residual: taken by the rail, or covered by payouts to the practice
  Money residual_held;      // of the residual: in the reserve of the practice
  Money residual_due;  // of the residual: owed and not claimed for a payout; negative: paid out and then taken back
                       // by the payer, or an undo removed the payment
  Money shortfall_absorbed;
  Money variance;  // payer_payment - expected_payment
  std::string matched_by;
  std::vector<ReconciliationRecord> records;  // oldest first
  std::vector<DisbursementAttempt> payouts;   // of the residual, oldest first
  std::vector<AnnouncedPayment> announced;    // oldest first
  std::vector<RecourseEntry> recourse{};      // oldest first
  Timestamp updated_at;
};

/// The part of a residual that payouts claimed: paid, on its way, or with an unknown outcome.
Money claimed_by(const std::vector<DisbursementAttempt>& payouts);

/// `covered`: of the residual, by payouts to the practice.
Reconciliation summarise(const SettlementId& settlement, Money expected, Money fee_estimate, Timestamp since,
                         std::vector<ReconciliationRecord> records, std::vector<DisbursementAttempt> payouts,
                         Money covered = {});

}  // namespace tideover::domain
