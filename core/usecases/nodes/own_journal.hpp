// Invariant I16 (core/docs/reliability.md#invariants): what this node showed to a rail, and the rail took, is in this
// node's rail journal.
#pragma once
#include <string_view>

#include "core/domain/funding/disbursement.hpp"
#include "core/ports/rail_journal.hpp"

namespace tideover::usecases {

/// The journal may drop what ended longer ago.
inline constexpr int kJournalKeeps_days = 29;

/// A payment without its witness. What no rail took is not judged: a process may die between `submitting` and its
/// journal.
inline bool lacks_witness(const domain::DisbursementAttempt& attempt, const ports::RailJournal& journal,
                          std::string_view node, domain::Timestamp now) {
  const bool taken = is_paid(attempt.state) || attempt.state == domain::AttemptState::returned;
  return taken && attempt.sent_by == node && attempt.created_at >= now.plus_days(-kJournalKeeps_days) &&
         !journal.may_hold(attempt.rail_key, attempt.created_at);
}

}  // namespace tideover::usecases
