// What a practice is owed, and where it is paid (core/docs/waterfall.md#payouts-to-practices).
//
// Every entry of `provider_payable` that names a practice is a payable: a residual, a claim without an advance,
// interest, a debt. It is open until a payout to the practice covers it. A payout covers all payables of the practice
// that it finds open, debts included, and pays their sum. What it cannot pay is carried forward as one new payable.
//
// Threads: values.
// Units: cents. A positive amount is owed to the practice, a negative one is its debt.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/domain/basics/sensitive.hpp"
#include "core/domain/funding/disbursement.hpp"
#include "core/domain/funding/settlement.hpp"

namespace tideover::domain {

/// Cause kinds of the ledger transactions of a payout to a practice and of its return.
inline constexpr std::string_view kPracticePayout = "practice_payout";
inline constexpr std::string_view kPracticePayoutReturn = "practice_payout_return";
/// Cause kind of a payable that an earlier payout did not pay.
inline constexpr std::string_view kCarriedForward = "carried_forward";

struct Payable {
  std::string transaction;  // of the ledger; of a carried amount: the payout that did not pay it
  int position = 0;         // of the entry in its transaction
  std::string payee_npi;
  std::string payer_id{};  // empty: not known
  std::optional<SettlementId> settlement{};
  std::string cause_kind{};  // of the ledger transaction, or kCarriedForward
  std::string cause_id{};
  Money amount;
  Timestamp at;
  std::optional<Date> effective{};  // of the ledger transaction
};

/// The account of a practice. A practice without one is paid to the tenant's default account.
struct PayeeAccount {
  std::string payee_npi;
  Sensitive<std::string> payout_account_token{};      // empty: the tenant's default account
  std::string rail{};                                 // empty: the service's default rail
  FundingStatus payout_status = FundingStatus::none;  // of the last payout
  std::optional<Timestamp> updated_at{};              // of the account
};

/// A practice with open payables.
struct PracticeDue {
  TenantId tenant;
  std::string payee_npi;
  Money amount;
};

}  // namespace tideover::domain
