// Determines whether a batch was committed when its COMMIT was not answered. One per lane, used by the lane's thread
// only.
#pragma once

#include "core/store/sql/session.hpp"

namespace tideover::store {

class CommitWitness {
 public:
  virtual ~CommitWitness() = default;

  /// The last write of a batch's transaction: a mark that becomes visible exactly when the batch does.
  virtual void mark(sql::Session& session) = 0;

  /// Called on another session, outside a transaction, about the batch that was marked last. False is final: that batch
  /// can never become visible any more, even if its transaction still exists on some node.
  virtual bool was_kept(sql::Session& session) = 0;
};

}  // namespace tideover::store
