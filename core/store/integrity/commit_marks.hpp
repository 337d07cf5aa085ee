// The commit witness on MariaDB: each lane has one row, its batches write their number into it as their last act. To
// ask is to write that row too, so the question and a COMMIT that is still under way exclude each other: on one server
// by the row's lock, on Galera by certification. A look alone could say "no" a moment before the answer becomes "yes".
#pragma once
#include <memory>

#include "core/store/committer/commit_witness.hpp"

namespace tideover::store {

/// The witness of a new lane, under a random name.
std::unique_ptr<CommitWitness> new_commit_witness();

/// Removes the rows of lanes that nobody has used for a week: their processes are gone.
void forget_old_commit_marks(sql::Session& session);

}  // namespace tideover::store
