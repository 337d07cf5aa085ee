// The matching steps (core/docs/contract.md#matching): what a deposit, a remittance and a settlement must have in
// common to be matched, step by step, and how similar they are when a reviewer has to decide. Only compares: it finds
// and posts nothing.
//
// The tolerance is zero: amounts agree to the cent or differ. Functions return the names of the differences; empty
// means that the two fit.
//
// Threads: pure functions.
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
  many_to_one,       // 4: several deposits of one trace number pay one remittance
  scored_search,     // 5: similarity; only makes proposals for a reviewer
  person,            // a reviewer accepted a proposal
};
std::string_view name_of(MatchStep step);
std::optional<MatchStep> match_step_named(std::string_view name);

enum class MatchVerdict { taken, rejected, undone };
std::string_view name_of(MatchVerdict verdict);
std::optional<MatchVerdict> match_verdict_named(std::string_view name);

using MatchReasons = std::vector<std::string>;

/// The result of one step for one candidate. Kept permanently: it explains where money was allocated and why.
struct MatchCandidate {
  MatchCandidateId id;
  std::string subject;       // the deposit or remittance that was searched for
  std::optional<int> claim;  // the position of a claim; none: the whole remittance
  MatchStep step = MatchStep::trace_number;
  std::string candidate;  // the deposit, remittance or settlement; empty: none found
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
inline constexpr const char* kPayee = "payee_differs";
inline constexpr const char* kServiceDate = "service_date_differs";
inline constexpr const char* kNoTrace = "trace_number_missing";
inline constexpr const char* kTakenBeyond = "takeback_exceeds_payments";
// Reasons why a claim may belong to an advance with another number.
inline constexpr const char* kNumberForm = "claim_number_in_another_form";
inline constexpr const char* kPayersNumber = "payer_claim_number_known";
inline constexpr const char* kChargeAndDate = "charge_and_service_date_equal";
}  // namespace mismatch

/// Step 1, for two whose trace numbers agree in normal form. A trace number is unique per payer: the payer, or else the
/// originator (TRN03), must not contradict; amount and date verify (CAQH CORE 370: three banking days; a check may be
/// cashed until it is stale).
MatchReasons differences_by_trace(const Deposit& deposit, const RemittanceDraft& remittance);
/// Step 3, when at most one of the two has a trace number.
MatchReasons differences_by_amount(const Deposit& deposit, const RemittanceDraft& remittance);
/// Step 3, for a deposit without a remittance and a settlement that waits for its payment.
MatchReasons differences_by_amount(const Deposit& deposit, const Settlement& settlement);
/// Whether both may report one payment: the same amount, and payers that do not contradict. Across channels, trace
/// numbers must be similar and days agree. Within a channel, the trace number (or its absence) and the day must be
/// equal.
bool may_be_one_payment(const Deposit& a, const Deposit& b);
/// Step 4, for one of several deposits that may pay the remittance together: as step 3, with any part of the amount.
MatchReasons differences_as_part(const Deposit& part, const RemittanceDraft& remittance);
/// The charge that a remittance decides on or reverses (CLP03).
Money charge_of(const RemittanceClaim& paid);
/// The service dates of the claim and its lines, as far as they are given.
std::vector<Date> service_dates(const RemittanceClaim& paid);
/// Step 2. A charge below the billed one is a part, unless service lines on both sides say otherwise. The claim number
/// alone proves nothing: a secondary payer's remittance has it as well, and so may another
/// visit or a claim of another system.
MatchReasons differences(const RemittanceDraft& remittance, const RemittanceClaim& paid, const ClaimDraft& claim);
/// The same for an answer that is taken as the decision on the whole claim, or on lines that it names: a smaller charge
/// without lines differs.
MatchReasons differences_of_decision(const RemittanceDraft& remittance, const RemittanceClaim& paid,
                                     const ClaimDraft& claim);

/// Step 5: the similarity of the two, 0 to 100, with reasons.
struct MatchScore {
  int points = 0;
  MatchReasons reasons;
};
MatchScore score_of(const Deposit& deposit, const RemittanceDraft& remittance);
MatchScore score_of(const Deposit& deposit, const Settlement& settlement);
MatchScore score_of(const RemittanceDraft& remittance, const RemittanceClaim& paid, const ClaimDraft& claim);
/// Nothing below this score is proposed.
inline constexpr int kLeastScore = 50;

/// The days around a deposit or remittance in which step 3 may match, and step 4 may add parts.
DateRange matching_days(const Deposit& deposit);
DateRange matching_days(Date announced);
/// The largest distance from the expected date for a payment without a remittance.
inline constexpr int kUnannouncedWindowDays = 45;

}  // namespace tideover::domain
