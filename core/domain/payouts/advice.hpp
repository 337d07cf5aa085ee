// The remittance advice of a payout to a practice: what each part of the payment is for
// (core/docs/waterfall.md#remittance-advice).
//
// The practice sees what the payer paid for a claim, and what was deducted: the advance that it has, and the fee. A
// line adds payer_payment - advance_recovered - fee + adjustment to the payment. The lines of a payout add up to its
// amount.
//
// Threads: pure functions.
// Units: cents. A positive amount is paid to the practice, except for the two deductions.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/funding/payable.hpp"
#include "core/domain/reconciliation/allocation.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

enum class AdviceKind {
  advanced_claim,       // a payment for an advanced claim, or its reversal
  claim,                // the same for a claim without an advance
  provider_adjustment,  // interest, a withholding or another amount beside the claims (PLB)
  settlement_payout,    // paid before by a payout of one settlement, or returned from it
  returned_payout,      // an earlier payout that was returned
  carried_forward,      // to the next payout (negative), or from an earlier one
  recourse,             // what the recourse policy moved: into the reserve or out of it, or between practice and funder
  other,
};
std::string_view name_of(AdviceKind kind);

struct AdviceLine {
  AdviceKind kind = AdviceKind::other;
  std::string claim_identifier{};          // as billed; empty: no claim
  std::optional<RemittanceClaim> claim{};  // what the payer paid for it; is_consistent()
  std::optional<SettlementId> settlement{};
  std::string payer_id{};
  std::optional<RemittanceId> remittance{};
  std::string trace_number{};  // of the payer's remittance
  std::string code{};          // of a provider adjustment: PLB03-1 of the payer
  std::string reference{};     // of a provider adjustment: PLB03-2; of an earlier payout: its id
  Money payer_payment{};       // for the claim
  Money advance_recovered{};
  Money fee{};
  Money adjustment{};
  Date effective{};

  Money amount() const { return payer_payment - advance_recovered - fee + adjustment; }
};

struct AdviceTotals {
  Money payer_payment, advance_recovered, fee, adjustment, amount;
  void add(const AdviceLine& line);
};

/// Who pays, as the advice names it.
struct AdvicePayer {
  std::string name;
  std::string originator_id;  // TRN03
  std::string street{}, city{}, state{}, postal_code{}, phone{};
};

/// Whether charge less adjustments is the payment, of the claim and of each line, every adjustment has a reason and
/// every line a procedure.
bool is_consistent(const RemittanceClaim& claim);
/// The claim as an advice reports a payment of `paid`. With charge and adjustments if they agree with it. Otherwise the
/// payment stands alone, as a charge of its amount. `is_undone`: the payment as decided is taken back.
RemittanceClaim reported_claim(const RemittanceClaim& decided, Money paid, bool is_undone);

/// The records of a settlement that the payable of record `id` pays: this one, and those before it that left nothing
/// for the practice and moved money. `records`: all of the settlement, oldest first.
std::vector<ReconciliationRecord> records_paid_with(const std::vector<ReconciliationRecord>& records,
                                                    const std::string& id);
/// `decided`: the claim of the remittance that the record posted; nullptr: not known.
AdviceLine advice_of(const ReconciliationRecord& record, const std::string& claim_identifier,
                     const RemittanceClaim* decided);

/// The rows of a remittance that a payable pays. nullopt: they are not known.
std::optional<std::vector<AllocationRow>> rows_paid_with(const std::vector<AllocationRow>& rows,
                                                         const Payable& payable);
AdviceLine advice_of(const AllocationRow& row, const Remittance& remittance);

}  // namespace tideover::domain
