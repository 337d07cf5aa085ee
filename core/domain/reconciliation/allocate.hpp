// The allocation of a remittance (core/docs/waterfall.md): which account each of its lines goes to.
//
// A balanced remittance pays what its claims pay less its provider adjustments (PLB). So every line has exactly one
// account, no two lines compete for money, and the rows of all lines add up to the payment:
//
//   1. takebacks of advanced claims, then claims that are withheld at provider level, are taken from their advances;
//   2. payments of advanced claims go to their advances;
//   3. other claims and other provider adjustments go to the account of their practice;
//   4. forward balances go to, or come from, the balance of their payer and practice.
//
// A line is posted or waits. A payment may wait alone: its money stays in suspense. A takeback that is not certain
// holds the whole remittance, because its money has already been withheld from the other lines. Money that is missing
// holds the whole remittance, too, until a reviewer accepts it.
//
// allocate() is a function of its argument: it reads and posts nothing.
//
// Threads: pure functions.
// Units: cents.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/domain/reconciliation/allocation.hpp"
#include "core/domain/reconciliation/reconciliation.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

/// of_advance: has an advance. in_question: a reviewer has to decide. not_advanced: belongs to no advance. released: a
/// reviewer released it to the practice.
enum class ClaimOwner { of_advance, in_question, not_advanced, released };

/// An advance that lines of the remittance name, before the allocation.
struct AdvanceToAllocate {
  SettlementId settlement;
  std::string payee_npi;
  bool is_funded = false;
  AdvanceTerms terms;
  Position position;
  Money recovered{};  // withheld for it by other remittances that named its claim, before a takeback announced it
};

struct ClaimToAllocate {
  Money paid;    // CLP04
  Money charge;  // as decided (CLP03); never below zero
  ClaimOwner owner = ClaimOwner::not_advanced;
  std::optional<std::size_t> advance{};  // position in AllocationInput::advances
  std::optional<PaymentKind> kind{};     // nullopt: no rule posts this answer
  bool refuses_repeat = false;           // denied as a duplicate: it decides nothing where a payment is posted
  bool moves_nothing = false;            // an answer without a payment that decides nothing
  std::string payee_npi{};               // its practice
  bool is_open = true;                   // no row stands for it, and it may be posted
};

struct AdjustmentToAllocate {
  std::string payee_npi{};               // its practice
  std::string practice{};                // the same; empty: the payee is no practice and uses all balances
  std::optional<std::size_t> advance{};  // the advance whose claim it names
  bool names_claim = false;              // names a known claim without an advance
  bool is_open = true;
};

/// A forward balance of the payer that is not used up.
struct BalanceToAllocate {
  AllocationRef row;
  std::string payee_npi;
  std::string practice{};  // as in AdjustmentToAllocate
  Money left;
  std::set<std::string> names{};                                 // its own
  std::shared_ptr<const std::set<std::string>> carrier_names{};  // of all balances of its remittance
};

/// Whether a recovery under these names (names_in) by this practice uses the balance. A balance is never used across
/// practices. Without names, any balance of the practice is used.
bool uses(const std::string& practice, const std::set<std::string>& names, const BalanceToAllocate& balance);

struct AllocationInput {
  const RemittanceDraft& draft;                     // balanced
  std::vector<ClaimToAllocate> claims{};            // as in the draft
  std::vector<AdjustmentToAllocate> adjustments{};  // as in the draft
  std::vector<AdvanceToAllocate> advances{};
  std::vector<BalanceToAllocate> balances{};  // of its payer, oldest first
  std::string payee_npi{};                    // the practice of a forward balance without another one
  std::string practice{};                     // as in AdjustmentToAllocate
  RemittanceId remittance{};
  int next_number = 1;          // of its rows
  bool is_payment_open = true;  // no row stands for the negative payment
  Money standing{};             // the sum of the rows that stand
  Money funds{};                // the money that is there and not spent; zero without a deposit
  bool accepts_short = false;   // a reviewer accepts that money is missing
};

/// What became of a claim that was open.
enum class ClaimOutcome { untouched, posted, waits, unmatched, duplicate };

/// Why a line, or the whole remittance, is held.
enum class HoldReason {
  money_missing,
  takeback_in_question,      // its advance is not known, or no rule posts the answer
  takeback_beyond_payments,  // it takes back more than was paid
  paid_twice,                // pays more than expected for a settlement that is final
  above_charge,
  no_rule,  // the answer contradicts itself, or its status pays nothing
  payer_unknown,
};
struct AllocationHold {
  HoldReason reason = HoldReason::money_missing;
  std::optional<std::size_t> claim{};
  Money amount{};                            // missing, or above the charge
  std::optional<SettlementId> settlement{};  // of a provider adjustment that takes back too much
};

struct AllocationPlan {
  std::vector<AllocationRow> rows{};     // to be posted, in order
  std::vector<ClaimOutcome> outcomes{};  // of the claims
  std::vector<AllocationHold> holds{};
  bool is_held = false;  // as a whole: no row is posted
  Money missing{};       // the money that is not there
  Money waiting{};       // the sum of the lines that wait
};

AllocationPlan allocate(const AllocationInput& input);

}  // namespace tideover::domain
