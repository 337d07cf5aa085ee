// Posts the next state of an attempt, of an advance or of a residual's payout: settlement, ledger entries, events,
// tasks, and payments of the payer that came before the rail's answer. All of it is one transaction.
//
// Threads: runs inside the caller's transaction.
// Errors: conflict when another worker took the attempt over. Nothing of the step counts then.
#pragma once
#include <functional>

#include "core/ports/plugins/funding_rail.hpp"
#include "core/usecases/request/unit_of_work.hpp"

namespace tideover::usecases {

/// What the caller adds to that transaction, for example the stored response and the audit row of a request. An Error
/// rolls all of it back. The settlement is null for a payout to a practice.
using OnOutcome =
    std::function<domain::Status(ports::Records&, const domain::Settlement*, const domain::DisbursementAttempt&)>;

/// The event that the rail's answer means for an attempt; nullopt when it says nothing new.
std::optional<domain::AttemptEvent> event_of(const ports::RailOutcome& outcome, domain::AttemptState state,
                                             bool final_on_accept);

/// When to ask the rail again about a payment that it took: soon for an accepted one (book_outcome() raises that to the
/// expected settlement), after its return window for a settled one, and never for a final one.
domain::Timestamp next_question_at(const ports::RailDescription& rail, domain::AttemptState state,
                                   domain::Timestamp now);
inline constexpr domain::Timestamp kNeverAgain = domain::Timestamp::from_ms(253'402'300'799'000);  // 9999-12-31

/// The state and epoch that the attempt was read with. Its row must still have them for the step to count.
struct Origin {
  domain::AttemptState state;
  int epoch;
};

/// The pending ledger entry of an attempt, which book_outcome() posts or voids.
domain::LedgerTransaction pending_payment(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt,
                                          const domain::Settlement& settlement);

/// The public funding status for the state of an attempt.
domain::FundingStatus funding_status_of(domain::AttemptState state);

/// The status of the settlement's advance, or of its residual's last payout.
domain::FundingStatus& status_of(domain::Settlement& settlement, domain::Purpose purpose);

/// `attempt` is in its next state already. Its next question to the rail is set here. Error conflict when another
/// worker was first.
domain::Status book_outcome(const UnitOfWork& unit, domain::DisbursementAttempt& attempt, Origin origin,
                            const OnOutcome& on_outcome);

/// The same for a payout to a practice. book_outcome() calls it.
domain::Status book_practice_payout(const UnitOfWork& unit, const domain::DisbursementAttempt& attempt, Origin origin,
                                    const OnOutcome& on_outcome);

/// The event of a payout's step; nullopt when the step is not reported.
std::optional<domain::EventData> payout_event(const domain::DisbursementAttempt& attempt, domain::AttemptState before,
                                              domain::FundingStatus status_before);

/// The day on which a payment in this phase takes effect. A promise takes effect when it is made, and never after the
/// payment that ends it: the rail counts days in its own time zone. Nothing: the day of posting.
std::optional<domain::Date> attempt_takes_effect_on(const domain::DisbursementAttempt& attempt,
                                                    domain::LedgerPhase phase);

/// The refusal of a step whose attempt another worker took over.
domain::Error taken_over();

/// Writes the audit row of a step without a request: an answer of the rail that changed the settlement.
void audit_rail_answer(const UnitOfWork& unit, std::string_view operation, const domain::DisbursementAttempt& attempt);

}  // namespace tideover::usecases
