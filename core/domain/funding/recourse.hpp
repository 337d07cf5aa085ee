// Who bears money that a payer takes back, pays too much or does not pay: rules propose, the domain limits. A takeback,
// a recovery of a claim that was never bought, a returned deposit and a short payment are charges; an overpayment is a
// credit. A faulty answer of a rule moves nothing: the usual bearers keep the amount, and the problem is stored.
//
// Threads: pure functions.
// Units: cents, basis points, days.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/id.hpp"
#include "core/domain/basics/money.hpp"
#include "core/domain/basics/tenant.hpp"
#include "core/domain/funding/terms.hpp"

namespace tideover::domain {

enum class RecourseEvent {
  takeback,          // the payer takes back what it paid for an advance, or more than that
  overpayment,       // the payer pays more than the charge, or pays a final settlement again
  foreign_recovery,  // the payer withholds for a claim that was never bought
  returned_deposit,  // the bank took back money that was credited to the practice
  short_payment,     // the payer's final answer leaves a part of the advance unpaid
};
std::string_view name_of(RecourseEvent event);
std::optional<RecourseEvent> recourse_event_named(std::string_view name);

/// An amount by bearer. Of an overpayment: who gets it.
struct RecourseSplit {
  Money future_residuals{};  // the practice: its debt in provider_payable, collected from later residuals
  Money reserve{};           // the reserve of the practice
  Money funder{};            // loss_on_receivable
  Money sum() const { return future_residuals + reserve + funder; }
  friend bool operator==(const RecourseSplit&, const RecourseSplit&) = default;
};

/// What a recourse rule may read.
struct RecourseFacts {
  RecourseEvent event = RecourseEvent::takeback;
  Money amount{};         // above zero
  RecourseSplit usual{};  // who bears it where no rule says otherwise; its sum is the amount
  std::string payer_id{};
  std::string payee_npi{};  // empty: not known
  Money advance{};          // of the settlement
  Money paid_out{};         // of its residual: paid to the practice, or on its way
  Money owed{};             // to the practice; below zero: its debt
  Money carried{};          // the payer will withhold it from the practice
  Money reserve{};          // of the practice
  std::optional<int> days_since_funding{};
};

struct RecourseProposal {
  RecourseSplit split{};
  std::vector<std::string> reasons{};
};

struct RecourseDecision {
  RecourseSplit split{};
  std::vector<std::string> reasons{};
  std::string problem{};  // why the proposal was refused; empty: it was not
};

/// The proposal where it adds up to the amount, no part is below zero, a charge takes at most what the reserve holds,
/// and the funder keeps nothing of an overpayment. Otherwise the usual bearers. nullopt: no rule answered.
RecourseDecision bound_recourse(const std::optional<RecourseProposal>& proposal, const RecourseFacts& facts);

/// The change of the accounts that a decision makes, as credits (above zero) and debits. Its sum is zero.
RecourseSplit transfer_of(const RecourseDecision& decision, const RecourseFacts& facts);

/// The fee from a day on, in a policy.
struct FeeTier {
  int from_day = 1;  // days after the funding
  int bps = 0;       // of the advance
  friend bool operator==(const FeeTier&, const FeeTier&) = default;
};

/// The values of the recourse policy that no event asks for.
struct RecoursePolicy {
  int hold_days = 0;                     // a residual is due so many days after its posting
  std::optional<Money> balance_floor{};  // a practice that owes more gets no advance; zero or below
  Money least_advance{};                 // a smaller advance is not offered
  Money least_fee{};
  std::vector<FeeTier> fee_tiers{};  // above the fee of the terms rule, by days outstanding
  int reserve_bps = 0;               // of each residual
  int reserve_days = 90;             // after which the held part is released
};

inline constexpr int kMostHoldDays = 90;
inline constexpr int kMostReserveBps = 5000;
inline constexpr int kMostReserveDays = 730;
inline constexpr int kMostFeeDays = 730;
inline constexpr std::size_t kMostFeeTiers = 8;

/// Values out of range become the nearest value in it; `problems` names them.
RecoursePolicy bounded(RecoursePolicy policy, std::vector<std::string>& problems);

/// Applies the policy to the terms: fee by days, hold, reserve; declines below the least advance or the floor. No fee
/// exceeds limits.max_fee_bps. `balance`: what the practice is owed; nullopt: not known. `expected_days`: from the
/// funding to the expected payment.
void apply_policy(BoundedTerms& bounded, const RecoursePolicy& policy, const TermsLimits& limits, int expected_days,
                  const std::optional<Money>& balance);

/// What became of one event, or a part of a residual that is held in the reserve or released from it. Written once.
struct RecourseEntry {
  enum class Kind { event, held, released, given_back };
  LedgerTransactionId id;  // of its ledger transaction, if it moved money
  Kind kind = Kind::event;
  RecourseFacts facts{};
  RecourseDecision decision{};
  RecourseSplit moved{};  // credits of the accounts; sum zero
  Money held{};           // change of the held part of the settlement's residual
  Money relief{};         // change of what others bear of a residual that the payer took back: the practice keeps it
  std::optional<SettlementId> settlement{};
  std::optional<ReconciliationId> record{};  // the record that caused it
  std::optional<RemittanceId> remittance{};  // the remittance of the row that caused it
  int row = 0;                               // the number of that row
  std::string rule_id{};                     // empty: no rule was asked
  int rule_rev = 0;
  RulesStamp rules{};
  std::optional<LedgerTransactionId> undoes{};
  std::optional<Date> release_on{};  // of a held part
  Timestamp posted_at{};
};
std::string_view name_of(RecourseEntry::Kind kind);
std::optional<RecourseEntry::Kind> recourse_kind_named(std::string_view name);

/// The opposite entry; its id and time are left to the caller.
RecourseEntry opposite_of(const RecourseEntry& entry);
/// The entries that no other one undoes, in order.
std::vector<RecourseEntry> standing(const std::vector<RecourseEntry>& entries);
/// The held part of the residual after these entries of one settlement.
Money held_of(const std::vector<RecourseEntry>& entries);
/// What others bear of a taken back residual after these entries of one settlement: `reserve` and `funder`.
RecourseSplit relieved_of(const std::vector<RecourseEntry>& entries);
/// What others bear of the principal that the settlement lost: `future_residuals` and `reserve`; their sum is `funder`.
RecourseSplit shifted_of(const std::vector<RecourseEntry>& entries);

/// Cause kind of the ledger transaction that moves an amount to other bearers.
inline constexpr std::string_view kRecourse = "recourse";

namespace account {
std::string practice_reserve(const TenantId& tenant);
}  // namespace account

}  // namespace tideover::domain
