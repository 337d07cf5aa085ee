// The match ladder (core/docs/contract.md#matching): what a deposit, a remittance and a settlement must have in common
// to belong together, step by step, and how alike they are where that is for a reviewer to say. Compares; finds and
// books nothing.
//
// Tolerance is zero: amounts agree to the cent or differ. Functions return the names of what does not agree; none means
// that the two fit.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/claims/claim.hpp"
#include "core/domain/funding/settlement.hpp"
#include "core/domain/reconciliation/remittance.hpp"

namespace tideover::domain {

enum class MatchStep {
  trace_number,      // 1: the reassociation trace number, verified by amount and date
  claim_identifier,  // 2: control numbers of a claim, verified by payer, charge and service date
  amount_and_date,   // 3: payer, exact cents, date window
  one_to_many,       // 4: one deposit pays several remittances of one trace number
  many_to_one,       // 4: several deposits of one payer pay one remittance
  scored_search,     // 5: likeness; makes proposals, and asks a reviewer, only
  person,            // a reviewer accepted a proposal
};
std::string_view name_of(MatchStep step);
std::optional<MatchStep> match_step_named(std::string_view name);

enum class MatchVerdict { taken, rejected, undone };
std::string_view name_of(MatchVerdict verdict);
std::optional<MatchVerdict> match_verdict_named(std::string_view name);

using MatchReasons = std::vector<std::string>;

/// What one step thought of one candidate. Kept for ever: it explains why money went where it went.
struct MatchCandidate {
  MatchCandidateId id;
  std::string subject;       // the deposit or remittance that a place was sought for
  std::optional<int> claim;  // which claim of the remittance; none for the whole
  MatchStep step = MatchStep::trace_number;
  std::string candidate;  // the deposit, remittance or settlement; empty: the step found nobody
  MatchVerdict verdict = MatchVerdict::rejected;
  MatchReasons reasons;
  Timestamp at;
};

namespace mismatch {
inline constexpr const char* kNothingFound = "nothing_found";
inline constexpr const char* kSeveralFit = "several_fit";
inline constexpr const char* kTraceNumber = "trace_number_differs";
inline constexpr const char* kPayer = "payer_differs";
inline constexpr const char* kPayerUnknown = "payer_unknown";
inline constexpr const char* kOriginator = "originator_differs";
inline constexpr const char* kAmount = "amount_differs";
inline constexpr const char* kDate = "date_outside_window";
inline constexpr const char* kNoDate = "date_unknown";
inline constexpr const char* kUnbalanced = "remittance_unbalanced";
inline constexpr const char* kCharge = "charge_differs";
inline constexpr const char* kTooMany = "too_many_candidates";
inline constexpr const char* kServiceDate = "service_date_differs";
// Why a claim may be about an advance whose number it does not have.
inline constexpr const char* kNumberForm = "claim_number_in_another_form";
inline constexpr const char* kPayersNumber = "payer_claim_number_known";
inline constexpr const char* kChargeAndDate = "charge_and_service_date_equal";
}  // namespace mismatch

/// Step 1, of two that carry one trace number. Trace numbers are a payer's own: payer, else originator (TRN03), must
/// not contradict; amount and date verify (CAQH CORE 370: three banking days; a check may be cashed until it is stale).
MatchReasons differences_by_trace(const Deposit& deposit, const RemittanceDraft& remittance);
/// Step 3, where at most one of the two names a trace number.
MatchReasons differences_by_amount(const Deposit& deposit, const RemittanceDraft& remittance);
/// Step 3, a deposit that no remittance announces against a settlement that waits for its payment.
MatchReasons differences_by_amount(const Deposit& deposit, const Settlement& settlement);
/// Whether both may report one payment: the same amount and payers that do not contradict; from other channels, trace
/// numbers that are alike and days that agree; from one channel, the same trace number (or none) and the same day.
bool may_be_one_payment(const Deposit& a, const Deposit& b);
/// Step 4, one of several deposits that may pay the remittance together: as step 3, but any part of its amount.
MatchReasons differences_as_part(const Deposit& part, const RemittanceDraft& remittance);
/// The charge that a remittance decides on, or takes its decision back on (CLP03).
Money charge_of(const RemittanceClaim& paid);
/// The days on which the claim's services were, of the claim and of its lines, as far as it names any.
std::vector<Date> service_dates(const RemittanceClaim& paid);
/// Step 2. A claim's number alone proves nothing: a secondary payer's remittance carries it too, and so may another
/// visit or another system's claim.
MatchReasons differences(const RemittanceDraft& remittance, const RemittanceClaim& paid, const ClaimDraft& claim);

/// Step 5: how alike the two are, 0 to 100, and why.
struct MatchScore {
  int points = 0;
  MatchReasons reasons;
};
MatchScore score_of(const Deposit& deposit, const RemittanceDraft& remittance);
MatchScore score_of(const Deposit& deposit, const Settlement& settlement);
MatchScore score_of(const RemittanceDraft& remittance, const RemittanceClaim& paid, const ClaimDraft& claim);
/// Below it nobody is proposed.
inline constexpr int kLeastScore = 50;

/// Days around money, or a remittance, in which lies whatever step 3 may join with it, and what step 4 may add to that.
DateRange matching_days(const Deposit& deposit);
DateRange matching_days(Date announced);
/// How far from the expected date a payment without a remittance may still be taken for the expected one.
inline constexpr int kUnannouncedWindowDays = 45;

}  // namespace tideover::domain
