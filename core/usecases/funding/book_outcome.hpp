// What the next state of an attempt means for everything else - of an advance or of a residual's payout: settlement,
// ledger, events, tasks, and payments that were quicker than the rail. One transaction writes all of it or nothing.
#pragma once
#include <functional>

#include "core/ports/id_source.hpp"
#include "core/ports/plugins/funding_rail.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// What a caller adds to that transaction: a request its answer and its audit row. An Error undoes all of it.
using OnOutcome =
    std::function<domain::Status(ports::Records&, const domain::Settlement&, const domain::DisbursementAttempt&)>;

/// What the rail's word means for an attempt; nullopt where it says nothing new.
std::optional<domain::AttemptEvent> event_of(const ports::RailOutcome& outcome, domain::AttemptState state,
                                             bool final_on_accept);

/// When the rail is asked again about a payment that it took: an accepted one in a moment - book_outcome() raises that
/// to its expected settlement - a settled one behind its return window, a final one never.
domain::Timestamp next_look(const ports::RailDescription& rail, domain::AttemptState state, domain::Timestamp now);
inline constexpr domain::Timestamp kNeverAgain = domain::Timestamp::from_ms(253'402'300'799'000);  // 9999-12-31

/// Where an attempt came from: its row must still be there for the step to count.
struct Origin {
  domain::AttemptState state;
  int epoch;
};

/// The pending entry of an attempt: what book_outcome() posts or voids.
domain::LedgerTransaction pending_payment(const domain::TenantId& tenant, const domain::DisbursementAttempt& attempt);

/// What the state of an attempt is called outside.
domain::FundingStatus funding_status_of(domain::AttemptState state);

/// How the settlement's advance, or its residual's last payout, stands.
domain::FundingStatus& status_of(domain::Settlement& settlement, domain::Purpose purpose);

/// `attempt` has gone its step already; when it is re-evaluated becomes known here. `conflict` when somebody else
/// was first: nothing of it counts.
domain::Status book_outcome(ports::Records& records, const domain::TenantId& tenant,
                            domain::DisbursementAttempt& attempt, Origin origin, domain::Timestamp now,
                            ports::IdSource& ids, const OnOutcome& on_outcome);

/// The audit row of a step that no request asked for: a rail's word that changed what a settlement stands at.
void leave_rails_word(ports::Records& records, const domain::TenantId& tenant, ports::IdSource& ids,
                      domain::Timestamp now, std::string_view operation, const domain::DisbursementAttempt& attempt);

}  // namespace tideover::usecases
