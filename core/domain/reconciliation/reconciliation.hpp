// The waterfall (core/docs/contract.md#allocation): principal, then fee, then the residual to the provider.
// Non-recourse: a shortfall is the funder's loss and never a debit of the provider. The loss has a bound: a settlement
// loses its advance and its fee at most. The residual follows what the payer pays and takes back. Where more of it was
// paid out than is left, the provider owes the difference: it stands in `provider_payable`, and no debit collects it.
//
// A settlement is paid in as many payments as the payer likes; each continues the waterfall where it stood. It is final
// when the payer has decided on all that was billed - the charges of its remittances (CLP03) add up to the claim's -
// or, where money came without a remittance, when all that is expected is there. Until then it is `partial` and nothing
// is lost yet. A payment or a takeback after finality is one more record, and what was lost is lost less, or more.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/funding/disbursement.hpp"

namespace tideover::domain {

enum class FinalStatus { pending, partial, settled, settled_short, settled_over, denied, reversed, written_off };
std::string_view name_of(FinalStatus status);
std::optional<FinalStatus> final_status_named(std::string_view name);

/// No further payment is waited for; one may come all the same.
constexpr bool is_final(FinalStatus status) {
  return status != FinalStatus::pending && status != FinalStatus::partial;
}

/// What one payment changes; every amount may be negative once a settlement is final.
/// Shape: recovered + fee + residual - residual_loss = payment.
struct Waterfall {
  Money recovered;  // principal returned to the funder
  Money fee;
  Money residual;        // to the provider
  Money absorbed;        // principal and fee that will not come, and residual_loss
  Money principal_loss;  // the booked part of `absorbed`, with residual_loss
  Money residual_loss;   // a residual that was taken back and booked as a loss: only by earlier versions. It becomes
                         // smaller, never larger
  FinalStatus status = FinalStatus::pending;  // as it stands behind this payment
};

/// What the payer says about a payment.
enum class PaymentWord {
  none,              // money alone
  processed,         // CLP02 1 to 3, 19 to 21
  denied,            // CLP02 4
  taken_back,        // CLP02 22: the payment is negative
  given_up,          // nothing at all, for so long that nobody waits any more: written off
  advance_returned,  // nothing; the provider never got the advance, and what was paid is the provider's
};

struct Payment {
  Money amount;
  PaymentWord word = PaymentWord::none;
  Money charge;  // that this remittance decides on (CLP03); negative in a reversal, zero without a remittance
};

/// What a settlement is measured by.
struct AdvanceTerms {
  Money advance;
  Money fee;
  Money expected;
  Money billed;
};

/// Where a settlement's waterfall stands: what its records add up to.
struct Position {
  Money paid;
  Money charge;  // decided on so far
  Waterfall split;
};

/// What a payment does to a settlement that stands at `position`. Principal, fee and residual of all payments together
/// are what one payment of their sum would be split into. A takeback takes back at most what was paid: see
/// may_take_back().
Waterfall continue_waterfall(const Position& position, const Payment& payment, const AdvanceTerms& terms);

/// Whether a further payment is one that nobody need look at: the settlement waits for it, nothing of an earlier one is
/// left, or all of them together stay within what is expected. Else the payer may have paid the same twice.
bool continues(const Position& position, Money amount, Money expected);
/// What was never paid cannot be taken back: the payment that it reverses has yet to come.
bool may_take_back(const Position& position, Money amount);
/// What the payments of the settlement, with this one, are above what was billed: zero or less where they are not. A
/// reviewer decides on such a payment.
Money above_charge(const Position& position, Money amount, Money billed);

Waterfall operator-(const Waterfall& split);

/// `matched_by` of a record that takes an earlier one back, of one that gives up, and of one behind which there is no
/// advance any more.
inline constexpr const char* kUndone = "undone";
inline constexpr const char* kWriteOff = "write_off";
inline constexpr const char* kFundingReturned = "funding_returned";

/// The Reconciliation record of openapi.yaml and what we add to it.
struct ReconciliationRecord {
  ReconciliationId id;
  SettlementId settlement;
  int number = 1;  // of the settlement's, without gaps: their order, whatever clock made their ids
  Money payer_payment;
  Money charge;  // Payment::charge
  Waterfall split;
  std::string matched_by;  // a step of the match ladder, kUndone or kWriteOff
  std::optional<DepositId> deposit;
  std::optional<RemittanceId> remittance;
  std::string trace_number;
  Timestamp posted_at;
};

/// Of the one behind them, which are one settlement's in order.
int next_number(const std::vector<ReconciliationRecord>& records);
Position position_of(const std::vector<ReconciliationRecord>& records);

/// A settlement's whole reconciliation (GET .../reconciliation).
/// What a remittance says of an advance, and is not posted: its money has not come, or is held for a reviewer.
struct AnnouncedPayment {
  RemittanceId remittance;
  int claim = 0;       // position in the remittance
  std::string status;  // CLP02
  Money payer_payment;
  Money charge;
  std::string trace_number;
  std::optional<Date> payment_date;
  std::optional<DepositId> deposit;  // it came, but is held
  Timestamp received_at;
};

struct Reconciliation {
  SettlementId settlement;
  FinalStatus status = FinalStatus::pending;
  Money expected_payment;
  Money payer_payment;
  Money advance_recovered;
  Money fee_estimated;
  Money fee_collected;
  Money residual_released;
  Money residual_paid_out;  // of it: the rail has taken it
  Money residual_due;  // of it: owed, and not claimed for a payout. Negative: paid out and taken back by the payer, or
                       // books were lost
  Money shortfall_absorbed;
  Money variance;  // payer_payment - expected_payment
  std::string matched_by;
  std::vector<ReconciliationRecord> records;  // oldest first
  std::vector<DisbursementAttempt> payouts;   // of the residual, oldest first
  std::vector<AnnouncedPayment> announced;    // oldest first
  Timestamp updated_at;
};

/// What of a residual was claimed for payouts: paid, on its way, or perhaps so.
Money claimed_by(const std::vector<DisbursementAttempt>& payouts);

Reconciliation summarise(const SettlementId& settlement, Money expected, Money fee_estimate, Timestamp since,
                         std::vector<ReconciliationRecord> records, std::vector<DisbursementAttempt> payouts);

}  // namespace tideover::domain
