// Invariant I16 (core/docs/reliability.md#invariants): the rail journal of this node has every payment that this node
// sent and the rail took.
#pragma once
#include <string_view>

#include "core/domain/funding/disbursement.hpp"
#include "core/ports/rail_journal.hpp"

namespace tideover::usecases {

/// The journal may drop entries that ended longer ago.
inline constexpr int kJournalKeeps_days = 29;

/// Whether a payment lacks its journal entry. Payments that no rail took are not checked: a process may stop between
/// `submitting` and the journal entry.
inline bool lacks_witness(const domain::DisbursementAttempt& attempt, const ports::RailJournal& journal,
                          std::string_view node, domain::Timestamp now) {
  const bool taken = is_paid(attempt.state) || attempt.state == domain::AttemptState::returned;
  return taken && attempt.sent_by == node && attempt.created_at >= now.plus_days(-kJournalKeeps_days) &&
         !journal.may_hold(attempt.rail_key, attempt.created_at);
}

}  // namespace tideover::usecases
