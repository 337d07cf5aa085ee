// Decides afterwards whether a batch is durable whose COMMIT was not answered. One per lane, used by its thread only.
#pragma once

#include "core/store/sql/session.hpp"

namespace tideover::store {

class CommitWitness {
 public:
  virtual ~CommitWitness() = default;

  /// The last write of a batch's transaction: a mark that becomes visible exactly with the batch.
  virtual void mark(sql::Session& session) = 0;

  /// Called on another session, outside a transaction, about the batch that was marked last. False is final: the batch
  /// can never become visible, even if its transaction is still open on some node.
  virtual bool was_kept(sql::Session& session) = 0;
};

}  // namespace tideover::store
