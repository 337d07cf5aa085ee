// Double-entry ledger. A transaction is a set of signed cents with the sum zero. It is written once and never changed.
// Money that is promised and not moved yet is `pending`; one `posted` or `voided` transaction that names it ends it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/funding/settlement.hpp"

namespace tideover::domain {

enum class LedgerPhase { pending, posted, voided };
std::string_view name_of(LedgerPhase phase);
std::optional<LedgerPhase> ledger_phase_named(std::string_view name);

/// Account names: core/docs/contract.md#ledger.
namespace account {
inline constexpr std::string_view kFundingCash = "funding_cash";
inline constexpr std::string_view kFeeIncome = "fee_income";
inline constexpr std::string_view kDepositClearing = "deposit_clearing";
inline constexpr std::string_view kSuspenseUnmatched = "suspense_unmatched";
/// Forward balances: taken back, and still to be withheld by payers from later payments. A credit.
inline constexpr std::string_view kCarriedBalances = "carried_balances";
inline constexpr std::string_view kLossOnReceivable = "loss_on_receivable";
std::string purchased_receivable(const SettlementId& settlement);
std::string provider_payable(const TenantId& tenant);
}  // namespace account

/// The practice that an amount is owed to or withheld from, and the payer that it comes from. Empty: not known, or
/// none.
struct LedgerParty {
  std::string payer_id{};
  std::string payee_npi{};
  friend auto operator<=>(const LedgerParty&, const LedgerParty&) = default;
};

/// The practice that the residual of an advance is owed to, and its payer.
LedgerParty party_of(const Settlement& settlement);

struct LedgerEntry {
  std::string account;
  Money amount;  // debit > 0, credit < 0
  LedgerParty party{};
};

/// What a transaction is booked for.
struct LedgerCause {
  std::string kind;
  std::string id;
  std::optional<SettlementId> settlement = std::nullopt;
};

struct LedgerTransaction {
  /// A transaction without entries. Without `effective_on`, or with a day before 1970, it takes effect on the day of
  /// posting (UTC). So it does with a day more than 100 days later or 400 days earlier, which `occurred_on` keeps.
  static LedgerTransaction of(LedgerTransactionId id, LedgerCause cause, Timestamp at,
                              std::optional<Date> effective_on = std::nullopt);

  LedgerTransactionId id;
  LedgerPhase phase = LedgerPhase::posted;
  std::optional<LedgerTransactionId> resolves;  // the pending transaction that this one ends
  std::string cause_kind;  // disbursement | disbursement_return | payout | payout_return | deposit | deposit_return |
                           // deposit_release | reconciliation | provider_adjustments | withholding |
                           // practice_payout | practice_payout_return | bank_statement | bank_statement_return |
                           // recourse
  std::string cause_id;
  std::optional<SettlementId> settlement;
  Timestamp at;                       // the instant of posting
  Date effective_on{};                // the day on which the money moved or the event took effect
  std::optional<Date> occurred_on{};  // that day, if its period was closed: `effective_on` is the first open day then
  std::vector<LedgerEntry> entries;

  LedgerTransaction& debit(std::string account, Money amount, LedgerParty party = {});
  LedgerTransaction& credit(std::string account, Money amount, LedgerParty party = {});
  /// Whether there are at least two entries, none of them zero, with the sum zero.
  bool balanced() const;
};

/// What a practice is owed of the money of one payer.
struct PayeeAmounts {
  std::string payer_id{};
  Money owed{};     // credited and not paid out; below zero: the practice owes it
  Money sending{};  // payouts on their way, part of `owed` until the rail confirms them
  Money carried{};  // the payer will withhold it from later payments
};

/// What a practice is owed. Empty NPI: the practice is not known.
struct PayeeBalance {
  std::string payee_npi{};
  std::vector<PayeeAmounts> payers{};
};

struct AccountBalance {
  std::string account;
  Money posted;   // debits less credits
  Money pending;  // promised and not ended yet
};

}  // namespace tideover::domain
