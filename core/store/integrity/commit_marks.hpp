// The commit witness on MariaDB. Each lane has one row, into which its batches write their number last. The question
// writes that row as well, so that it and an open COMMIT exclude each other: by the row's lock on one server, by
// certification on Galera. A read alone could say "no" just before the answer becomes "yes".
#pragma once
#include <memory>

#include "core/store/committer/commit_witness.hpp"

namespace tideover::store {

/// The witness of a new lane, under a random name.
std::unique_ptr<CommitWitness> new_commit_witness();

/// Removes the rows of lanes that were not used for a week: their processes are gone.
void forget_old_commit_marks(sql::Session& session);

}  // namespace tideover::store
