// The commit witness on MariaDB. Each lane has a row, and each of its batches writes its number into that row as its
// last write. A question writes the same row, so the question and a COMMIT in progress exclude each other: on one
// server by the row lock, on Galera by certification. Only reading the row could answer "no" a moment before the batch
// becomes visible.
#pragma once
#include <memory>

#include "core/store/committer/commit_witness.hpp"

namespace tideover::store {

/// The witness of a new lane, with a random name.
std::unique_ptr<CommitWitness> new_commit_witness();

/// Removes the rows of lanes that were not used for a week: their processes have ended.
void forget_old_commit_marks(sql::Session& session);

}  // namespace tideover::store
